package io.warren.examples.cluster;

import io.warren.core.Broker;
import io.warren.core.Connection;
import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Policy;
import io.warren.mirroring.cluster.ClusterNode;
import io.warren.mirroring.cluster.ClusterSettings;
import io.warren.mirroring.metadata.MirrorStatus;
import io.warren.mirroring.node.MirroredQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Nodes as they would run in processes of their own, over TCP and with data directories, but all in this one: so that an example can end them.
 *
 * <p>The directories are temporary and go when this is closed. One thread starts and ends nodes; any may connect.
 */
public final class LocalCluster implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int FIRST_PORT = 20_000;
    private static final int PORT_PAIRS = 5_000;
    private static final long POLL_MS = 5;
    private static final int POLLS_MAX = 6_000;

    private final Path folder;
    private final Map<String, Integer> ports = new TreeMap<>();
    private final NavigableMap<String, ClusterNode> nodes = new ConcurrentSkipListMap<>();

    /** Starts these nodes, one after the other. */
    public LocalCluster(String... names) throws IOException {
        folder = Files.createTempDirectory("warren-example");
        try {
            for (String name : names) {
                start(name);
            }
        } catch (IOException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** Starts a node, for the first time or again. It joins those that run. */
    public void start(String name) throws IOException {
        Path directory = folder.resolve(name);
        List<String> seeds =
                nodes.keySet().stream().map(other -> HOST + ":" + port(other)).toList();
        ClusterSettings settings = ClusterSettings.of(
                        name, HOST, port(name), directory, "what all nodes of an example know")
                .join(seeds)
                .adapt(node -> node.broker(broker -> broker.dataDirectory(directory.resolve("queues"))));
        nodes.put(name, ClusterNode.start(settings));
    }

    /** Stops a node in order. */
    public void stop(String name) {
        take(name).close();
    }

    /** Ends a node as kill -9 does. */
    public void kill(String name) {
        take(name).kill();
    }

    private ClusterNode take(String name) {
        ClusterNode node = nodes.remove(name);
        if (node == null) {
            throw new IllegalArgumentException("name=" + name + " does not run; " + nodes.keySet() + " do");
        }
        return node;
    }

    /** A node that runs. */
    public ClusterNode node(String name) {
        ClusterNode node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("name=" + name + " does not run; " + nodes.keySet() + " do");
        }
        return node;
    }

    /** Connects to the last node by name: the first one made the queue. */
    public Connection connect() {
        return nodes.lastEntry().getValue().broker().connect();
    }

    /** Sets the policy of every queue. */
    public void mirror(Map<String, ?> definition) {
        Broker broker = nodes.firstEntry().getValue().broker();
        broker.administration()
                .setPolicy("/", new Policy("all", ".*", Policy.AppliesTo.QUEUES, 0, FieldTable.of(definition)));
    }

    /**
     * Waits until the only mirrored queue is as asked, as a node that runs knows it.
     *
     * @throws IllegalStateException if it is not within half a minute
     */
    public MirrorStatus await(Predicate<MirrorStatus> condition) throws InterruptedException {
        List<MirroredQueue> queues = List.of();
        for (int polls = 0; polls < POLLS_MAX; polls++) {
            queues = nodes.firstEntry().getValue().mirroredQueues();
            if (queues.size() == 1 && condition.test(queues.get(0).copies())) {
                return queues.get(0).copies();
            }
            Thread.sleep(POLL_MS);
        }
        throw new IllegalStateException("not as awaited: " + queues);
    }

    /** Waits until so many slaves are there, and all of them hold everything. */
    public MirrorStatus awaitInSync(int slaves) throws InterruptedException {
        return await(copies -> copies.master() != null && copies.inSync().size() == slaves);
    }

    private int port(String name) {
        return ports.computeIfAbsent(name, fresh -> freePorts());
    }

    /**
     * The first of two ports in a row, for links and for the metadata log. Below those that outgoing connections get, and not the same in each
     * process: several may look for ports at once.
     */
    private int freePorts() {
        for (int tries = 0; tries < PORT_PAIRS; tries++) {
            int port = FIRST_PORT + 2 * ThreadLocalRandom.current().nextInt(PORT_PAIRS);
            if (!ports.containsValue(port) && isFree(port) && isFree(port + 1)) {
                return port;
            }
        }
        throw new IllegalStateException("no two free ports in a row from " + FIRST_PORT + " to "
                + (FIRST_PORT + 2 * PORT_PAIRS) + " in " + PORT_PAIRS + " tries");
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    /** Ends every node, whatever it holds, for its directory goes. */
    @Override
    public void close() {
        List.copyOf(nodes.keySet()).forEach(this::kill);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot remove " + folder, failed);
        }
    }
}
