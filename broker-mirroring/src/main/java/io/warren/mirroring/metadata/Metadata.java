package io.warren.mirroring.metadata;

import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Restart;
import io.warren.mirroring.metadata.MetadataState.GroupState;
import io.warren.mirroring.metadata.MetadataState.Submitted;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One replica of the metadata: nodes, groups with their views, and the core's topology.
 *
 * <p>Owned by the store that feeds it committed commands in log order; readers on the same thread see whole commands only.
 * Views are told to one listener as they are made. Its size is the cluster's: a row a node and a group, nothing that grows with
 * time.
 */
public final class Metadata {
    /** Queues that each of two founders declares get ids apart, by the place in which the founder joined: no other gets there. */
    private static final long QUEUE_IDS_OF_A_FOUNDER = 1L << 32;

    private final LogId logId;
    private final MetadataListener listener;
    private final Map<String, NodeState> nodes = new TreeMap<>();
    private final Map<String, GroupState> groups = new TreeMap<>();
    /** Of each node the topology commands that were applied last: what comes at or below them has been there before. */
    private final Map<String, Submitted> submitted = new TreeMap<>();

    private final Succession.Running running = this::runningMember;
    private Definitions topology = Definitions.initial();
    /** Number of commands applied, those of the logs this one descends from included. */
    private long applied;

    public Metadata(LogId logId, MetadataListener listener) {
        this.logId = logId;
        this.listener = listener;
    }

    /** A replica of its own with the same content. */
    public Metadata copy(MetadataListener newListener) {
        return copy(logId, newListener);
    }

    /**
     * The state with which a new log begins that a node founds from this replica. Of every group the founder is the only holder left,
     * in a new view and a new reign: the other nodes rejoin as new, and their copies are set aside. The founder is in it under its next
     * incarnation, for what it began in the old log has nothing to do with this one. Groups of which the founder holds
     * nothing sure are gone; {@link #notHeldBy} names them beforehand.
     */
    public Metadata found(long newId, String founder, MetadataListener newListener) {
        NodeState state = nodes.get(founder);
        if (state == null) {
            throw new IllegalArgumentException("founder=" + founder + " is not a node of the cluster");
        }
        Metadata copy = copy(logId.found(newId, state.joined()), newListener);
        copy.applied++;
        for (String ended : nodes.keySet()) {
            copy.topology = Restart.ofHome(copy.topology, ended).definitions();
        }
        copy.topology =
                copy.topology.withNextQueueId(copy.topology.nextQueueId() + state.joined() * QUEUE_IDS_OF_A_FOUNDER);
        notHeldBy(founder).forEach(copy.groups::remove);
        Member member = new Member(founder, state.incarnation() + 1);
        copy.nodes.replaceAll(
                (name, known) -> name.equals(founder) ? known.again(member.incarnation()) : known.ended());
        copy.groups.replaceAll((name, group) -> new GroupState(
                group.durable(), Succession.founded(group.view(), copy.logId.id(), copy.applied, member)));
        return copy;
    }

    /** The groups of which this node is neither an in-sync nor a kept holder, as far as this replica knows. */
    public List<String> notHeldBy(String node) {
        return groups.entrySet().stream()
                .filter(group -> !Succession.holders(group.getValue().view()).contains(node))
                .map(Map.Entry::getKey)
                .toList();
    }

    private Metadata copy(LogId newLogId, MetadataListener newListener) {
        return of(new MetadataState(newLogId, applied, nodes, groups, submitted, topology), newListener);
    }

    /** Everything this replica holds. */
    public MetadataState state() {
        return new MetadataState(logId, applied, nodes, groups, submitted, topology);
    }

    /** A replica that holds this. */
    public static Metadata of(MetadataState state, MetadataListener listener) {
        Metadata replica = new Metadata(state.logId(), listener);
        replica.topology = state.topology();
        replica.submitted.putAll(state.submitted());
        replica.nodes.putAll(state.nodes());
        replica.groups.putAll(state.groups());
        replica.applied = state.applied();
        return replica;
    }

    // ------------------------------------------------------------------------------------------------ questions

    public LogId logId() {
        return logId;
    }

    public long applied() {
        return applied;
    }

    /** Exchanges, queues, bindings, policies and users, as of the last command. */
    public Definitions topology() {
        return topology;
    }

