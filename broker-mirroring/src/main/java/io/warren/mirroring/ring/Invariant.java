package io.warren.mirroring.ring;

/** A check that is always on: when it fails, this member stops rather than spread what it no longer understands. */
final class Invariant {
    private Invariant() {}

    static void check(boolean holds, String what, long found) {
        if (!holds) {
            throw new IllegalStateException("ring invariant broken: " + what + " (" + found + ")");
        }
    }
}
