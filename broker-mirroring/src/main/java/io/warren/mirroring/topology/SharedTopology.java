package io.warren.mirroring.topology;

import io.warren.core.metadata.Change;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.spi.MetadataStore;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.metadata.TopologyOutput;
import io.warren.mirroring.metadata.TopologyRequests;
import io.warren.mirroring.ring.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * One broker's topology when it is the cluster's: the core's port on one side, the node's end of the metadata log on the other.
 *
 * <p>It decides nothing; {@link TopologyRequests} does, and this class gives it one owner at a time: inputs go in under a lock, and
 * what they cause happens when the lock is released, because it runs code of others. The node ticks it.
 *
 * <p>A node that goes over to another metadata log rejoins as new: its broker starts again, with a new one of these.
 */
public final class SharedTopology implements MetadataStore {
    /** RabbitMQ's callers give up after 15 s as well. */
    private static final Duration DEADLINE = Duration.ofSeconds(15);

    private final String node;
    private final io.warren.mirroring.metadata.MetadataStore cluster;
    private final TopologyRequests<CompletableFuture<Outcome>> requests;
    /** Guards the next two: a new listener misses nothing and hears nothing twice. */
    private final Object telling = new Object();

    private final List<Consumer<Outcome>> listeners = new ArrayList<>();
    private volatile Definitions current = Definitions.initial();

    /** What every listener has been told. */
    private volatile Definitions told = Definitions.initial();

    private List<Runnable> caused = new ArrayList<>();
    private long nowNs;
    private long applied;

    private SharedTopology(
            String node, io.warren.mirroring.metadata.MetadataStore cluster, Duration detection, long nowNs) {
        this.nowNs = nowNs;
        this.node = node;
        this.cluster = cluster;
        requests = new TopologyRequests<>(new Caused(), detection.toNanos(), DEADLINE.toNanos());
    }

    /**
     * The topology of a node's metadata log, from now on.
     *
     * @param node name of the node
     * @param detection after which a group of commands that was not seen applied is submitted again
     * @param nowNs the time from which commands count that come before the first tick
     */
    public static SharedTopology of(
            String node, io.warren.mirroring.metadata.MetadataStore cluster, Duration detection, long nowNs) {
        SharedTopology shared = new SharedTopology(node, cluster, detection, nowNs);
        cluster.subscribe(shared.new Follower());
        return shared;
    }

    @Override
    public Definitions current() {
        return current;
    }

    /** The topology as those who subscribed know it: what is in it runs. */
    public Definitions told() {
        return told;
    }

    /** Other queues than before can be reached: a new value, though an equal one, for routes are remembered for a value. */
    public void onRoutes() {
        synchronized (telling) {
            current = current.withNextQueueId(current.nextQueueId());
        }
    }

    /** Completes when every running node has applied the command; exceptionally, naming those that have not, after 15 s. */
    @Override
    public CompletionStage<Outcome> submit(Command command) {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        input(() -> requests.request(command, answer, nowNs));
        return answer;
    }

    /** The listener first hears of the queues that are there. */
    @Override
    public void subscribe(Consumer<Outcome> listener) {
        synchronized (telling) {
            List<Change> there = new ArrayList<>();
            for (VirtualHost vhost : current.vhosts().values()) {
                for (Queue queue : vhost.queues().values()) {
                    there.add(new Change.QueueDeclared(vhost.name(), queue));
                }
            }
            if (!there.isEmpty()) {
                listener.accept(new Outcome(current, null, there));
            }
            listeners.add(listener);
            told = current;
        }
    }

    /** Time has passed; also the time from which the next commands count. */
    public void onTick(long atNs) {
        input(() -> {
            nowNs = atNs;
            requests.onTick(atNs);
            long reached = applied;
            caused.add(() -> cluster.reportApplied(reached));
        });
    }

    @Override
    public void close() {
        synchronized (telling) {
            listeners.clear();
        }
    }

    private void input(Runnable what) {
        List<Runnable> todo;
        synchronized (requests) {
            what.run();
            todo = caused;
            caused = new ArrayList<>();
        }
        todo.forEach(Runnable::run);
    }

    /** What the metadata log brings. */
    private final class Follower implements MetadataListener {
        /** What listeners know may be older by any number of commands: they are told the difference. */
        @Override
        public void onFollowing(Metadata state) {
            synchronized (telling) {
                current = state.topology();
                Outcome difference = Differences.between(told, current);
                if (!difference.changes().isEmpty() && !listeners.isEmpty()) {
                    listeners.forEach(listener -> listener.accept(difference));
                    told = current;
                }
            }
            onSeen(state.applied(), () -> requests.onFollowing(state.submittedBy(node), nowNs));
            onNodes(state.nodes());
        }

        @Override
        public void onNodes(Map<String, NodeState> nodes) {
            onRoutes();
            NodeState own = nodes.get(node);
            input(() -> {
                if (own != null && own.running()) {
                    requests.onRegistered(new Member(node, own.incarnation()), nowNs);
                }
                requests.onRunning(NodeState.namesOfRunning(nodes));
            });
        }

        @Override
        public void onTopology(long number, Member submitter, List<Outcome> outcomes) {
            synchronized (telling) {
                for (Outcome outcome : outcomes) {
                    current = outcome.definitions();
                    listeners.forEach(listener -> listener.accept(outcome));
                }
                told = current;
            }
            onSeen(number, () -> requests.onApplied(number, submitter, outcomes, nowNs));
        }

        private void onSeen(long number, Runnable then) {
            input(() -> {
                applied = number;
                then.run();
                caused.add(() -> cluster.reportApplied(number));
            });
        }

        @Override
        public void onQueuesLost(long number, Outcome outcome) {
            onOutcome(number, outcome);
        }

        @Override
        public void onQueuesMoved(long number, Outcome outcome) {
            onOutcome(number, outcome);
        }

        private void onOutcome(long number, Outcome outcome) {
            synchronized (telling) {
                current = outcome.definitions();
                listeners.forEach(listener -> listener.accept(outcome));
                told = current;
            }
            onSeen(number, () -> {});
        }

        @Override
        public void onReported(String other, long number) {
            input(() -> requests.onReported(other, number));
        }
    }

    /** Done when the lock is released. */
    private final class Caused implements TopologyOutput<CompletableFuture<Outcome>> {
        @Override
        public void submit(io.warren.mirroring.metadata.Command.ForTopology group) {
            caused.add(() -> cluster.submit(group, result -> {}));
        }

        @Override
        public void answer(CompletableFuture<Outcome> caller, Outcome outcome) {
            caused.add(() -> caller.complete(outcome));
        }

        @Override
        public void expire(CompletableFuture<Outcome> caller, String why) {
            caused.add(() -> caller.completeExceptionally(new TimeoutException(why)));
        }
    }
}
