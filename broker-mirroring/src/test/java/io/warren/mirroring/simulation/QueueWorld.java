package io.warren.mirroring.simulation;

import io.warren.core.metadata.LengthLimit;
import io.warren.core.metadata.Overflow;
import io.warren.core.metadata.QueueSettings;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.queue.SettleReason;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What turns the groups of a simulation into mirrored queues: their settings, their clients, what was seen of them.
 *
 * <p>The ring's payload is a number, as in the simulation of the ring alone; here it is the number of an entry's bytes, which are kept once.
 */
final class QueueWorld {
    /** Queues of each run, every one with rules of its own. */
    static final int QUEUES = 3;

    private static final long TTL_NS = 900_000_000L;
    /** How far the wall clocks of two nodes are apart at most. */
    private static final long WALL_CLOCKS_NS = 20_000_000L;

    /** How often a policy changes in a run. */
    private static final int POLICIES = 8;

    private final Simulation world;
    private final List<byte[]> payloads = new ArrayList<>();
    private final Map<String, QueueSettings> settings = new LinkedHashMap<>();
    private final Set<String> limited = new HashSet<>();
    /** The shortest time to live that a queue has had. */
    private final Map<String, Long> ttlMinNs = new HashMap<>();
    /** Groups whose new members are given their messages by themselves; in the others they wait until what they miss is settled. */
    private final Set<String> automatic = new HashSet<>();

    private final Map<Happening, Integer> happenings = new EnumMap<>(Happening.class);
    private final Map<String, QueueHistory> histories = new LinkedHashMap<>();
    private final Map<String, Map<Long, Integer>> given = new HashMap<>();
    private final QueueClients clients;

    /** Whether the bytes of messages leave memory. */
    private final boolean paged;

    QueueWorld(Simulation world, List<String> groups, boolean paged) {
        this.world = world;
        this.paged = paged;
        for (int number = 0; number < groups.size(); number++) {
            String group = groups.get(number);
            settings(group, settings(group, number, world.plan().seed()));
            histories.put(group, new QueueHistory(world, group));
            if (world.plan().seed() % 2 == 0) {
                automatic.add(group);
            }
        }
        clients = new QueueClients(world, this);
    }

    boolean isPaged() {
        return paged;
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
                        seed % 5 == 0 ? "q" : null);
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

    private void settings(String group, QueueSettings changed) {
        settings.put(group, changed);
        ttlMinNs.merge(group, changed.messageTtlNs(), Math::min);
        if (!changed.limit().equals(LengthLimit.NONE)) {
            limited.add(group);
        }
    }

    boolean wasLimited(String group) {
        return limited.contains(group);
    }

    /** Whether what was published then may have come to the end of its time. */
    boolean mayExpire(String group, long publishedNs) {
        long ttlNs = ttlMinNs.get(group);
        return ttlNs != QueueSettings.NO_TTL && world.nowNs() - publishedNs >= ttlNs - WALL_CLOCKS_NS;
    }

    boolean isAutomatic(String group) {
        return automatic.contains(group);
    }

    void happened(Happening what) {
        happenings.merge(what, 1, Integer::sum);
    }

    Map<Happening, Integer> happenings() {
        return happenings;
    }

    // ------------------------------------------------------------------------------------------------ its policies

    void begin() {
        clients.begin();
        for (int i = 0; i < POLICIES; i++) {
            world.at(world.between(300_000_000, Simulation.FAULTS_END_NS), this::changePolicy);
        }
    }

    void onTick() {
        clients.onTick();
        histories.values().forEach(QueueHistory::catchUp);
    }

    /** A policy changes, or somebody asks for a synchronisation or breaks it off. */
    private void changePolicy() {
        String group = world.groups().get((int) world.between(0, world.groups().size()));
        switch ((int) world.between(0, 6)) {
            case 0, 1, 2 -> changeSettings(group);
            case 3 -> changeMode(group);
            case 4 -> tellAll(group, SimulatedTransfer::synchronise);
            default -> tellAll(group, SimulatedTransfer::cancel);
        }
    }

    /** Priorities and where dead letters go are of the queue; a policy sets a time to live and a limit. */
    private void changeSettings(String group) {
        QueueSettings before = settings.get(group);
        boolean mayRefuse = settings.values().stream().noneMatch(each -> group.equals(each.deadLetterExchange()));
        Overflow overflow = mayRefuse && world.chance(2) ? Overflow.REJECT_PUBLISH : Overflow.DROP_HEAD;
        LengthLimit limit = world.chance(2)
                ? LengthLimit.NONE
                : new LengthLimit(world.between(2, 12), LengthLimit.UNLIMITED, overflow);
        long ttlNs = world.chance(2) ? QueueSettings.NO_TTL : world.between(TTL_NS / 3, 2 * TTL_NS);
        QueueSettings changed = of(group, before.priorityMax(), ttlNs, limit, before.deadLetterExchange());
        happened(Happening.SETTINGS_CHANGED);
        settings(group, changed);
        world.nodes().forEach(node -> node.happen(() -> queue(node, group).onSettings(changed)));
    }

    private void changeMode(String group) {
        happened(Happening.MODE_CHANGED);
        if (!automatic.remove(group)) {
            automatic.add(group);
        }
        tellAll(group, SimulatedTransfer::onMode);
    }

    private void tellAll(String group, Consumer<SimulatedTransfer> what) {
        world.nodes().forEach(node -> node.happen(() -> queue(node, group).tellTransfer(what)));
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

    int promotions() {
        return happenings.getOrDefault(Happening.PROMOTED, 0);
    }

    SimulatedQueue queue(SimulatedNode node, String group) {
        return node.copy(group).queue();
    }

    /** Whether a process runs, as far as this node has heard. */
    static boolean isRunning(SimulatedNode asSeenBy, String node, long incarnation) {
        NodeState state = asSeenBy.replica().node(node);
        return state != null && state.running() && state.incarnation() == incarnation;
    }

    /** Whether a process has ended, as far as this node has heard: one that it has not heard of may run. */
    static boolean hasEnded(SimulatedNode asSeenBy, Member process) {
        NodeState state = asSeenBy.replica().node(process.node());
        return state != null
                && (state.incarnation() > process.incarnation()
                        || (state.incarnation() == process.incarnation() && !state.running()));
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
                        known.messageCount() == 0, 9, () -> group + ": " + member + " has messages that nobody gets");
                world.countLemma(
                        isSame(known, master, histories.get(group)),
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

    /**
     * What a member missed and the queue did not keep it cannot put into its table of channels, for it never knew who had published it.
     */
    private static boolean isSame(ReplicaSnapshot known, ReplicaSnapshot master, QueueHistory history) {
        return known.equals(master)
                || (history.count(SettleReason.NOT_KEPT) > 0
                        && withoutGaps(known).equals(withoutGaps(master)));
    }

    private static String withoutGaps(ReplicaSnapshot state) {
        return state.toString().replaceAll("gaps=.(OffsetRange.first=[0-9]+, last=[0-9]+.(, )?)*.", "");
    }

    /**
     * A queue that stands below its limit, with a master that came back from disk and members that are ahead of what it has delivered, waits for another
     * copy: somebody lowers the limit.
     */
    void lowerLimits() {
        for (String group : world.groups()) {
            View view = world.newestStore().truth().view(group);
            if (view != null && view.up() && !view.isAtLimit()) {
                happened(Happening.LIMIT_LOWERED);
                world.newestStore().commit(new Command.Limit(group, 1));
            }
        }
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
