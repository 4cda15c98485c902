package io.warren.mirroring.memory;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.node.Quorum;
import io.warren.mirroring.ring.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The metadata log of a cluster inside one JVM, with faults on demand.
 *
 * <p>It exists for tests and for clusters that share a JVM: commands are ordered by a lock instead of by consensus, and what a
 * consensus engine does to its callers can be asked for: a partition, answers that never say what happened, a log founded anew. The
 * nodes of the side that has a majority go on; the others submit into the unknown and read what they have.
 *
 * <p>Any thread may call. Listeners and answers run outside the lock, in order for each node, on a thread that has called something
 * here; they may call again. The log of commands is kept for nodes that catch up and grows for the life of the cluster.
 */
public final class MemoryMetadataCluster {
    private static final MetadataListener NOBODY = new MetadataListener() {};

    private final Log first;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Long> reported = new HashMap<>();
    private Set<String> aside = Set.of();
    private BiPredicate<String, String> links = (one, other) -> true;
    private long lastLogId;
    private int answersToLose;
    private int commandsToLose;

    /** One metadata log: where it began, what came since, and who votes in it. */
    private static final class Log {
        private final Metadata beginning;
        private final List<Command> commands = new ArrayList<>();
        private final Set<String> voters = new TreeSet<>();

        Log(Metadata beginning) {
            this.beginning = beginning;
        }
    }

    public MemoryMetadataCluster(long logId) {
        first = new Log(new Metadata(LogId.first(logId), NOBODY));
        lastLogId = logId;
    }

    /** The end of one node; a new one has applied everything that is committed, if it can be reached. */
    public MetadataStore node(String name) {
        Node end;
        synchronized (this) {
            end = nodes.get(name);
            if (end == null) {
                end = new Node(name);
                nodes.put(name, end);
                end.follow(first);
                meet();
            }
        }
        drain();
        return end;
    }

    /** Cuts these nodes off from the others, until {@link #heal} or another cut. */
    public void partition(Set<String> nodesAside) {
        synchronized (this) {
            aside = Set.copyOf(nodesAside);
            meet();
        }
        drain();
    }

    /** From now on these reach one another and no others, besides what {@link #partition} says; also called when that has changed. */
    public void reach(BiPredicate<String, String> reaching) {
        synchronized (this) {
            links = reaching;
            meet();
        }
        drain();
    }

    /** A node's process has ended: what it listened with hears nothing any more. Another process may follow under that name. */
    public synchronized void processEnded(String name) {
        Node node = nodes.get(name);
        if (node != null) {
            node.listeners.clear();
            reported.remove(name);
        }
    }

    /** A node's end of the engine: who leads, who votes. */
    public Quorum quorum(String name) {
        return new Votes(name);
    }

    /** Everyone reaches everyone; who was cut off catches up, and of several logs one wins. */
    public void heal() {
        partition(Set.of());
    }

    /** What a node that does not run has of the metadata is lost: it starts as a new one. */
    public synchronized void reset(String name) {
        nodes.remove(name);
        reported.remove(name);
    }

    /** A node goes on alone: founds a new log from what it knows, of which it is the only voter. */
    public void found(String founder, long newLogId) {
        found(founder, newLogId, Set.of());
    }

    /** As {@link #found(String, long)}, under a number of its own, and these nodes are not in it any more. */
    public void found(String founder, Set<String> without) {
        long newLogId;
        synchronized (this) {
            newLogId = ++lastLogId;
        }
        found(founder, newLogId, without);
    }

    private void found(String founder, long newLogId, Set<String> without) {
        synchronized (this) {
            Node node = nodes.get(founder);
            if (node == null) {
                throw new IllegalArgumentException("founder=" + founder + " is not a node of the cluster");
            }
            lastLogId = Math.max(lastLogId, newLogId);
            Metadata beginning = node.replica.found(newLogId, founder, NOBODY);
            without.forEach(gone -> beginning.apply(new Command.Forget(gone)));
            node.follow(new Log(beginning));
            meet();
        }
        drain();
    }

