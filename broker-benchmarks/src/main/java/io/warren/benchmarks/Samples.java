package io.warren.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of one benchmark's rounds, and the table made of them. */
final class Samples {

    private static final String ROW = "%-15s %-22s %-20s %14s  %-31s %3s %9s%n";

    private final Benchmark benchmark;
    private final Map<String, List<double[]>> bySystem = new LinkedHashMap<>();

    Samples(Benchmark benchmark) {
        this.benchmark = benchmark;
        benchmark.systems().forEach(system -> bySystem.put(system.name(), new ArrayList<>()));
    }

    void add(String system, double[] values) {
        if (values.length != benchmark.metrics().size()) {
            throw new IllegalArgumentException(system + " measured " + values.length + " metrics of " + benchmark);
        }
        bySystem.computeIfAbsent(system, name -> new ArrayList<>()).add(values);
    }

    static String header() {
        return ROW.formatted("benchmark", "metric", "system", "median", "(least to greatest)", "n", "to peer");
    }

    /** One row for each metric and system: median, least, greatest, runs, and the ratio of medians to the peer's. */
    String rows() {
        StringBuilder rows = new StringBuilder();
        for (int metric = 0; metric < benchmark.metrics().size(); metric++) {
            for (String system : bySystem.keySet()) {
                double[] values = sorted(system, metric);
                if (values.length > 0) {
                    rows.append(row(metric, system, values));
                }
            }
        }
        return rows.toString();
    }

    private String row(int metric, String system, double[] sorted) {
        Benchmark.Metric shown = benchmark.metrics().get(metric);
        double[] peer = benchmark.peer().isEmpty() ? new double[0] : sorted(benchmark.peer(), metric);
        double ratio = median(sorted) / median(peer);
        return ROW.formatted(
                benchmark.name(),
                shown.name(),
                system,
                text(median(sorted), shown),
                "(" + text(sorted[0], shown) + " to " + text(sorted[sorted.length - 1], shown) + ")",
                sorted.length,
                Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "");
    }

    private double[] sorted(String system, int metric) {
        return bySystem.getOrDefault(system, List.of()).stream()
                .mapToDouble(values -> values[metric])
                .filter(Double::isFinite)
                .sorted()
                .toArray();
    }

    /** Of an even number of values the upper middle one: one that was measured. */
    private static double median(double[] sorted) {
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }

    private static String text(double value, Benchmark.Metric metric) {
        return String.format(Locale.ROOT, "%,." + metric.decimals() + "f", value);
    }

    /** One run as it is printed while others are still to come. */
    String line(int round, String system, double[] values) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  round %d  %-20s", round, system));
        for (int i = 0; i < values.length; i++) {
            Benchmark.Metric metric = benchmark.metrics().get(i);
            line.append("  ").append(text(values[i], metric)).append(' ').append(metric.name());
        }
        return line.toString();
    }

    /** A row of figures that were measured otherwise, in whole numbers. */
    static String row(
            String benchmark, String metric, String system, double median, double least, double greatest, long count) {
        return ROW.formatted(
                benchmark,
                metric,
                system,
                String.format(Locale.ROOT, "%,.0f", median),
                String.format(Locale.ROOT, "(%,.0f to %,.0f)", least, greatest),
                count,
                "");
    }
}
