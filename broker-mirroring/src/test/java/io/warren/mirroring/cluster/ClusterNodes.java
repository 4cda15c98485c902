package io.warren.mirroring.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import io.warren.mirroring.metadata.PartitionHandling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Nodes with TCP, Ratis and directories, in this process; each joins those that run. */
final class ClusterNodes implements AutoCloseable {
    static final Duration WAIT = Duration.ofSeconds(60);
    /** Long enough for a machine that builds something else meanwhile. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    private static final String HOST = "127.0.0.1";
    private static final String SECRET = "what all nodes of this test know";
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    /** Other processes of the build begin elsewhere. */
    private static final AtomicInteger PORTS =
            new AtomicInteger(12_000 + (int) (ProcessHandle.current().pid() % 80) * 200);

    private final Path folder;
    private final PartitionHandling handling;
    private final Map<String, Integer> ports = new TreeMap<>();
    private final Map<String, ClusterNode> nodes = new TreeMap<>();
    private final List<Connection> connections = new ArrayList<>();

    ClusterNodes(Path folder, PartitionHandling handling) {
        this.folder = folder;
        this.handling = handling;
    }

    /** Two ports in a row that are free now, below those that outgoing connections get. */
    private static int freePorts() {
        IOException last = null;
        for (int tries = 0; tries < 1000; tries++) {
            int port = PORTS.getAndAdd(2);
            try (ServerSocket first = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                    ServerSocket second = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress())) {
                return Math.min(first.getLocalPort(), second.getLocalPort());
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw new IllegalStateException("no two free ports in a row", last);
    }

    Path directory(String name) {
        return folder.resolve(name);
    }

    ClusterSettings settings(String name) {
        int port = ports.computeIfAbsent(name, fresh -> freePorts());
        Path directory = directory(name);
        return ClusterSettings.of(name, HOST, port, directory, SECRET)
                .join(nodes.keySet().stream()
                        .map(other -> HOST + ":" + ports.get(other))
                        .toList())
                .adapt(node -> node.heartbeat(HEARTBEAT)
                        .partitionHandling(handling)
                        .startWindow(Duration.ofSeconds(30), 2)
                        .broker(builder -> builder.dataDirectory(directory.resolve("queues"))));
    }

    /** The same, and a start gives up soon. */
    ClusterSettings impatient(String name) {
        return settings(name).adapt(node -> node.startWindow(Duration.ofMillis(300), 2));
    }

    ClusterNode start(String name) throws IOException {
        ClusterNode node = ClusterNode.start(settings(name));
        nodes.put(name, node);
        return node;
    }

    /** Starts nodes that need one another. */
    void startTogether(String... names) {
        Map<String, CompletableFuture<ClusterNode>> starting = new TreeMap<>();
        for (String name : names) {
            ClusterSettings settings = settings(name);
            starting.put(
                    name,
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return ClusterNode.start(settings);
                                } catch (IOException failed) {
                                    throw new UncheckedIOException(failed);
                                }
                            },
                            task -> new Thread(task, "start-" + name).start()));
        }
        starting.forEach((name, node) -> nodes.put(name, node.join()));
    }

    void stop(String name) {
        nodes.remove(name).close();
    }

    void kill(String name) {
        nodes.remove(name).kill();
    }

    ClusterNode node(String name) {
        return nodes.get(name);
    }

    Channel channel(String node) {
        Connection connection = nodes.get(node).broker().connect();
        connections.add(connection);
        Channel channel = connection.openChannel();
        channel.confirmSelect();
        return channel;
    }

    /** A durable queue of that node, with one more message in it that is confirmed. */
    void publish(String node, String queue, String text) {
        Channel channel = channel(node);
        channel.queueDeclare(QueueOptions.durable(queue));
        channel.publish("", queue, PERSISTENT, text.getBytes(UTF_8));
        channel.waitForConfirms(WAIT);
    }

    void awaitRunning(String at, String... names) {
        await().atMost(WAIT).until(() -> nodes.get(at).status().running().equals(new TreeSet<>(Set.of(names))));
    }

    /** Waits until a queue is reached through a node and holds so many messages. */
    void awaitCount(String through, String queue, int count) {
        await().atMost(WAIT)
                .ignoreExceptions()
                .until(() -> channel(through).queueDeclarePassive(queue).messageCount() == count);
    }

    @Override
    public void close() {
        connections.forEach(Connection::close);
        nodes.values().forEach(ClusterNode::close);
    }
}