    /** The next commands are committed, and their answers are {@link Result#UNKNOWN}. */
    public synchronized void loseAnswers(int count) {
        answersToLose = count;
    }

    /** The next commands are lost, and their answers are {@link Result#UNKNOWN}. */
    public synchronized void loseCommands(int count) {
        commandsToLose = count;
    }

    /** The node that leads: the first by name that reaches a majority of the voters of its log, or null if none does. */
    public synchronized @Nullable String controller() {
        return nodes.values().stream()
                .filter(this::isConnected)
                .map(node -> node.name)
                .findFirst()
                .orElse(null);
    }

    private boolean reach(String one, String other) {
        return aside.contains(one) == aside.contains(other) && links.test(one, other);
    }

    private boolean isConnected(Node node) {
        Set<String> voters = node.log.voters;
        long reached = voters.stream()
                .filter(voter -> reach(node.name, voter))
                .filter(voter -> isFollowing(voter, node.log))
                .count();
        return 2 * reached > voters.size();
    }

    private boolean isFollowing(String voter, Log log) {
        Node node = nodes.get(voter);
        return node != null && node.log == log;
    }

    private Result commit(Node from, Command command) {
        if (!isConnected(from)) {
            return Result.UNKNOWN;
        }
        if (commandsToLose > 0) {
            commandsToLose--;
            return Result.UNKNOWN;
        }
        from.log.commands.add(command);
        catchUp();
        if (answersToLose > 0) {
            answersToLose--;
            return Result.UNKNOWN;
        }
        return from.last;
    }

    /** Nodes that reach one another follow the log that wins, and hear what they have missed. */
    private void meet() {
        for (Node node : nodes.values()) {
            for (Node other : nodes.values()) {
                if (reach(node.name, other.name) && other.logId().winsOver(node.logId())) {
                    node.follow(other.log);
                }
            }
        }
        catchUp();
        for (Node node : nodes.values()) {
            for (Node other : nodes.values()) {
                tell(other, node);
            }
        }
    }

    private void catchUp() {
        nodes.values().stream().filter(this::isConnected).forEach(Node::applyAll);
    }

    private void tell(Node of, Node to) {
        Long applied = reported.get(of.name);
        if (applied != null && of.log == to.log && reach(of.name, to.name)) {
            to.serial.post(() -> to.listeners().forEach(one -> one.onReported(of.name, applied)));
        }
    }

    private void drain() {
        List<Node> all;
        synchronized (this) {
            all = List.copyOf(nodes.values());
        }
        all.forEach(node -> node.serial.drain());
    }

    /** Who decides, as one node knows it. */
    private final class Votes implements Quorum {
        private final String name;

        Votes(String name) {
            this.name = name;
        }

        @Override
        public @Nullable String controller() {
            synchronized (MemoryMetadataCluster.this) {
                Node node = nodes.get(name);
                return nodes.values().stream()
                        .filter(other -> node != null && other.log == node.log && isConnected(other))
                        .map(other -> other.name)
                        .findFirst()
                        .filter(leader -> reach(name, leader))
                        .orElse(null);
            }
        }

