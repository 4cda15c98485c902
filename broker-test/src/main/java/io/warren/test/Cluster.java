package io.warren.test;

import io.warren.core.Broker;
import io.warren.core.BrokerBuilder;
import io.warren.core.Connection;
import io.warren.core.spi.ManualClock;
import io.warren.mirroring.attachment.AttachmentCodec;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.memory.MemoryMetadataCluster;
import io.warren.mirroring.memory.MemoryNetwork;
import io.warren.mirroring.mirror.Copies;
import io.warren.mirroring.node.ClusterStatus;
import io.warren.mirroring.node.Node;
import io.warren.mirroring.node.NodeSettings;
import io.warren.mirroring.node.Quorum;
import io.warren.mirroring.ring.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose nodes all live in this JVM: there in milliseconds once its classes are loaded, and its nodes can be killed, frozen, cut off
 * and started again.
 *
 * <p>Metadata and links are in memory; brokers are real ones, with what they are given. Time stands still until {@link #advance}: a node
 * that falls silent is declared down when four heartbeats of 500 ms have passed on {@link #clock}; a killed one at once. A fault
 * is noticed by the others when the method that made it returns; what follows happens on the nodes' threads, soon. Used by one thread.
 */
public final class Cluster implements AutoCloseable {

    /** Real time: a node that is not taken into the cluster within this is not started. */
    private static final Duration START_WAIT = Duration.ofMillis(500);

    private final ManualClock clock = new ManualClock();
    private final MemoryMetadataCluster metadata = new MemoryMetadataCluster(1);
    private final MemoryNetwork network;
    private final UnaryOperator<NodeSettings> settings;
    private final @Nullable Path directory;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final List<String> names = new ArrayList<>();
    private final Set<String> frozen = new HashSet<>();
    private final List<Connection> connections = new ArrayList<>();

    private Cluster(
            int count,
            UnaryOperator<NodeSettings> settings,
            UnaryOperator<AttachmentFrame> wire,
            @Nullable Path directory) {
        if (count < 1 || count > 26) {
            throw new IllegalArgumentException("count=" + count + " is not from 1 to 26");
        }
        this.settings = settings;
        this.directory = directory;
        this.network = new MemoryNetwork(clock, wire);
        for (int i = 0; i < count; i++) {
            String name = String.valueOf((char) ('a' + i));
            names.add(name);
            start(name);
        }
    }

    /** Nodes a, b, c, ... with everything in memory. */
    public static Cluster inMemory(int count) {
        return inMemory(count, node -> node);
    }

    /**
     * As {@link #inMemory(int)}, with settings of each node, asked for each time it starts: a data directory for its broker, so
     * that it keeps its queues.
     */
    public static Cluster inMemory(int count, UnaryOperator<NodeSettings> settings) {
        return new Cluster(count, settings, UnaryOperator.identity(), null);
    }

    /** As {@link #inMemory(int, UnaryOperator)}, and what nodes say to each other is written as bytes and read again, as on a wire. */
    public static Cluster inMemoryAsBytes(int count, UnaryOperator<NodeSettings> settings) {
        return new Cluster(count, settings, frame -> AttachmentCodec.decode(AttachmentCodec.encode(frame)), null);
    }

    /**
     * As {@link #inMemory(int, UnaryOperator)}, and each node keeps its queues, mirrored ones too, in a directory of its own, as a process does:
     * what is confirmed and persistent outlives every node.
     *
     * @param directory where a directory of each node's name is made
     */
    public static Cluster onDisk(int count, Path directory, UnaryOperator<NodeSettings> settings) {
        return new Cluster(count, settings, UnaryOperator.identity(), directory);
    }

    // ---- using it

    /** Names of all nodes, those that do not run included. */
    public List<String> names() {
        return Collections.unmodifiableList(names);
    }

    /** Names of the nodes that run, sorted. */
    public List<String> running() {
        return List.copyOf(nodes.keySet());
    }

    /** A running node. */
    public Node node(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("name=" + name + " is no running node; those are " + nodes.keySet());
        }
        return node;
    }

    /** The broker of a running node. */
    public Broker broker(String name) {
        return node(name).broker();
    }

    /** Connects to a running node as guest, to virtual host {@code /}; what is open still is closed with the cluster. */
    public Connection connect(String name) {
        Connection connection = broker(name).connect();
        connections.add(connection);
        return connection;
    }

    /** What a running node knows of the cluster. */
    public ClusterStatus status(String name) {
        return node(name).status();
    }

    /** The time of all nodes. */
    public ManualClock clock() {
        return clock;
    }

    /** Lets time pass, at every node. */
    public void advance(Duration duration) {
        clock.advance(duration);
        network.settle();
    }

    // ---- faults

    /** Ends a node's process without a word. */
    public void kill(String name) {
        Node node = node(name);
        nodes.remove(name);
        frozen.remove(name);
        network.end(name);
        metadata.processEnded(name);
        links();
        node.abandon();
    }

    /** Stops a node in order. */
    public void stop(String name) {
        Node node = node(name);
        nodes.remove(name);
        node.close();
        metadata.processEnded(name);
        links();
    }

    /**
     * Takes a node out of the cluster for good, in order.
     *
     * @param losingQueues whether durable queues that live there may be lost
     */
    public void leave(String name, boolean losingQueues) {
        Node node = node(name);
        node.leave(losingQueues);
        nodes.remove(name);
        metadata.processEnded(name);
        links();
    }

    /**
     * Starts a node that does not run.
     *
     * @throws IllegalStateException if it is not taken into the cluster, because no majority is there
     */
    public void start(String name) {
        nodes.put(name, started(name));
        links();
    }

    /** Starts nodes that need one another, at the same time. */
    public void startTogether(String... together) {
        Map<String, CompletableFuture<Node>> starting = new TreeMap<>();
        for (String name : together) {
            starting.put(name, CompletableFuture.supplyAsync(() -> started(name), task -> {
                Thread thread = new Thread(task, "warren-start-" + name);
                thread.setDaemon(true);
                thread.start();
            }));
        }
        starting.forEach((name, node) -> nodes.put(name, node.join()));
        links();
    }

    private Node started(String name) {
        requireStopped(name);
        try {
            return Node.start(
                    settings.apply(NodeSettings.named(name, name).startWindow(START_WAIT, 1))
                            .broker(builder -> broker(name, builder)),
                    metadata.node(name),
                    new LinkedQuorum(name),
                    network.peers(name),
                    clock,
                    clock,
                    copies(name));
        } catch (IllegalStateException refused) {
            metadata.processEnded(name);
            throw refused;
        }
    }

    private BrokerBuilder broker(String name, BrokerBuilder builder) {
        Path root = directory;
        return root == null
                ? builder.clock(clock)
                : builder.clock(clock).dataDirectory(root.resolve(name).resolve("queues"));
    }

    private Copies copies(String name) {
        Path root = directory;
        return root == null ? Copies.inMemory() : Copies.at(root.resolve(name).resolve("copies"), name);
    }

    /** Kills a node, if it runs, and starts it again. */
    public void restart(String name) {
        if (nodes.containsKey(name)) {
            kill(name);
        }
        start(name);
    }

    /**
     * For a node that does not run, when others are lost for good: it is to go on without them. Those that are neither lost nor this one
     * count as down until they start.
     */
    public void forgetOffline(String name, String... lost) {
        requireStopped(name);
        metadata.found(name, Set.of(lost));
    }

    /** A node that does not run has lost what it knew of the cluster: it starts as a new one. Its broker's directory is the caller's. */
    public void reset(String name) {
        requireStopped(name);
        metadata.reset(name);
    }

    private void requireStopped(String name) {
        if (nodes.containsKey(name) || !names.contains(name)) {
            throw new IllegalArgumentException("name=" + name + " is not one of the nodes that do not run");
        }
    }

    /** A node stands still: hears nothing, says nothing. Its own clients do not notice at first. */
    public void freeze(String name) {
        node(name);
        frozen.add(name);
        network.freeze(name);
        links();
    }

    /** It goes on where it stood. */
    public void thaw(String name) {
        frozen.remove(name);
        network.thaw(name);
        links();
    }

    /** Cuts the link between two nodes. */
    public void cut(String one, String other) {
        network.cut(one, other);
        links();
    }

    /** Cuts a node off from all others. */
    public void isolate(String name) {
        names.stream().filter(other -> !other.equals(name)).forEach(other -> network.cut(name, other));
        links();
    }

    /** Every link is there again, and every frozen node goes on. */
    public void heal() {
        List.copyOf(frozen).forEach(this::thaw);
        for (String one : names) {
            names.stream().filter(other -> one.compareTo(other) < 0).forEach(other -> network.join(one, other));
        }
        links();
    }

    private void links() {
        metadata.reach(network::isReachable);
        network.settle();
    }

    /** Closes its connections and stops every node, the last with what is left. */
    @Override
    public void close() {
        heal();
        connections.forEach(Connection::close);
        List.copyOf(nodes.keySet()).forEach(this::stop);
    }

    /** The engine's end, told when a starting node has its links. */
    private final class LinkedQuorum implements Quorum {
        private final Quorum quorum;

        LinkedQuorum(String name) {
            quorum = metadata.quorum(name);
        }

        @Override
        public @Nullable String controller() {
            return quorum.controller();
        }

        @Override
        public Set<String> voters() {
            return quorum.voters();
        }

        @Override
        public void askForVote() {
            metadata.reach(network::isReachable);
            quorum.askForVote();
        }

        @Override
        public void onEnded(Member process) {
            quorum.onEnded(process);
        }

        @Override
        public void dropVote(String node) {
            quorum.dropVote(node);
        }

        @Override
        public CompletableFuture<Void> found() {
            return quorum.found();
        }

        @Override
        public void giveUpVote(Set<String> down) {
            quorum.giveUpVote(down);
        }
    }
}