    /** Number of the last group of topology commands of a node's present process that was applied; 0 if none was. */
    public long submittedBy(String node) {
        Submitted last = submitted.get(node);
        NodeState state = nodes.get(node);
        return last == null || state == null || last.incarnation() != state.incarnation() ? 0 : last.sequence();
    }

    /** Every node that ever joined, by name; a copy. */
    public Map<String, NodeState> nodes() {
        return Collections.unmodifiableMap(new TreeMap<>(nodes));
    }

    public @Nullable NodeState node(String name) {
        return nodes.get(name);
    }

    /** The present view of a group, or null if there is no such group. */
    public @Nullable View view(String group) {
        GroupState found = groups.get(group);
        return found == null ? null : found.view();
    }

    public Iterable<String> groups() {
        return Collections.unmodifiableSet(groups.keySet());
    }

    /** How many groups a node is master of: its load, where a locator or a placement asks for one. */
    public long masters(String node) {
        return groups.values().stream()
                .map(group -> group.view().master())
                .filter(master -> master != null && master.node().equals(node))
                .count();
    }

    /** The running process of a node, or null. */
    public @Nullable Member runningMember(String node) {
        NodeState state = nodes.get(node);
        return state != null && state.running() ? new Member(node, state.incarnation()) : null;
    }

    // --------------------------------------------------------------------------------------------------- commands

    /** Applies the next command of the log; {@link Result#APPLIED} or {@link Result#REFUSED}. */
    public Result apply(Command command) {
        applied++;
        boolean accepted;
        if (command instanceof Command.Nodes change) {
            accepted = onNodes(change);
        } else if (command instanceof Command.Forget forget) {
            accepted = onForget(forget.node());
        } else if (command instanceof Command.CreateGroup create) {
            accepted = onCreate(create);
        } else if (command instanceof Command.DeleteGroup delete) {
            accepted = onDelete(delete.group());
        } else if (command instanceof Command.Limit limit) {
            accepted = onLimit(limit);
        } else if (command instanceof Command.MemberInSync inSync) {
            accepted = inSync.logId() == logId.id() && onClaims(inSync.claims(), Succession::onInSync);
        } else if (command instanceof Command.MemberLagging lagging) {
            accepted = lagging.logId() == logId.id() && onClaims(lagging.claims(), Succession::onLagging);
        } else if (command instanceof Command.Promote promote) {
            accepted = promote.logId() == logId.id() && onClaims(promote.claims(), Succession::onPromote);
        } else if (command instanceof Command.Members members) {
            accepted = onMembers(members);
        } else if (command instanceof Command.ForTopology change) {
            accepted = onTopology(change);
        } else {
            throw new IllegalArgumentException("command=" + command);
        }
        return accepted ? Result.APPLIED : Result.REFUSED;
    }

    private boolean onNodes(Command.Nodes command) {
        boolean accepted = false;
        boolean changed = false;
        List<String> ended = new ArrayList<>();
        for (Map.Entry<String, Command.Change> part : new TreeMap<>(command.changes()).entrySet()) {
            String node = part.getKey();
            NodeState old = nodes.get(node);
            NodeState next = next(old, part.getValue());
            if (next != null) {
                accepted = true;
                changed |= !next.equals(old);
                if (old != null && old.running() && !next.equals(old)) {
                    ended.add(node);
                }
                nodes.put(node, next);
            }
        }
        if (changed) {
            listener.onNodes(nodes());
            loseQueues(ended);
            for (String name : groups.keySet().toArray(String[]::new)) {
                followNodes(name);
            }
        }
        return accepted;
    }

    /** Queues that end with their home's process go. */
    private void loseQueues(List<String> ended) {
        for (String node : ended) {
            lose(Restart.ofHome(topology, node));
        }
    }

    private void lose(Outcome outcome) {
        if (!outcome.changes().isEmpty()) {
            topology = outcome.definitions();
            listener.onQueuesLost(applied, outcome);
        }
    }

    /** Nobody gets the place of one that was forgotten, unless that was the last. */
    private long nextJoined() {
        return nodes.values().stream().mapToLong(NodeState::joined).max().orElse(0) + 1;
    }