        @Override
        public CompletableFuture<Void> found() {
            MemoryMetadataCluster.this.found(name, Set.of());
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public Set<String> voters() {
            synchronized (MemoryMetadataCluster.this) {
                Node node = nodes.get(name);
                return node == null ? Set.of() : Set.copyOf(node.log.voters);
            }
        }

        @Override
        public void askForVote() {
            synchronized (MemoryMetadataCluster.this) {
                Node node = nodes.get(name);
                if (node != null && isConnected(node)) {
                    node.log.voters.add(name);
                }
                meet();
            }
            drain();
        }

        @Override
        public void dropVote(String other) {
            synchronized (MemoryMetadataCluster.this) {
                Node node = nodes.get(name);
                if (node != null && isConnected(node) && node.log.voters.size() > 1) {
                    node.log.voters.remove(other);
                }
            }
        }

        /** Whoever reaches a majority leads at once. */
        @Override
        public void onEnded(Member process) {}

        @Override
        public void giveUpVote(Set<String> down) {
            synchronized (MemoryMetadataCluster.this) {
                Node node = nodes.get(name);
                if (node != null && isConnected(node)) {
                    Set<String> left = new TreeSet<>(node.log.voters);
                    left.removeIf(voter -> voter.equals(name) || down.contains(voter) || !reach(name, voter));
                    if (!left.isEmpty()) {
                        node.log.voters.retainAll(left);
                    }
                }
            }
        }
    }

    /** One node's replica. */
    private final class Node implements MetadataStore {
        private final String name;
        private final Serial serial = new Serial();
        private final List<MetadataListener> listeners = new ArrayList<>();
        private Log log = first;
        private Metadata replica = first.beginning;
        private int applied;
        private Result last = Result.REFUSED;

        Node(String name) {
            this.name = name;
        }

        LogId logId() {
            return log.beginning.logId();
        }

        /** Those that have heard where this node stands; only what runs in the serial asks. */
        private List<MetadataListener> listeners() {
            return listeners;
        }

        void follow(Log other) {
            log = other;
            log.voters.add(name);
            replica = log.beginning.copy(new Told());
            applied = 0;
            reported.remove(name);
            Metadata state = replica.copy(NOBODY);
            serial.post(() -> listeners().forEach(one -> one.onFollowing(state)));
        }

        private void applyAll() {
            while (applied < log.commands.size()) {
                last = replica.apply(log.commands.get(applied++));
            }
        }

        @Override
        public void submit(Command command, Consumer<Result> answer) {
            synchronized (MemoryMetadataCluster.this) {
                Result result = commit(this, command);
                serial.post(() -> answer.accept(result));
            }
            drain();
        }

        @Override
        public <R> R read(Function<Metadata, R> reader) {
            synchronized (MemoryMetadataCluster.this) {
                return reader.apply(replica);
            }
        }

        @Override
        public void subscribe(MetadataListener listener) {
            synchronized (MemoryMetadataCluster.this) {
                Metadata state = replica.copy(NOBODY);
                serial.post(() -> {
                    listener.onFollowing(state);
                    listeners.add(listener);
                });
            }
            drain();
        }

        @Override
        public void reportApplied(long number) {
            synchronized (MemoryMetadataCluster.this) {
                reported.put(name, number);
                nodes.values().forEach(other -> tell(this, other));
            }
            drain();
        }

        /** Passes on what the replica tells, in order. */
        private final class Told implements MetadataListener {
            private void tell(Consumer<MetadataListener> what) {
                serial.post(() -> listeners().forEach(what));
            }

            @Override
            public void onView(String group, io.warren.mirroring.ring.View view) {
                tell(one -> one.onView(group, view));
            }

            @Override
            public void onGroupDeleted(String group) {
                tell(one -> one.onGroupDeleted(group));
            }

            @Override
            public void onNodes(Map<String, io.warren.mirroring.metadata.NodeState> known) {
                tell(one -> one.onNodes(known));
            }

            @Override
            public void onQueuesLost(long number, io.warren.core.metadata.Outcome outcome) {
                tell(one -> one.onQueuesLost(number, outcome));
            }

            @Override
            public void onQueuesMoved(long number, io.warren.core.metadata.Outcome outcome) {
                tell(one -> one.onQueuesMoved(number, outcome));
            }

            @Override
            public void onTopology(long number, Member submitter, List<io.warren.core.metadata.Outcome> outcomes) {
                tell(one -> one.onTopology(number, submitter, outcomes));
            }
        }
    }
}
