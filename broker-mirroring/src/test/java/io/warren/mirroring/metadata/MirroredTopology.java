package io.warren.mirroring.metadata;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Change;
import io.warren.core.metadata.Command.DeclareQueue;
import io.warren.core.metadata.Command.DeletePolicy;
import io.warren.core.metadata.Command.DeleteQueue;
import io.warren.core.metadata.Command.PutPolicy;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Policy;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueDefinition;
import io.warren.mirroring.metadata.Command.Claim;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Metadata with nodes, queues and policies, and what they told: one line for each thing. Clients are at the first node that runs. */
final class MirroredTopology {
    static final long LOG = 7;

    final List<String> told = new ArrayList<>();
    private final Map<String, Long> sequences = new TreeMap<>();
    private Metadata metadata;

    MirroredTopology() {
        this(true);
    }

    MirroredTopology(boolean mirrorsQueues) {
        metadata = new Metadata(LogId.first(LOG), new Told(), mirrorsQueues);
    }

    private final class Told implements MetadataListener {
        @Override
        public void onNodes(Map<String, NodeState> nodes) {
            told.add("nodes " + NodeState.namesOfRunning(nodes));
        }

        @Override
        public void onTopology(long applied, Member submitter, List<Outcome> outcomes) {
            told.add("topology" + (outcomes.stream().allMatch(outcome -> outcome.refusal() == null) ? "" : " refused"));
        }

        @Override
        public void onView(String group, View view) {
            told.add(group + " " + text(view));
        }

        @Override
        public void onGroupDeleted(String group) {
            told.add(group + " gone");
        }

        @Override
        public void onQueuesLost(long applied, Outcome outcome) {
            outcome.changes().forEach(change -> told.add("lost " + name(change)));
        }

        @Override
        public void onQueuesMoved(long applied, Outcome outcome) {
            outcome.changes().forEach(change -> told.add("moved " + name(change)));
        }

        private String name(Change change) {
            if (change instanceof Change.QueueDeleted deleted) {
                return deleted.queue().name();
            }
            if (change instanceof Change.QueueMoved moved) {
                return moved.queue().name() + " to "
                        + moved.queue().definition().home();
            }
            throw new AssertionError(change);
        }
    }

    /** A view as {@code A.1 B.1 + C.1}, with {@code (down)} before it and {@code kept [...]} behind it where that is so. */
    static String text(View view) {
        return (view.up() ? "" : "(down) ")
                + members(view.inSync())
                + (view.others().isEmpty() ? "" : " + " + members(view.others()))
                + (view.kept().isEmpty() ? "" : " kept " + view.kept());
    }

    private static String members(List<Member> members) {
        return String.join(" ", members.stream().map(Member::toString).toList());
    }

    Metadata metadata() {
        return metadata;
    }

    /** What was told since the last call. */
    List<String> news() {
        List<String> news = List.copyOf(told);
        told.clear();
        return news;
    }

    /** Goes on with another replica, of the same state. */
    void replaceBy(MetadataState state) {
        metadata = Metadata.of(state, new Told());
    }

    /** Goes on in a log that a node founds. */
    void found(String founder) {
        metadata = metadata.found(LOG + 1, founder, new Told());
        sequences.clear();
    }

    // --------------------------------------------------------------------------------------------------- commands

    void up(String... nodes) {
        Map<String, Command.Change> changes = new TreeMap<>();
        for (String node : nodes) {
            NodeState state = metadata.node(node);
            changes.put(node, Command.Change.up(state == null ? 1 : state.incarnation() + 1, node));
        }
        metadata.apply(new Command.Nodes(changes));
    }

    void down(String... nodes) {
        Map<String, Command.Change> changes = new TreeMap<>();
        for (String node : nodes) {
            changes.put(
                    node,
                    Command.Change.down(
                            Objects.requireNonNull(metadata.node(node)).incarnation()));
        }
        metadata.apply(new Command.Nodes(changes));
    }

    /** In one group, from the first node that runs. */
    void submit(io.warren.core.metadata.Command... commands) {
        submitAt(NodeState.namesOfRunning(metadata.nodes()).get(0), commands);
    }

    void submitAt(String node, io.warren.core.metadata.Command... commands) {
        long sequence = sequences.merge(node, 1L, Long::sum);
        Member submitter = Objects.requireNonNull(metadata.runningMember(node), node);
        metadata.apply(new Command.ForTopology(submitter, sequence, List.of(commands)));
    }

    void inSync(String queue, String node) {
        metadata.apply(new Command.MemberInSync(metadata.logId().id(), List.of(claim(queue, node))));
    }

    void lagging(String queue, String node) {
        metadata.apply(new Command.MemberLagging(metadata.logId().id(), List.of(claim(queue, node))));
    }

    void promote(String queue, String node) {
        metadata.apply(new Command.Promote(metadata.logId().id(), List.of(claim(queue, node))));
    }

    void handOver(String queue, String node) {
        metadata.apply(new Command.HandOver(metadata.logId().id(), List.of(claim(queue, node))));
    }

    private Claim claim(String queue, String node) {
        return new Claim(group(queue), view(queue).epoch(), Objects.requireNonNull(metadata.runningMember(node), node));
    }

    static DeclareQueue durable(String name) {
        return new DeclareQueue("/", new QueueDefinition(name, true, false, null, FieldTable.EMPTY));
    }

    static DeclareQueue transientQueue(String name) {
        return new DeclareQueue("/", new QueueDefinition(name, false, false, null, FieldTable.EMPTY));
    }

    static DeclareQueue exclusive(String name) {
        return new DeclareQueue("/", new QueueDefinition(name, true, false, "connection", FieldTable.EMPTY));
    }

    /** A policy for all queues; keys and values in turn. */
    static PutPolicy policy(String name, int priority, Object... definition) {
        Map<String, Object> keys = new TreeMap<>();
        for (int i = 0; i < definition.length; i += 2) {
            keys.put((String) definition[i], definition[i + 1]);
        }
        return new PutPolicy("/", new Policy(name, ".*", Policy.AppliesTo.QUEUES, priority, FieldTable.of(keys)));
    }

    static PutPolicy all() {
        return policy("p", 0, "ha-mode", "all");
    }

    static PutPolicy exactly(int copies) {
        return policy("p", 0, "ha-mode", "exactly", "ha-params", copies);
    }

    static PutPolicy on(String... nodes) {
        return policy("p", 0, "ha-mode", "nodes", "ha-params", List.of(nodes));
    }

    static DeletePolicy noPolicy() {
        return new DeletePolicy("/", "p");
    }

    DeleteQueue delete(String name) {
        return new DeleteQueue("/", name, Objects.requireNonNull(queue(name)).id());
    }

    // -------------------------------------------------------------------------------------------------- questions

    @Nullable Queue queue(String name) {
        return Objects.requireNonNull(metadata.topology().vhost("/")).queue(name);
    }

    @Nullable String home(String name) {
        return Objects.requireNonNull(queue(name)).definition().home();
    }

    String group(String name) {
        return QueueGroups.name(Objects.requireNonNull(queue(name)).id());
    }

    View view(String name) {
        return Objects.requireNonNull(metadata.view(group(name)), name);
    }

    boolean hasGroup(String name) {
        return metadata.view(group(name)) != null;
    }

    /** Its view as text. */
    String members(String name) {
        return text(view(name));
    }
}
