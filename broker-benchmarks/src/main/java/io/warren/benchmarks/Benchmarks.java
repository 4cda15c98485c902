package io.warren.benchmarks;

import io.warren.benchmarks.growth.Growth;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs benchmarks side by side and prints their tables; started by {@code broker-benchmarks/run}.
 *
 * <p>Rounds are interleaved: in each round every system has its turn, so that what changes on the machine meanwhile
 * changes for all of them.
 */
public final class Benchmarks {

    private static final int ROUNDS = 5;

    private final PrintStream out;
    private final Runs runs;
    private final Effort effort;
    private final int rounds;
    private boolean failed;

    Benchmarks(PrintStream out, Runs runs, Effort effort, int rounds) {
        this.out = out;
        this.runs = runs;
        this.effort = effort;
        this.rounds = rounds;
    }

    /** Arguments: names of benchmarks (all without), {@code --rounds N}, {@code --smoke}, {@code --list}. */
    public static void main(String[] args) throws Exception {
        List<String> names = new ArrayList<>();
        int rounds = ROUNDS;
        Effort effort = Effort.FULL;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--rounds" -> rounds = Integer.parseInt(args[++i]);
                case "--smoke" -> effort = Effort.SMOKE;
                case "--list" -> {
                    list(System.out);
                    return;
                }
                default -> names.add(args[i]);
            }
        }
        boolean good = new Benchmarks(System.out, Runs.forked(), effort, rounds).run(names.isEmpty() ? names() : names);
        System.exit(good ? 0 : 1);
    }

    static List<String> names() {
        List<String> names =
                new ArrayList<>(Suite.all().stream().map(Benchmark::name).toList());
        names.addAll(Growth.names());
        return names;
    }

    static Benchmark named(String name) {
        return Suite.all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no benchmark '" + name + "'; there are " + names()));
    }

    private static void list(PrintStream out) {
        Suite.all().forEach(each -> out.printf("%-15s %s%n", each.name(), each.question()));
        Growth.names().forEach(name -> out.printf("%-15s %s%n", name, Growth.question(name)));
    }

    /** Runs them in turn and prints all their tables once more at the end; false if a run failed. */
    boolean run(List<String> names) throws Exception {
        List<String> unknown = new ArrayList<>(names);
        unknown.removeAll(names());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("there are no benchmarks " + unknown + "; there are " + names());
        }
        StringBuilder summary = new StringBuilder();
        for (String name : names) {
            summary.append(Growth.names().contains(name) ? growth(name) : sideBySide(named(name)));
        }
        out.printf("%nSUMMARY (ratios are medians to the peer's: artemis, for topics rabbitmq-mock)%n%n");
        out.print(Samples.header());
        out.print(summary);
        return !failed;
    }

    private void title(String name, String question) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        out.printf(Locale.ROOT, "%n%s: %s (load average before it: %.2f)%n", name, question, load);
    }

    private String sideBySide(Benchmark benchmark) throws InterruptedException {
        title(benchmark.name(), benchmark.question());
        Samples samples = new Samples(benchmark);
        for (int round = 1; round <= rounds; round++) {
            for (Benchmark.Contender system : benchmark.systems()) {
                run(benchmark, system.name(), round, samples);
            }
        }
        String rows = samples.rows();
        out.print(Samples.header());
        out.print(rows);
        return rows;
    }

    private void run(Benchmark benchmark, String system, int round, Samples samples) throws InterruptedException {
        try {
            double[] values = runs.run(benchmark, system, effort);
            samples.add(system, values);
            out.println(samples.line(round, system, values));
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception failure) {
            failed = true;
            out.printf("  round %d  %-20s  FAILED: %s%n", round, system, failure);
        }
    }

    private String growth(String name) throws Exception {
        title(name, Growth.question(name));
        StringBuilder rows = new StringBuilder();
        for (Growth.Step step : Growth.run(name, effort.equals(Effort.SMOKE))) {
            rows.append(Samples.row(
                    name,
                    "ns, " + step.what(),
                    "warren",
                    step.medianNs(),
                    step.leastNs(),
                    step.greatestNs(),
                    step.count()));
        }
        out.print(Samples.header());
        out.print(rows);
        return rows.toString();
    }
}
