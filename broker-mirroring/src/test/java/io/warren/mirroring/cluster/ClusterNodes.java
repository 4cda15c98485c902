package io.warren.mirroring.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import io.warren.mirroring.FreePorts;
import io.warren.mirroring.metadata.PartitionHandling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Nodes of one cluster with everything a process has, TCP, Ratis and directories, in this process; each joins those that run. */
final class ClusterNodes implements AutoCloseable {
    static final String HOST = "127.0.0.1";
    static final String SECRET = "what all nodes of this test know";
    static final Duration WAIT = Duration.ofSeconds(60);
    /** Long enough for a machine that builds something else meanwhile. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    private static final Duration A_CHANNEL_EACH = Duration.ofMillis(50);

    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    private final Path folder;
    private final Map<String, Integer> ports = new TreeMap<>();
    private final Map<String, ClusterNode> nodes = new TreeMap<>();
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private PartitionHandling handling = PartitionHandling.QUORUM;
    private Duration heartbeat = HEARTBEAT;

    ClusterNodes(Path folder) {
        this.folder = folder;
    }

    ClusterNodes handling(PartitionHandling mode) {
        handling = mode;
        return this;
    }

    ClusterNodes heartbeat(Duration period) {
        heartbeat = period;
        return this;
    }

    Path directory(String name) {
        return folder.resolve(name);
    }

    /** Cluster port of a node; the next one is that of its metadata log. */
    int port(String name) {
        return ports.computeIfAbsent(name, fresh -> FreePorts.inARow(2));
    }

    String address(String name) {
        return HOST + ":" + port(name);
    }

    /** A node of this cluster as it is started. */
    ClusterSettings settings(String name) {
        return settings(name, port(name), directory(name));
    }

    /** A node of that name somewhere else. */
    ClusterSettings settings(String name, int port, Path directory) {
        return ClusterSettings.of(name, HOST, port, directory, SECRET)
                .join(nodes.keySet().stream()
                        .filter(other -> !other.equals(name))
                        .map(this::address)
                        .toList())
                .adapt(node -> node.heartbeat(heartbeat)
                        .partitionHandling(handling)
                        .startWindow(Duration.ofSeconds(30), 2)
                        .broker(builder -> builder.dataDirectory(directory.resolve("queues"))));
    }

    /** One that does not know the secret, and gives up soon. */
    ClusterSettings stranger(String name) {
        ClusterSettings known = impatient(name);
        return new ClusterSettings(
                name,
                known.cluster(),
                known.host(),
                known.port(),
                known.directory(),
                "what nobody of this test has ever known",
                known.seeds(),
                null,
                known.adapt(),
                false);
    }

    /** As it is started, and it gives up soon. */
    ClusterSettings impatient(String name) {
        return settings(name).adapt(node -> node.startWindow(Duration.ofMillis(300), 2));
    }

    ClusterNode start(String name) {
        ClusterNode node = started(settings(name));
        nodes.put(name, node);
        return node;
    }

    private static ClusterNode started(ClusterSettings settings) {
        try {
            return ClusterNode.start(settings);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** One after the other, or the first ones would found clusters of their own. */
    ClusterNodes with(String... names) {
        for (String name : names) {
            start(name);
        }
        return this;
    }

    /** Starts nodes that need one another. */
    void startTogether(String... names) {
        Map<String, CompletableFuture<ClusterNode>> starting = new TreeMap<>();
        for (String name : names) {
            ClusterSettings settings = settings(name);
            starting.put(
                    name, CompletableFuture.supplyAsync(() -> started(settings), task -> thread("start", name, task)));
        }
        starting.forEach((name, node) -> nodes.put(name, node.join()));
    }

    private static void thread(String what, String name, Runnable task) {
        Thread thread = new Thread(task, what + "-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    void stop(String name) {
        nodes.remove(name).close();
    }

    void kill(String name) {
        nodes.remove(name).kill();
    }

    /** At the same time: nobody sees another die. */
    void killTogether(String... names) {
        CompletableFuture.allOf(List.of(names).stream()
                        .map(name -> {
                            ClusterNode node = nodes.remove(name);
                            return CompletableFuture.runAsync(node::kill, task -> thread("kill", name, task));
                        })
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    ClusterNode node(String name) {
        return nodes.get(name);
    }

    /** A channel with confirms. */
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
        publish(channel, queue, text);
    }

    /** A client goes on: it publishes here and has the confirm. */
    void publish(Channel channel, String queue, String text) {
        channel.publish("", queue, PERSISTENT, text.getBytes(UTF_8));
        channel.waitForConfirms(WAIT);
    }

    void awaitRunning(String at, String... names) {
        await().atMost(WAIT).until(() -> nodes.get(at).status().running().equals(Set.of(names)));
    }

    void awaitVoters(String at, String... names) {
        await().atMost(WAIT).until(() -> nodes.get(at).status().voters().equals(Set.of(names)));
    }

    /** Waits until a queue is reached through a node and holds so many messages. */
    void awaitCount(String through, String queue, int count) {
        await().atMost(WAIT)
                .pollInterval(A_CHANNEL_EACH)
                .ignoreExceptions()
                .until(() -> channel(through).queueDeclarePassive(queue).messageCount() == count);
    }

    /** Nobody goes on: what an orderly stop is for, the votes and the masters of those that stay, does not matter any more. */
    @Override
    public void close() {
        connections.forEach(Connection::close);
        killTogether(nodes.keySet().toArray(String[]::new));
    }
}
