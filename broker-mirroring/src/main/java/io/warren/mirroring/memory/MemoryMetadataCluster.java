package io.warren.mirroring.memory;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.metadata.Topology;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The metadata log of a cluster inside one JVM, with faults on demand.
 *
 * <p>It exists for tests and for clusters that share a JVM: commands are ordered by a lock instead of by consensus, and what a
 * consensus engine does to its callers can be asked for: a partition, and answers that never say what happened. The nodes of the side
 * that has a majority go on; the others submit into the unknown and read what they have.
 *
 * <p>Any thread may call; everything runs under one lock, listeners and answers included, so these must only post. The log of
 * commands is kept for nodes that catch up and grows for the life of the cluster.
 *
 * @param <C> type of the topology's commands
 */
public final class MemoryMetadataCluster<C> {
    private final Metadata<C> first;
    private final List<Command<C>> log = new ArrayList<>();
    private final Map<String, Node> nodes = new TreeMap<>();
    private Set<String> aside = Set.of();
    private int answersToLose;
    private int commandsToLose;

    public MemoryMetadataCluster(long logId, Topology<C> topology) {
        first = new Metadata<>(LogId.first(logId), topology, new Listeners());
    }

    /** The end of one node; a new one has applied everything that is committed, if it can be reached. */
    public synchronized MetadataStore<C> node(String name) {
        Node known = nodes.get(name);
        if (known == null) {
            known = new Node(name);
            nodes.put(name, known);
            catchUp();
        }
        return known;
    }

    /** Cuts these nodes off from the others, until {@link #heal} or another cut. */
    public synchronized void partition(Set<String> nodesAside) {
        aside = Set.copyOf(nodesAside);
        catchUp();
    }

    /** Everyone reaches everyone; who was cut off catches up. */
    public synchronized void heal() {
        partition(Set.of());
    }

    /** The next commands are committed, and their answers are {@link Result#UNKNOWN}. */
    public synchronized void loseAnswers(int count) {
        answersToLose = count;
    }

    /** The next commands are lost, and their answers are {@link Result#UNKNOWN}. */
    public synchronized void loseCommands(int count) {
        commandsToLose = count;
    }

    /** The node that leads: the first by name of the side that has a majority, or null if neither has. */
    public synchronized @Nullable String controller() {
        return nodes.keySet().stream().filter(this::isConnected).findFirst().orElse(null);
    }

    private boolean isConnected(String name) {
        boolean side = aside.contains(name);
        long same = nodes.keySet().stream()
                .filter(other -> aside.contains(other) == side)
                .count();
        return 2 * same > nodes.size();
    }

    private Result commit(Node from, Command<C> command) {
        if (!isConnected(from.name)) {
            return Result.UNKNOWN;
        }
        if (commandsToLose > 0) {
            commandsToLose--;
            return Result.UNKNOWN;
        }
        log.add(command);
        catchUp();
        if (answersToLose > 0) {
            answersToLose--;
            return Result.UNKNOWN;
        }
        return from.last;
    }

    private void catchUp() {
        for (Map.Entry<String, Node> node : nodes.entrySet()) {
            if (isConnected(node.getKey())) {
                node.getValue().applyAll();
            }
        }
    }

    /** One node's replica. */
    private final class Node implements MetadataStore<C> {
        private final String name;
        private final Listeners listeners = new Listeners();
        private final Metadata<C> replica = first.copy(listeners);
        private int applied;
        private Result last = Result.REFUSED;

        Node(String name) {
            this.name = name;
        }

        private void applyAll() {
            while (applied < log.size()) {
                last = replica.apply(log.get(applied++));
            }
        }

        @Override
        public void submit(Command<C> command, Consumer<Result> answer) {
            synchronized (MemoryMetadataCluster.this) {
                answer.accept(commit(this, command));
            }
        }

        @Override
        public <R> R read(Function<Metadata<C>, R> reader) {
            synchronized (MemoryMetadataCluster.this) {
                return reader.apply(replica);
            }
        }

        @Override
        public void subscribe(MetadataListener listener) {
            listeners.add(listener);
        }
    }

    /** Tells several. */
    private static final class Listeners implements MetadataListener {
        private final List<MetadataListener> all = new CopyOnWriteArrayList<>();

        void add(MetadataListener listener) {
            all.add(listener);
        }

        @Override
        public void onView(String group, View view) {
            all.forEach(one -> one.onView(group, view));
        }

        @Override
        public void onGroupDeleted(String group) {
            all.forEach(one -> one.onGroupDeleted(group));
        }

        @Override
        public void onNodes() {
            all.forEach(MetadataListener::onNodes);
        }
    }
}
