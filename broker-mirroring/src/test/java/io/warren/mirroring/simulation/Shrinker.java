package io.warren.mirroring.simulation;

import java.util.ArrayList;
import java.util.List;

/** Makes a failing plan smaller as long as it breaks the same lemma: fewer faults, groups, payloads. */
final class Shrinker {
    private Shrinker() {}

    static FaultPlan shrink(Outcome failed) {
        FaultPlan plan = failed.plan();
        boolean asQueues = failed.isOfQueues();
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (int at = plan.faults().size() - 1; at >= 0; at--) {
                List<Fault> fewer = new ArrayList<>(plan.faults());
                fewer.remove(at);
                FaultPlan candidate = plan.withFaults(fewer);
                if (breaks(candidate, asQueues, failed.lemma())) {
                    plan = candidate;
                    smaller = true;
                }
            }
            if (plan.groupCount() > 1 && breaks(plan.withGroups(plan.groupCount() - 1), asQueues, failed.lemma())) {
                plan = plan.withGroups(plan.groupCount() - 1);
                smaller = true;
            }
            for (int payloads : new int[] {plan.payloads() / 2, plan.payloads() * 3 / 4}) {
                FaultPlan candidate = plan.withPayloads(payloads);
                if (payloads > 0 && breaks(candidate, asQueues, failed.lemma())) {
                    plan = candidate;
                    smaller = true;
                    break;
                }
            }
        }
        return plan;
    }

    private static boolean breaks(FaultPlan plan, boolean asQueues, int lemma) {
        return Simulation.run(plan, asQueues, false).lemma() == lemma;
    }
}
