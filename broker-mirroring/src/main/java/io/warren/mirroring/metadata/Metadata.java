package io.warren.mirroring.metadata;

import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.Relocation;
import io.warren.core.metadata.Restart;
import io.warren.mirroring.metadata.MetadataState.GroupState;
import io.warren.mirroring.metadata.MetadataState.Submitted;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
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
    private final GroupTable groups = new GroupTable();
    /** Of each node the topology commands that were applied last: what comes at or below them has been there before. */
    private final Map<String, Submitted> submitted = new TreeMap<>();

    private final Succession.Running running = this::runningMember;
    private final boolean mirrorsQueues;
    private final QueueGroups queueGroups;
    private Definitions topology = Definitions.initial();
    /** Number of commands applied, those of the logs this one descends from included. */
    private long applied;

    public Metadata(LogId logId, MetadataListener listener) {
        this(logId, listener, true);
    }

    /**
     * A replica of an empty log.
     *
     * @param mirrorsQueues whether queues are mirrored as their policies ask: whoever makes a cluster decides it for as long as it lives. Copies
     *     are in memory only, so it is not for nodes that keep durable queues on disk, unless that is known
     */
    public Metadata(LogId logId, MetadataListener listener, boolean mirrorsQueues) {
        this.logId = logId;
        this.listener = listener;
        this.mirrorsQueues = mirrorsQueues;
        queueGroups = new QueueGroups(logId, groups, running, this::namesOfRunning, mirrorsQueues);
    }

    /** A replica of its own with the same content. */
    public Metadata copy(MetadataListener newListener) {
        return of(state(), newListener);
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
        long number = applied + 1;
        LogId newLogId = logId.found(newId, state.joined());
        Member member = new Member(founder, state.incarnation() + 1);
        Map<String, NodeState> known = new TreeMap<>(nodes);
        known.replaceAll((name, node) -> name.equals(founder) ? node.again(member.incarnation()) : node.ended());
        Map<String, GroupState> kept = new TreeMap<>(groups.all());
        kept.keySet().removeAll(notHeldBy(founder));
        // The processes of the old log have ended, and with them what was not durable.
        kept.values().removeIf(group -> !group.durable());
        kept.replaceAll(
                (name, group) -> new GroupState(true, Succession.founded(group.view(), newLogId.id(), number, member)));
        Definitions left =
                Restart.without(topology, queue -> !Restart.isKept(queue)).definitions();
        left = left.withNextQueueId(left.nextQueueId() + state.joined() * QUEUE_IDS_OF_A_FOUNDER);
        Metadata founded =
                of(new MetadataState(newLogId, number, mirrorsQueues, known, kept, submitted, left), newListener);
        founded.topology = Relocation.of(left, founded.queueGroups.moves(left, founded.groups.names()))
                .definitions();
        return founded;
    }

    /** The groups of which this node is neither an in-sync nor a kept holder, as far as this replica knows. */
    public List<String> notHeldBy(String node) {
        return groups.all().entrySet().stream()
                .filter(group -> !Succession.holders(group.getValue().view()).contains(node))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Everything this replica holds. */
    public MetadataState state() {
        return new MetadataState(logId, applied, mirrorsQueues, nodes, groups.all(), submitted, topology);
    }

    /** A replica that holds this. */
    public static Metadata of(MetadataState state, MetadataListener listener) {
        Metadata replica = new Metadata(state.logId(), listener, state.mirrorsQueues());
        replica.topology = state.topology();
        replica.submitted.putAll(state.submitted());
        replica.nodes.putAll(state.nodes());
        replica.groups.begin(state.groups());
        replica.queueGroups.begin(state.topology());
        replica.applied = state.applied();
        return replica;
    }

    // ------------------------------------------------------------------------------------------------ questions

    public LogId logId() {
        return logId;
    }

    /** Whether queues are mirrored as their policies ask; where not, such a policy has no effect. */
    public boolean mirrorsQueues() {
        return mirrorsQueues;
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
        return groups.all().keySet();
    }

    /**
     * The nodes that the policy of a queue wants in the ring of its group now, the master first if it stays: what {@code Members} may be
     * submitted for. Null if the group is down, or is not that of a queue.
     */
    public @Nullable List<String> wanted(String group) {
        return queueGroups.wanted(topology, group);
    }

    /**
     * What the controller may submit by {@code Promote}: of groups that are down the oldest member that runs, where the policy of the queue says
     * {@code always}. It has to wait before it does; this says nothing of time.
     *
     * @param wasStopped whether a node that is down was stopped, and did not fail
     */
    public List<Command.Claim> unsynchronisedPromotions(Predicate<String> wasStopped) {
        return queueGroups.unsynchronisedPromotions(topology, wasStopped);
    }

    /** A group as its queue is known to people, {@code vhost/name}; its own name if it is no queue's. */
    public String queueOf(String group) {
        return queueGroups.queueOf(group);
    }

    /** The copies of a queue; null if it is not mirrored, or waits for its home before it can be. */
    public @Nullable MirrorStatus mirrors(long queueId) {
        View view = view(QueueGroups.name(queueId));
        return view == null ? null : MirrorStatus.of(view);
    }

    /** How many groups a node is master of: its load, where a locator or a placement asks for one. */
    public long masters(String node) {
        return groups.all().values().stream()
                .map(group -> group.view().master())
                .filter(master -> master != null && master.node().equals(node))
                .count();
    }

    private List<String> namesOfRunning() {
        return NodeState.namesOfRunning(nodes);
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
            accepted = inSync.logId() == logId.id() && onHolders(inSync.claims(), Succession::onInSync);
        } else if (command instanceof Command.MemberLagging lagging) {
            accepted = lagging.logId() == logId.id() && onClaims(lagging.claims(), Succession::onLagging);
        } else if (command instanceof Command.Promote promote) {
            accepted = promote.logId() == logId.id() && onHolders(promote.claims(), Succession::onPromote);
        } else if (command instanceof Command.HandOver handOver) {
            accepted = handOver.logId() == logId.id() && onClaims(handOver.claims(), Succession::onHandOver);
        } else if (command instanceof Command.Members members) {
            accepted = onMembers(members);
        } else if (command instanceof Command.ForTopology change) {
            accepted = onTopology(change);
        } else {
            throw new IllegalArgumentException("command=" + command);
        }
        tellOfGroups();
        return accepted ? Result.APPLIED : Result.REFUSED;
    }

    /** What follows from a command for its groups, and for the queues these belong to. */
    private void tellOfGroups() {
        Outcome moved = Relocation.of(topology, queueGroups.moves(topology, groups.changed()));
        topology = moved.definitions();
        groups.tell(listener);
        if (!moved.changes().isEmpty()) {
            listener.onQueuesMoved(applied, moved);
        }
    }

    private boolean onNodes(Command.Nodes command) {
        boolean accepted = false;
        boolean changed = false;
        Set<String> ended = new HashSet<>();
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
            Set<String> mirrored = Set.copyOf(groups.names());
            groups.names().forEach(this::followNodes);
            Outcome lost = Restart.without(topology, queue -> isLost(queue, ended, mirrored));
            topology = lost.definitions();
            queueGroups.onNodes(topology, applied);
            listener.onNodes(nodes());
            tellLost(lost);
        }
        return accepted;
    }

    /** A queue ends with its home's process, or, if it was mirrored, with its group. */
    private boolean isLost(Queue queue, Set<String> ended, Set<String> mirrored) {
        String group = QueueGroups.name(queue.id());
        boolean hasEnded = mirrored.contains(group)
                ? !groups.has(group)
                : ended.contains(queue.definition().home());
        return hasEnded && !Restart.isKept(queue);
    }

    private void tellLost(Outcome lost) {
        if (!lost.changes().isEmpty()) {
            listener.onQueuesLost(applied, lost);
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
        boolean isHolder = groups.all().values().stream()
                .anyMatch(group -> Succession.holders(group.view()).contains(node));
        if (state.running() || isHolder) {
            return false;
        }
        nodes.remove(node);
        submitted.remove(node);
        Outcome lost = Restart.ofForgotten(topology, node);
        topology = lost.definitions();
        listener.onNodes(nodes());
        tellLost(lost);
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
            // Others find it dead as well, later.
            boolean wasStopped = !change.running() && (change.stopped() || old.stopped());
            return revives
                    ? null
                    : new NodeState(old.incarnation(), change.running(), old.address(), old.joined(), wasStopped);
        }
        return change.running() ? new NodeState(change.incarnation(), true, change.address(), old.joined()) : null;
    }

    private void followNodes(String name) {
        GroupState group = Objects.requireNonNull(groups.get(name));
        View next = Succession.onNodes(group.view(), applied, running);
        boolean survived = next.recovered() == group.view().recovered() && next.up();
        if (!group.durable() && !survived) {
            groups.delete(name);
            return;
        }
        groups.put(name, group, next);
    }

    private boolean onCreate(Command.CreateGroup command) {
        if (QueueGroups.isOfQueue(command.group())) {
            return false;
        }
        if (groups.has(command.group())) {
            return true;
        }
        View view = Succession.first(logId.id(), applied, command.minInSync(), command.members(), running);
        if (view == null) {
            return false;
        }
        groups.put(command.group(), command.durable(), view);
        return true;
    }

    private boolean onDelete(String name) {
        if (QueueGroups.isOfQueue(name)) {
            return false;
        }
        groups.delete(name);
        return true;
    }

    private boolean onLimit(Command.Limit command) {
        GroupState group = groups.get(command.group());
        return group != null
                && groups.put(command.group(), group, Succession.onLimit(group.view(), applied, command.minInSync()));
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
                accepted |= groups.put(claim.group(), group, consequence.of(group.view(), applied, claim.member()));
            }
        }
        return accepted;
    }

    /** The same where members become holders: a policy may have waited for one. */
    private boolean onHolders(List<Command.Claim> claims, Consequence consequence) {
        boolean accepted = onClaims(claims, consequence);
        List.copyOf(groups.changed()).forEach(group -> queueGroups.onClaim(topology, group, applied));
        return accepted;
    }

    private boolean onMembers(Command.Members command) {
        GroupState group = groups.get(command.group());
        return group != null
                && groups.put(
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
        queueGroups.onTopology(topology, outcomes, applied);
        listener.onTopology(applied, submitter, outcomes);
        return true;
    }
}
