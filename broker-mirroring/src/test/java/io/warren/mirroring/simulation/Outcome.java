package io.warren.mirroring.simulation;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one run came to.
 *
 * @param events things that happened
 * @param payloads payloads that became stable
 * @param viewChanges views committed after the first
 * @param lemmaChecks comparisons made by the observer
 * @param healTicks ticks from the end of the faults until everything was settled
 * @param withheld payloads that were stable and told nobody, for want of a lease
 * @param promotions of mirrored queues, the first of each not counted; -1 if the groups were none
 * @param happenings what happened to mirrored queues and their clients, by kind
 * @param struck faults that had an effect, by kind
 * @param failure what broke, or null
 * @param lemma number of the broken lemma; 0 if it was an invariant of the code; -1 if nothing broke
 * @param trace what happened, if it was asked for
 */
record Outcome(
        FaultPlan plan,
        long events,
        int payloads,
        int viewChanges,
        long lemmaChecks,
        long healTicks,
        int withheld,
        int promotions,
        Map<Happening, Integer> happenings,
        Map<FaultKind, Integer> struck,
        String failure,
        int lemma,
        List<String> trace) {
    Outcome {
        happenings = Map.copyOf(happenings);
        struck = new EnumMap<>(struck);
    }

    int struckCount() {
        return struck.values().stream().mapToInt(Integer::intValue).sum();
    }

    boolean isOfQueues() {
        return promotions >= 0;
    }

    /** Whether the run was hard enough to count. */
    boolean counts() {
        return plan.nodeCount() >= 3 && events >= 1_000 && payloads >= 200 && viewChanges >= 2 && struckCount() >= 5;
    }
}
