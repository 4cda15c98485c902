package io.warren.mirroring.simulation;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Command line of the simulation: runs seeds, several at a time, and prints in their order what they came to. */
public final class Simulate {
    private Simulate() {}

    /** {@code [--queues [--paged]] --seeds N --from SEED [--threads N] [--trace] [--shrink] [--until-broken]}. */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        long seeds = number(arguments, "--seeds", 200);
        long from = number(arguments, "--from", 1);
        int threads = (int) number(arguments, "--threads", 1);
        boolean asQueues = has(arguments, "--queues");
        boolean paged = has(arguments, "--paged");
        Totals totals = new Totals(asQueues);
        long beganNs = System.nanoTime();
        ExecutorService runners = Executors.newFixedThreadPool(threads);
        ArrayDeque<Future<Outcome>> running = new ArrayDeque<>();
        long next = from;
        while (totals.counted() < seeds) {
            while (running.size() < 2 * threads) {
                FaultPlan plan = plan(next++, asQueues);
                running.addLast(runners.submit(
                        () -> paged ? Simulation.runPaged(plan, false) : Simulation.run(plan, asQueues, false)));
            }
            Outcome outcome = running.removeFirst().get();
            totals.add(outcome);
            if (outcome.failure() != null) {
                report(outcome, arguments);
                if (has(arguments, "--until-broken")) {
                    break;
                }
            }
        }
        runners.shutdownNow();
        totals.print((System.nanoTime() - beganNs) / 1e9);
        System.exit(totals.isBroken() ? 1 : 0);
    }

    private static FaultPlan plan(long seed, boolean asQueues) {
        return asQueues ? FaultPlan.ofQueues(seed) : FaultPlan.of(seed);
    }

    private static void report(Outcome outcome, String[] arguments) {
        long seed = outcome.plan().seed();
        System.out.println("BROKEN seed " + seed + ": " + outcome.failure());
        System.out.println(
                "  replay: " + replay(outcome.isOfQueues(), seed) + (has(arguments, "--paged") ? " --paged" : ""));
        if (has(arguments, "--trace")) {
            Outcome again = has(arguments, "--paged")
                    ? Simulation.runPaged(outcome.plan(), true)
                    : Simulation.run(outcome.plan(), outcome.isOfQueues(), true);
            again.trace().forEach(System.out::println);
        }
        if (has(arguments, "--shrink")) {
            System.out.println("  shrunk: " + Shrinker.shrink(outcome).asCode());
        }
    }

    /** The command that runs a seed again and shows what happened. */
    static String replay(boolean asQueues, long seed) {
        return "broker-mirroring/simulate" + (asQueues ? " --queues" : "") + " --seeds 1 --from " + seed + " --trace";
    }

    private static boolean has(String[] arguments, String name) {
        return List.of(arguments).contains(name);
    }

    /** The value of an option; of several the last. */
    private static long number(String[] arguments, String name, long otherwise) {
        long value = otherwise;
        for (int i = 0; i + 1 < arguments.length; i++) {
            if (arguments[i].equals(name)) {
                value = Long.parseLong(arguments[i + 1]);
            }
        }
        return value;
    }
}