    private boolean onForget(String node) {
        NodeState state = nodes.get(node);
        if (state == null) {
            return true;
        }
        boolean isHolder = groups.values().stream()
                .anyMatch(group -> Succession.holders(group.view()).contains(node));
        if (state.running() || isHolder) {
            return false;
        }
        nodes.remove(node);
        submitted.remove(node);
        listener.onNodes(nodes());
        lose(Restart.ofForgotten(topology, node));
        return true;
    }

    /** The state of a node after a change, or null if the change is refused. */
    private @Nullable NodeState next(@Nullable NodeState old, Command.Change change) {
        if (old == null) {
            return change.running() ? new NodeState(change.incarnation(), true, change.address(), nextJoined()) : null;
        }
        if (change.incarnation() < old.incarnation()) {
            return null;
        }
        if (change.incarnation() == old.incarnation()) {
            // A process that was declared down stays down: it has to come back as a new incarnation.
            boolean revives = change.running() && !old.running();
            return revives ? null : new NodeState(old.incarnation(), change.running(), old.address(), old.joined());
        }
        return change.running() ? new NodeState(change.incarnation(), true, change.address(), old.joined()) : null;
    }

    private void followNodes(String name) {
        GroupState group = group(name);
        View next = Succession.onNodes(group.view(), applied, running);
        boolean survived = next.recovered() == group.view().recovered() && next.up();
        if (!group.durable() && !survived) {
            onDelete(name);
            return;
        }
        install(name, group, next);
    }

    private boolean onCreate(Command.CreateGroup command) {
        if (groups.containsKey(command.group())) {
            return true;
        }
        View view = Succession.first(logId.id(), applied, command.minInSync(), command.members(), running);
        if (view == null) {
            return false;
        }
        groups.put(command.group(), new GroupState(command.durable(), view));
        listener.onView(command.group(), view);
        return true;
    }

    private boolean onDelete(String name) {
        if (groups.remove(name) != null) {
            listener.onGroupDeleted(name);
        }
        return true;
    }

    private boolean onLimit(Command.Limit command) {
        GroupState group = groups.get(command.group());
        return group != null
                && install(command.group(), group, Succession.onLimit(group.view(), applied, command.minInSync()));
    }

    /** What follows when a member is claimed to be something, in the present view; null if that is refused. */
    private interface Consequence {
        @Nullable View of(View view, long epoch, Member member);
    }

    private boolean onClaims(List<Command.Claim> claims, Consequence consequence) {
        boolean accepted = false;
        for (Command.Claim claim : claims) {
            GroupState group = groups.get(claim.group());
            if (group != null && group.view().epoch() == claim.epoch()) {
                accepted |= install(claim.group(), group, consequence.of(group.view(), applied, claim.member()));
            }
        }
        return accepted;
    }

    private boolean onMembers(Command.Members command) {
        GroupState group = groups.get(command.group());
        return group != null
                && install(
                        command.group(), group, Succession.onMembers(group.view(), applied, command.wanted(), running));
    }

    private boolean onTopology(Command.ForTopology group) {
        Member submitter = group.submitter();
        if (!submitter.equals(runningMember(submitter.node()))) {
            return false;
        }
        Submitted last = submitted.get(submitter.node());
        long known = last == null || last.incarnation() != submitter.incarnation() ? 0 : last.sequence();
        if (group.sequence() <= known) {
            return true;
        }
        submitted.put(submitter.node(), new Submitted(submitter.incarnation(), group.sequence()));
        List<Outcome> outcomes = new ArrayList<>(group.commands().size());
        for (io.warren.core.metadata.Command command : group.commands()) {
            Outcome outcome = topology.apply(Homes.decided(command, submitter.node(), topology, nodes, applied));
            topology = outcome.definitions();
            outcomes.add(outcome);
        }
        listener.onTopology(applied, submitter, outcomes);
        return true;
    }

    private GroupState group(String name) {
        GroupState group = groups.get(name);
        if (group == null) {
            throw new IllegalArgumentException("group=" + name);
        }
        return group;
    }

    /** Puts a view in place and tells of it, unless it is the old one; false if there is none because of a refusal. */
    private boolean install(String name, GroupState group, @Nullable View next) {
        if (next == null) {
            return false;
        }
        if (!next.equals(group.view())) {
            groups.put(name, new GroupState(group.durable(), next));
            listener.onView(name, next);
        }
        return true;
    }
}
