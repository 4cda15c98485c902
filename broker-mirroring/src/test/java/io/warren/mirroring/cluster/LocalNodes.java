package io.warren.mirroring.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.message.Properties;
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

/** Nodes of one cluster with everything a process has, on the loopback. */
final class LocalNodes implements AutoCloseable {
    static final String HOST = "127.0.0.1";
    static final String SECRET = "what all nodes of this test know";
    static final Duration WAIT = Duration.ofSeconds(30);

    private final Path folder;
    private final Duration heartbeat;
    private final Map<String, Integer> ports = new TreeMap<>();
    private final Map<String, ClusterNode> nodes = new TreeMap<>();
    private final List<Connection> connections = new ArrayList<>();

    LocalNodes(Path folder, Duration heartbeat) {
        this.folder = folder;
        this.heartbeat = heartbeat;
    }

    LocalNodes start(String... names) {
        for (String name : names) {
            try {
                nodes.put(name, ClusterNode.start(settings(name, port(name), folder.resolve(name))));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
        return this;
    }

    ClusterNode node(String name) {
        return nodes.get(name);
    }

    Path directory(String name) {
        return folder.resolve(name);
    }

    /** Cluster port of a node; the next one is that of its metadata log. */
    int port(String name) {
        return ports.computeIfAbsent(name, fresh -> freePorts());
    }

    /** A node of this cluster as it would be started. */
    ClusterSettings settings(String name, int port, Path directory) {
        List<String> seeds = nodes.keySet().stream()
                .filter(other -> !other.equals(name))
                .map(other -> HOST + ":" + port(other))
                .toList();
        return ClusterSettings.of(name, HOST, port, directory, SECRET)
                .join(seeds)
                .adapt(node -> node.heartbeat(heartbeat)
                        .startWindow(Duration.ofSeconds(20), 2)
                        .broker(builder -> builder.dataDirectory(directory.resolve("queues"))));
    }

    /** Two ports in a row that are free now. */
    static int freePorts() {
        Exception last = null;
        for (int tries = 0; tries < 100; tries++) {
            try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    ServerSocket second =
                            new ServerSocket(first.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress())) {
                return second.getLocalPort() - 1;
            } catch (IOException | IllegalArgumentException taken) {
                last = taken;
            }
        }
        throw new IllegalStateException("no two free ports in a row", last);
    }

    /** A channel with confirms. */
    Channel channel(String node) {
        Connection connection = nodes.get(node).broker().connect();
        connections.add(connection);
        Channel channel = connection.openChannel();
        channel.confirmSelect();
        return channel;
    }

    /** A client goes on: it publishes here and has the confirm. */
    void publish(Channel channel, String queue, String text) {
        channel.publish("", queue, Properties.builder().persistent().build(), text.getBytes(UTF_8));
        channel.waitForConfirms(WAIT);
    }

    void awaitRunning(String at, String... names) {
        await().atMost(WAIT).until(() -> nodes.get(at).status().running().equals(Set.of(names)));
    }

    void kill(String name) {
        nodes.remove(name).kill();
    }

    @Override
    public void close() {
        connections.forEach(Connection::close);
        nodes.values().forEach(ClusterNode::close);
    }
}
