package io.warren.mirroring.simulation;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Command line of the simulation: runs seeds one after the other and prints what they came to. */
public final class Simulate {
    private Simulate() {}

    /** {@code [--queues] --seeds N --from SEED [--trace] [--shrink] [--until-broken]}. */
    public static void main(String[] arguments) {
        long seeds = number(arguments, "--seeds", 200);
        long from = number(arguments, "--from", 1);
        boolean shrink = List.of(arguments).contains("--shrink");
        boolean traced = List.of(arguments).contains("--trace");
        boolean asQueues = List.of(arguments).contains("--queues");
        boolean untilBroken = List.of(arguments).contains("--until-broken");
        Totals totals = new Totals();
        long beganNs = System.nanoTime();
        for (long seed = from; totals.counted < seeds; seed++) {
            FaultPlan plan = asQueues ? FaultPlan.ofQueues(seed) : FaultPlan.of(seed);
            Outcome outcome = Simulation.run(plan, asQueues, false);
            totals.add(outcome);
            if (outcome.failure() != null) {
                System.out.println("BROKEN seed " + seed + ": " + outcome.failure());
                System.out.println("  replay: " + replay(asQueues, seed));
                if (traced) {
                    Simulation.run(plan, asQueues, true).trace().forEach(System.out::println);
                }
                if (shrink) {
                    System.out.println("  shrunk: " + Shrinker.shrink(outcome).asCode());
                }
                if (untilBroken) {
                    break;
                }
            }
        }
        double seconds = (System.nanoTime() - beganNs) / 1e9;
        totals.print(seconds);
        System.exit(totals.broken == 0 ? 0 : 1);
    }

    /** The command that runs a seed again and shows what happened. */
    static String replay(boolean asQueues, long seed) {
        return "broker-mirroring/simulate" + (asQueues ? " --queues" : "") + " --seeds 1 --from " + seed + " --trace";
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

    /** Sums over all runs. */
    private static final class Totals {
        private long run;
        private long counted;
        private long broken;
        private long events;
        private long payloads;
        private long views;
        private long checks;
        private long healTicksMax;
        private long withheld;
        private long promotions;
        private long promoted;
        private final Map<FaultKind, Long> struck = new EnumMap<>(FaultKind.class);
        private final Map<Integer, Long> lemmas = new TreeMap<>();

        void add(Outcome outcome) {
            run++;
            // A broken run counts as one, or a run of nothing but broken ones would never end.
            if (outcome.counts() || outcome.failure() != null) {
                counted++;
            }
            if (outcome.failure() != null) {
                broken++;
                lemmas.merge(outcome.lemma(), 1L, Long::sum);
            }
            events += outcome.events();
            payloads += outcome.payloads();
            views += outcome.viewChanges();
            checks += outcome.lemmaChecks();
            withheld += outcome.withheld();
            promotions += Math.max(0, outcome.promotions());
            promoted += outcome.promotions() > 0 ? 1 : 0;
            healTicksMax = Math.max(healTicksMax, outcome.healTicks());
            outcome.struck().forEach((kind, count) -> struck.merge(kind, (long) count, Long::sum));
        }

        void print(double seconds) {
            System.out.printf(
                    "seeds run %d, counted %d, %.1f s, %.1f counted seeds/s%n",
                    run, counted, seconds, counted / seconds);
            System.out.println("faults that struck: " + struck);
            System.out.printf(
                    "events %d, view changes %d, payloads stable %d, lemma checks %d, settled at most %d ticks after"
                            + " healing%n",
                    events, views, payloads, checks, healTicksMax);
            System.out.printf("payloads told nobody for want of a lease %d%n", withheld);
            if (promotions > 0) {
                System.out.printf("promotions of queues %d, in %d seeds%n", promotions, promoted);
            }
            if (broken > 0) {
                System.out.println("broken by lemma: " + lemmas);
            }
            System.out.printf("%s: %d of %d counted seeds broken%n", broken == 0 ? "HOLDS" : "BROKEN", broken, counted);
        }
    }
}
