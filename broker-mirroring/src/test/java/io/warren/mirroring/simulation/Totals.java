package io.warren.mirroring.simulation;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Sums over all runs. */
final class Totals {
    /** What a broken run is called, by a word of its message. */
    private static final Map<String, String> KINDS = kinds();

    private final boolean ofQueues;
    private long run;
    private long counted;
    private long broken;
    private long events;
    private long payloads;
    private long views;
    private long checks;
    private long healTicksMax;
    private long withheld;
    private long queues;
    private long queuesMin = Long.MAX_VALUE;
    private long promotions;
    private long promoted;
    private final Map<FaultKind, Long> struck = new EnumMap<>(FaultKind.class);
    private final Map<Happening, Long> happenings = new EnumMap<>(Happening.class);
    private final Map<Integer, Long> lemmas = new TreeMap<>();
    private final Map<String, Long> kinds = new LinkedHashMap<>();

    Totals(boolean ofQueues) {
        this.ofQueues = ofQueues;
        KINDS.values().forEach(kind -> kinds.put(kind, 0L));
        kinds.put("other", 0L);
    }

    private static Map<String, String> kinds() {
        Map<String, String> kinds = new LinkedHashMap<>();
        kinds.put("lost", "lost");
        kinds.put("nowhere", "lost");
        kinds.put("doubled", "doubled");
        kinds.put("not marked", "doubled");
        kinds.put("twice", "doubled");
        kinds.put("though its settlement was safe", "doubled");
        kinds.put("reordered", "reordered");
        kinds.put("not settled", "not settled");
        return kinds;
    }

    long counted() {
        return counted;
    }

    boolean isBroken() {
        return broken > 0;
    }

    void add(Outcome outcome) {
        run++;
        // A broken run counts as one, or a run of nothing but broken ones would never end.
        if (outcome.counts() || outcome.failure() != null) {
            counted++;
            queues += outcome.plan().groupCount();
            queuesMin = Math.min(queuesMin, outcome.plan().groupCount());
            promotions += Math.max(0, outcome.promotions());
            promoted += outcome.promotions() > 0 ? 1 : 0;
        }
        if (outcome.failure() != null) {
            broken++;
            lemmas.merge(outcome.lemma(), 1L, Long::sum);
            kinds.merge(kind(outcome.failure()), 1L, Long::sum);
        }
        events += outcome.events();
        payloads += outcome.payloads();
        views += outcome.viewChanges();
        checks += outcome.lemmaChecks();
        withheld += outcome.withheld();
        healTicksMax = Math.max(healTicksMax, outcome.healTicks());
        outcome.struck().forEach((kind, count) -> struck.merge(kind, (long) count, Long::sum));
        outcome.happenings().forEach((kind, count) -> happenings.merge(kind, (long) count, Long::sum));
    }

    private static String kind(String failure) {
        return KINDS.entrySet().stream()
                .filter(each -> failure.contains(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("other");
    }

    void print(double seconds) {
        System.out.printf(
                "seeds run %d, counted %d, %.1f s, %.1f counted seeds/s%n", run, counted, seconds, counted / seconds);
        System.out.println("faults that struck: " + struck);
        System.out.printf(
                "events %d, view changes %d, payloads stable %d, lemma checks %d, settled at most %d ticks after"
                        + " healing%n",
                events, views, payloads, checks, healTicksMax);
        System.out.printf("payloads told nobody for want of a lease %d%n", withheld);
        if (ofQueues) {
            System.out.println("what happened: " + happenings);
            System.out.printf(
                    "queues %d, at least %d a seed; promotions after the first %d, in %d of %d seeds (%.1f %%)%n",
                    queues, queuesMin, promotions, promoted, counted, 100.0 * promoted / counted);
            System.out.println("broken: " + kinds);
        }
        if (broken > 0) {
            System.out.println("broken by lemma: " + lemmas);
        }
        System.out.printf("%s: %d of %d counted seeds broken%n", broken == 0 ? "HOLDS" : "BROKEN", broken, counted);
    }
}
