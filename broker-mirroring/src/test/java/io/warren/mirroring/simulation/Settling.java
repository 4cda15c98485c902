package io.warren.mirroring.simulation;

import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.List;

/** Lemma 12: what still has to happen when all faults are over, and what everything has come to when nothing has. */
final class Settling {
    private static final long HEAL_TICKS_MAX = 400;

    private final Simulation world;

    Settling(Simulation world) {
        this.world = world;
    }

    void requireInTime(long tookNs, String since, String missing) {
        if (tookNs > HEAL_TICKS_MAX * Simulation.TICK_NS) {
            throw new LemmaBroken(12, "not settled " + HEAL_TICKS_MAX + " ticks " + since + ": " + missing);
        }
    }

    /** What is still not as it has to be when everything has healed, or null. */
    String missing() {
        for (String group : world.groups()) {
            String missing = missing(group);
            if (missing != null) {
                return group + ": " + missing;
            }
        }
        return null;
    }

    private String missing(String group) {
        SimulatedMetadata store = world.newestStore();
        View view = store.truth().view(group);
        if (view == null
                || !view.up()
                || view.others().stream()
                        .anyMatch(other -> !copyOf(other, group).isStalled())) {
            return String.valueOf(view);
        }
        Observed master = copyOf(view.inSync().get(0), group).process();
        for (SimulatedNode node : world.nodes()) {
            if (!node.isStarted() || world.hasLeft(node.number())) {
                continue;
            }
            Member member = node.member();
            SimulatedMember copy = node.copy(group);
            if (!node.isRegistered()
                    || node.store() != store
                    || node.replica().applied() < store.truth().applied()) {
                return member + " has commands of " + store.logId() + " to come";
            }
            if (copy.isStalled() && !view.inSync().contains(member)) {
                continue;
            }
            if (!view.inSync().contains(member)) {
                return member + " is not in sync in " + view;
            }
            String missing = missing(copy, master, view);
            if (missing != null) {
                return member + missing;
            }
        }
        return world.queues() == null ? null : world.queues().missing(group);
    }

    private static String missing(SimulatedMember copy, Observed master, View view) {
        if (copy.ring().epoch() != view.epoch() || copy.ring().undelivered() > 0) {
            return " has views or publishes to come: epoch " + copy.ring().epoch() + ", undelivered "
                    + copy.ring().undelivered();
        }
        ObservedLog log = copy.process().log();
        if (log.last() != master.log().last() || copy.process().delivered() != log.last()) {
            return " delivered " + copy.process().delivered() + " of " + log.last() + ", master holds "
                    + master.log().last();
        }
        if (hasForgettable(log)) {
            return " still holds everything above " + log.position(log.last() - 1);
        }
        return null;
    }

    /** Everything up to the last persistent entry can be forgotten once all hold everything. */
    private static boolean hasForgettable(ObservedLog log) {
        for (long at = log.last(); at > log.last() - log.size(); at--) {
            if (log.at(at).persistent()) {
                return true;
            }
        }
        return false;
    }

    /** Everyone delivered the same, and that is what clients published. */
    void finish(String group, HistoryChecker history) {
        View view = world.newestStore().truth().view(group);
        boolean mayLose = world.isFounded() || view.unsynchronised() > 0;
        List<Integer> first = null;
        for (Member member : view.inSync()) {
            List<Integer> delivered =
                    List.copyOf(copyOf(member, group).history().values());
            if (first == null) {
                first = delivered;
                if (world.queues() != null) {
                    continue;
                }
                List<String> wrong = history.report(delivered, view.recovered() > 0, !mayLose);
                if (!wrong.isEmpty()) {
                    throw new LemmaBroken(9, group + ": " + wrong);
                }
            }
            if (!delivered.equals(first)) {
                throw new LemmaBroken(4, group + ": " + member + " delivered " + delivered + ", the master " + first);
            }
        }
    }

    private SimulatedMember copyOf(Member member, String group) {
        return world.node(Simulation.number(member.node())).copy(group);
    }
}
