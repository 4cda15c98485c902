package io.warren.mirroring.queue;

/** A check that is always on: when it fails, this member's queue stops rather than spread what it no longer understands. */
final class Invariant {
    private Invariant() {}

    static void check(boolean holds, String what, long found) {
        if (!holds) {
            throw broken(what, found);
        }
    }

    /** @param about what it is about, or what was expected; its text is made only when the check fails */
    static void check(boolean holds, String what, Object about, long found) {
        if (!holds) {
            throw broken(what + " " + about, found);
        }
    }

    private static IllegalStateException broken(String what, long found) {
        return new IllegalStateException("mirrored queue invariant broken: " + what + " (" + found + ")");
    }
}
