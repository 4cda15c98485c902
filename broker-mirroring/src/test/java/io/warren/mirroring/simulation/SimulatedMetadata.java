package io.warren.mirroring.simulation;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A metadata log as a consensus engine keeps it: one order of commands, a leader that a majority can reach, and no word to the
 * submitter when the leader changes.
 *
 * <p>What is committed stays. A command under way when the leader goes may be lost or be committed later; under the fault
 * {@link FaultKind#UNKNOWN} so may any, also twice.
 */
final class SimulatedMetadata {
    private static final long COMMIT_NS_MAX = 6_000_000;
    private static final long ELECTION_NS_MAX = 400_000_000;

    private final Simulation world;
    private final Metadata first;
    private final Metadata truth;
    private final List<Command> committed = new ArrayList<>();
    private final TreeSet<Integer> voters = new TreeSet<>();
    private int leader = -1;
    private long leaderSinceNs;
    private boolean electing;

    static final MetadataListener NOBODY = new MetadataListener() {};

    SimulatedMetadata(Simulation world, Metadata first) {
        this.world = world;
        this.first = first;
        truth = first.copy(NOBODY);
    }

    LogId logId() {
        return first.logId();
    }

    /** What is committed, all of it. */
    Metadata truth() {
        return truth;
    }

    Set<Integer> voters() {
        return voters;
    }

    int leader() {
        return leader;
    }

    long leaderSinceNs() {
        return leaderSinceNs;
    }

    void elect(int node) {
        leader = node;
        leaderSinceNs = world.nowNs();
        electing = false;
    }

    Metadata replica(MetadataListener listener) {
        return first.copy(listener);
    }

    int committedCount() {
        return committed.size();
    }

    Command committed(int index) {
        return committed.get(index);
    }

    /** A node hands in a command. It hears nothing: it looks for the effect, and submits again. */
    void submit(int from, Command command) {
        world.trace(() -> "node " + from + " submits " + command);
        if (leader < 0 || !world.network().isOpen(from, leader)) {
            return;
        }
        int askedLeader = leader;
        long delay = world.between(200_000, COMMIT_NS_MAX);
        if (world.isUnknown()) {
            int fate = (int) world.between(0, 4);
            if (fate == 0) {
                return;
            }
            delay += fate == 1 ? 0 : world.between(0, 2_500_000_000L);
            if (fate == 3) {
                world.in(delay + world.between(0, 1_000_000_000L), () -> commit(command));
            }
            world.in(delay, () -> commit(command));
            return;
        }
        world.in(delay, () -> {
            if (leader == askedLeader || world.chance(2)) {
                commit(command);
            }
        });
    }

    /** Puts a command into the order. Without a leader nothing is committed; it waits for the next one. */
    void commit(Command command) {
        if (leader < 0) {
            world.in(ELECTION_NS_MAX, () -> {
                if (leader >= 0) {
                    commit(command);
                }
            });
            return;
        }
        Map<String, View> before = new HashMap<>();
        world.groups().forEach(group -> before.put(group, truth.view(group)));
        committed.add(command);
        truth.apply(command);
        world.trace(() -> "committed " + truth.applied() + " " + command);
        for (String group : world.groups()) {
            View after = truth.view(group);
            if (after != null && !after.equals(before.get(group))) {
                world.trace(() -> "committed " + group + " " + after);
                world.onCommitted(this, group, before.get(group), after, command);
            }
        }
        for (SimulatedNode node : world.nodes()) {
            world.in(world.between(100_000, COMMIT_NS_MAX), node::catchUp);
        }
    }

    /** Whether a node can lead: a majority of voters answers it. */
    private boolean canLead(int node) {
        if (!world.isResponding(node) || world.node(node).store() != this) {
            return false;
        }
        long reached = voters.stream()
                .filter(other ->
                        world.node(other).store() == this && world.network().isOpen(node, other))
                .filter(world::isResponding)
                .count();
        return 2 * reached > voters.size();
    }

    /** Whether a node and the controller, or a majority of voters, have heard one another lately. */
    boolean isInContact(int node, long withinNs) {
        boolean controller = leader >= 0 && leader != node && isRecent(node, leader, withinNs);
        long heard =
                voters.stream().filter(other -> isRecent(node, other, withinNs)).count();
        return controller || 2 * heard > voters.size();
    }

    private boolean isRecent(int node, int other, long withinNs) {
        return world.nowNs() - world.network().contactNs(node, other) <= withinNs;
    }

    void onTick() {
        if (leader >= 0 && !canLead(leader)) {
            world.trace(() -> "controller " + leader + " is gone");
            leader = -1;
        }
        if (leader < 0 && !electing) {
            electing = true;
            world.in(world.between(20_000_000, ELECTION_NS_MAX), this::elect);
        }
    }

    private void elect() {
        electing = false;
        if (leader >= 0) {
            return;
        }
        List<Integer> able = voters.stream().filter(this::canLead).toList();
        if (!able.isEmpty()) {
            elect(able.get((int) world.between(0, able.size())));
            world.trace(() -> "controller is " + leader);
        }
    }

    /** The leader is gone, and for a time nobody is elected. */
    boolean depose(long forNs) {
        if (leader < 0) {
            return false;
        }
        leader = -1;
        electing = true;
        world.in(forNs, this::elect);
        return true;
    }
}
