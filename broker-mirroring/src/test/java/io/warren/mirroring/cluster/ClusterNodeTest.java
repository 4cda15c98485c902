package io.warren.mirroring.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with everything a process has: TCP, Ratis, directories. */
@Timeout(120)
class ClusterNodeTest {
    private static final String HOST = "127.0.0.1";
    private static final String SECRET = "what all nodes of this test know";
    private static final Duration WAIT = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final Map<String, Integer> ports = new TreeMap<>();
    private final Map<String, ClusterNode> nodes = new TreeMap<>();
    private final List<Connection> connections = new ArrayList<>();

    @AfterEach
    void close() {
        connections.forEach(Connection::close);
        nodes.values().forEach(ClusterNode::close);
    }

    /** Two ports in a row that are free now. */
    private static int freePorts() {
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

    private ClusterSettings settings(String name, String secret) {
        int port = ports.computeIfAbsent(name, fresh -> freePorts());
        List<String> seeds = ports.entrySet().stream()
                .filter(other -> !other.getKey().equals(name) && nodes.containsKey(other.getKey()))
                .map(other -> HOST + ":" + other.getValue())
                .toList();
        Path directory = folder.resolve(name);
        return ClusterSettings.of(name, HOST, port, directory, secret)
                .join(seeds)
                .adapt(node -> node.heartbeat(Duration.ofMillis(200))
                        .startWindow(Duration.ofSeconds(20), 2)
                        .broker(builder -> builder.dataDirectory(directory.resolve("queues"))));
    }

    private ClusterNode start(String name) throws IOException {
        ClusterNode node = ClusterNode.start(settings(name, SECRET));
        nodes.put(name, node);
        return node;
    }

    private void stop(String name) {
        nodes.remove(name).close();
    }

    private Channel channel(String node) {
        Connection connection = nodes.get(node).broker().connect();
        connections.add(connection);
        Channel channel = connection.openChannel();
        channel.confirmSelect();
        return channel;
    }

    private void awaitRunning(String at, String... names) {
        await().atMost(WAIT).until(() -> nodes.get(at).status().running().equals(java.util.Set.of(names)));
    }

    @Test
    void shouldServeAQueueOfOneNodeAtAllOthers() throws IOException {
        start("a");
        start("b");
        start("c");
        channel("a").queueDeclare(QueueOptions.durable("orders"));

        Channel publisher = channel("b");
        publisher.publish("", "orders", Properties.builder().persistent().build(), "one book".getBytes(UTF_8));
        publisher.waitForConfirms(WAIT);

        assertThat(channel("c").get("orders", true).text()).isEqualTo("one book");
        assertThat(nodes.get("c").status().running()).containsExactly("a", "b", "c");
        assertThat(nodes.get("c").status().voters()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void shouldHaveDurableQueuesAgainWhenTheirNodeComesBack() throws IOException {
        start("a");
        start("b");
        start("c");
        channel("b").queueDeclare(QueueOptions.durable("orders"));
        Channel publisher = channel("a");
        publisher.publish("", "orders", Properties.builder().persistent().build(), "one book".getBytes(UTF_8));
        publisher.waitForConfirms(WAIT);

        stop("b");
        awaitRunning("a", "a", "c");
        assertThat(nodes.get("a").status().voters())
                .as("a stopped node gives up its vote")
                .doesNotContain("b");
        start("b");
        awaitRunning("a", "a", "b", "c");

        await().atMost(WAIT).ignoreExceptions().untilAsserted(() -> assertThat(
                        channel("c").queueDeclarePassive("orders").messageCount())
                .isOne());
    }

    @Test
    void shouldHaveEverythingAgainWhenAllWereStopped() throws IOException {
        start("a");
        start("b");
        channel("a").queueDeclare(QueueOptions.durable("of-a"));
        channel("b").queueDeclare(QueueOptions.durable("of-b"));
        stop("a");
        stop("b");

        start("b");
        start("a");

        await().atMost(WAIT).ignoreExceptions().untilAsserted(() -> assertThat(
                        channel("b").queueDeclarePassive("of-a").messageCount())
                .isZero());
        assertThat(channel("a").queueDeclarePassive("of-b").messageCount()).isZero();
    }

    @Test
    void shouldSayWhoIsWaitedForWhenTheOthersStoppedLater() throws IOException {
        start("a");
        start("b");
        stop("a");
        stop("b");

        ClusterSettings early = settings("a", SECRET).adapt(node -> node.startWindow(Duration.ofMillis(300), 2));

        assertThatThrownBy(() -> ClusterNode.start(early))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'a' waited for")
                .hasMessageContaining("b");
    }

    @Test
    void shouldForgetANodeThatIsDown() throws IOException {
        start("a");
        start("b");
        start("c");
        channel("c").queueDeclare(QueueOptions.durable("orders"));
        stop("c");
        awaitRunning("a", "a", "b");

        assertThatThrownBy(() -> nodes.get("a").forget("c", false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("//orders");
        nodes.get("a").forget("c", true);

        assertThat(nodes.get("a").status().nodes()).containsOnlyKeys("a", "b");
        assertThat(nodes.get("a").durableQueuesOf("c")).isEmpty();
    }

    @Test
    void shouldDeclareAKilledNodeDownAndTakeItBack() throws IOException {
        start("a");
        start("b");
        start("c");
        channel("b").queueDeclare(QueueOptions.durable("orders"));

        nodes.remove("a").kill();

        awaitRunning("b", "b", "c");
        channel("c").queueDeclare(QueueOptions.durable("after-a"));
        start("a");
        awaitRunning("b", "a", "b", "c");
        assertThat(nodes.get("b").status().nodes().get("a").incarnation()).isEqualTo(2);
        assertThat(channel("a").queueDeclarePassive("after-a").messageCount()).isZero();
    }

    @Test
    void shouldGoOnWithAWitnessWhenOneOfTwoNodesIsKilled() throws IOException {
        start("a");
        start("b");
        try (ClusterWitness witness = ClusterWitness.start(settings("w", SECRET))) {
            assertThat(nodes.get("a").status().voters()).containsExactlyInAnyOrder("a", "b", "w");

            nodes.remove("a").kill();

            awaitRunning("b", "b");
            channel("b").queueDeclare(QueueOptions.durable("orders"));
            await().atMost(WAIT).until(() -> !nodes.get("b").status().paused());
            assertThat(witness.status().running()).containsExactly("b");
            nodes.remove("b").close();
        }
    }

    @Test
    void shouldNotLetInANodeWithAnotherSecret() throws IOException {
        start("a");
        ClusterSettings stranger = settings("b", "what nobody of this test has ever known")
                .adapt(node -> node.startWindow(Duration.ofMillis(500), 2));

        assertThatThrownBy(() -> ClusterNode.start(stranger))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nobody took it");

        assertThat(nodes.get("a").status().running()).containsExactly("a");
    }

    @Test
    void shouldRefuseANodeWhoseNameIsTaken() throws IOException {
        start("a");
        start("b");
        ClusterSettings twin = ClusterSettings.of("b", HOST, freePorts(), folder.resolve("twin"), SECRET)
                .join(List.of(HOST + ":" + ports.get("a")));

        assertThatThrownBy(() -> ClusterNode.start(twin))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a node named b votes in this cluster's metadata log already");

        channel("b").queueDeclare(QueueOptions.named("orders"));
        assertThat(channel("a").queueDeclarePassive("orders").messageCount()).isZero();
    }
}
