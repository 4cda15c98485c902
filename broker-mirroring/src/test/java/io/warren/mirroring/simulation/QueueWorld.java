package io.warren.mirroring.simulation;

import io.warren.core.metadata.LengthLimit;
import io.warren.core.metadata.Overflow;
import io.warren.core.metadata.QueueSettings;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What turns the groups of a simulation into mirrored queues: their settings, their clients, what was seen of them.
 *
 * <p>The ring's payload is a number, as in the simulation of the ring alone; here it is the number of an entry's bytes, which are kept once.
 */
final class QueueWorld {
    /** Queues of each run, every one with rules of its own. */
    static final int QUEUES = 3;

    private static final long TTL_NS = 900_000_000L;

    private final Simulation world;
    private final List<byte[]> payloads = new ArrayList<>();
    private final Map<String, QueueSettings> settings = new LinkedHashMap<>();
    private final Map<String, QueueHistory> histories = new LinkedHashMap<>();
    private final Map<String, Map<Long, Integer>> given = new HashMap<>();
    private final QueueClients clients;
    private int promotions;

    QueueWorld(Simulation world, List<String> groups) {
        this.world = world;
        for (int number = 0; number < groups.size(); number++) {
            String group = groups.get(number);
            settings.put(group, settings(group, number, world.plan().seed()));
            histories.put(group, new QueueHistory(world, group));
        }
        clients = new QueueClients(world, this);
    }

    /** A plain queue, one that is short and drops or refuses, and one with priorities whose messages expire. */
    private static QueueSettings settings(String name, int number, long seed) {
        QueueSettings plain = QueueSettings.plain("/", name);
        return switch (number) {
            case 0 -> plain;
            case 1 ->
                of(
                        name,
                        0,
                        QueueSettings.NO_TTL,
                        new LengthLimit(
                                4, LengthLimit.UNLIMITED, seed % 2 == 0 ? Overflow.DROP_HEAD : Overflow.REJECT_PUBLISH),
                        null);
            default -> of(name, 2, TTL_NS, LengthLimit.NONE, seed % 3 == 0 ? null : "q");
        };
    }

    private static QueueSettings of(String name, int priorityMax, long ttlNs, LengthLimit limit, String exchange) {
        return new QueueSettings(
                "/", name, false, false, priorityMax, ttlNs, QueueSettings.NO_TTL, limit, exchange, null, null, false);
    }

    QueueSettings settings(String group) {
        return settings.get(group);
    }

    QueueHistory history(String group) {
        return histories.get(group);
    }

    QueueClients clients() {
        return clients;
    }

    /** The number of an entry's bytes, as the ring's payload. */
    int register(byte[] payload) {
        payloads.add(payload);
        return payloads.size();
    }

    byte[] bytes(int payload) {
        return payloads.get(payload - 1);
    }

    /** What was delivered up to a place of the sequence, beside the state that is given up to there. */
    void remember(String group, Position upTo, Map<Long, Integer> history) {
        given.put(group + "@" + upTo, new TreeMap<>(history));
    }

    Map<Long, Integer> remembered(String group, Position upTo) {
        return given.get(group + "@" + upTo);
    }

    void onPromoted() {
        promotions++;
    }

    int promotions() {
        return promotions;
    }

    SimulatedQueue queue(SimulatedNode node, String group) {
        return node.copy(group).queue();
    }

    /** Whether a process runs, as far as this node has heard. */
    static boolean isRunning(SimulatedNode asSeenBy, String node, long incarnation) {
        NodeState state = asSeenBy.replica().node(node);
        return state != null && state.running() && state.incarnation() == incarnation;
    }

    /** In the end: every in-sync member knows the same, and clients were told the truth. */
    void finish() {
        for (String group : world.groups()) {
            View view = world.newestStore().truth().view(group);
            ReplicaSnapshot first = null;
            for (Member member : view.inSync()) {
                ReplicaSnapshot known = queue(world.node(Simulation.number(member.node())), group)
                        .snapshot();
                first = first == null ? known : first;
                ReplicaSnapshot master = first;
                world.countLemma(
                        known.equals(master),
                        6,
                        () -> group + ": " + member + " has " + known + ", the master " + master);
            }
            histories.get(group).finish(view.recovered() > 0);
        }
        settings.forEach((group, of) -> {
            if (of.deadLetterExchange() != null) {
                QueueHistory target = histories.get(of.deadLetterExchange());
                boolean mayMiss = world.newestStore()
                                .truth()
                                .view(of.deadLetterExchange())
                                .recovered()
                        > 0;
                histories.get(group).requireDeadLettersIn(target, mayMiss);
            }
        });
    }

    /** What still has to happen when all faults are over, or null. */
    String missing(String group) {
        View view = world.newestStore().truth().view(group);
        for (Member member : view.inSync()) {
            if (queue(world.node(Simulation.number(member.node())), group).isIncomplete()) {
                return member + " lacks messages";
            }
        }
        SimulatedNode master = world.node(Simulation.number(view.inSync().get(0).node()));
        String missing = clients.missing(group);
        return missing != null ? missing : queue(master, group).missing();
    }
}
