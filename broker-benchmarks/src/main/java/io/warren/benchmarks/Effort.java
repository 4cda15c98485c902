package io.warren.benchmarks;

/**
 * How much a run does.
 *
 * @param warmUpMs before a run measures
 * @param measuredMs for which it measures
 * @param countShare part of the numbers of messages, bindings and repetitions, from 0 to 1
 */
record Effort(long warmUpMs, long measuredMs, double countShare) {

    /** As figures are stated: the compiler is done after about two seconds. */
    static final Effort FULL = new Effort(3_000, 3_000, 1);

    /** Only whether it works. */
    static final Effort SMOKE = new Effort(5, 20, 0.002);

    /** So many of {@code full} things, at least one. */
    int count(int full) {
        return Math.max(1, (int) (full * countShare));
    }

    static Effort named(String name) {
        return switch (name) {
            case "full" -> FULL;
            case "smoke" -> SMOKE;
            default -> throw new IllegalArgumentException("effort=" + name + " is not full or smoke");
        };
    }

    String name() {
        return equals(SMOKE) ? "smoke" : "full";
    }
}
