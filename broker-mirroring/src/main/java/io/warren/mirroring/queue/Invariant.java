package io.warren.mirroring.queue;

/** A check that is always on: when it fails, this member's queue stops rather than spread what it no longer understands. */
final class Invariant {
    private Invariant() {}

    static void check(boolean holds, String what, long found) {
        if (!holds) {
            throw broken(what, found);
        }
    }

    /** As {@link #check(boolean, String, long)}, of two numbers that have to be the same. */
    static void checkSame(long expected, String what, long found) {
        if (expected != found) {
            throw broken(what + "; expected " + expected, found);
        }
    }

    /** @param about what it is about: its text is made only when the check fails */
    static void check(boolean holds, String what, Object about, long found) {
        if (!holds) {
            throw broken(what + " " + about, found);
        }
    }

    private static IllegalStateException broken(String what, long found) {
        return new IllegalStateException("mirrored queue invariant broken: " + what + " (" + found + ")");
    }
}
