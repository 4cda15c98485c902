package io.warren.mirroring.queue;

/** A check that is always on: when it fails, this member's queue stops rather than spread what it no longer understands. */
final class Invariant {
    private Invariant() {}

    static void check(boolean holds, String what, long found) {
        if (!holds) {
            throw new IllegalStateException("mirrored queue invariant broken: " + what + " (" + found + ")");
        }
    }
}
