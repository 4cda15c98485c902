package io.warren.benchmarks;

import java.util.List;

/**
 * A question, put to several systems in turn.
 *
 * @param name as it is given on the command line
 * @param question what the figures answer
 * @param metrics what each run measures
 * @param systems who is measured, in the order of a round
 * @param peer the system that ratios are to; nobody if it is empty
 */
record Benchmark(String name, String question, List<Metric> metrics, List<Contender> systems, String peer) {

    /**
     * One figure of a run.
     *
     * @param decimals digits behind the point
     */
    record Metric(String name, int decimals) {}

    /** A system that is measured. */
    record Contender(String name, Measurement measurement) {}

    Contender system(String systemName) {
        return systems.stream()
                .filter(each -> each.name().equals(systemName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("system=" + systemName + " is not in " + name));
    }
}
