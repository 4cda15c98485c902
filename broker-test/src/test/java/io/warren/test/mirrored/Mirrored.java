package io.warren.test.mirrored;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.QueueView;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Policy;
import io.warren.mirroring.node.NodeSettings;
import io.warren.test.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A cluster with one queue, {@code orders}, and what scenarios say of it. Messages are m0, m1, ..., persistent. */
final class Mirrored implements AutoCloseable {
    static final Duration WAIT = Duration.ofSeconds(10);
    static final Duration DETECTED = Duration.ofSeconds(3);
    static final Properties PERSISTENT = Properties.builder().persistent().build();
    private static final Duration PERIOD = Duration.ofMillis(500);

    private final Cluster cluster;
    private final Map<String, Channel> channels = new HashMap<>();

    Mirrored(int nodes) {
        this(nodes, node -> node);
    }

    Mirrored(int nodes, UnaryOperator<NodeSettings> settings) {
        this(Cluster.inMemory(nodes, settings));
    }

    /** Nodes that keep their copies. */
    static Mirrored onDisk(int nodes, Path directory) {
        return new Mirrored(Cluster.onDisk(nodes, directory, node -> node));
    }

    private Mirrored(Cluster cluster) {
        this.cluster = cluster;
        // Four heartbeats: whoever votes is known to be linked.
        cluster.advance(DETECTED);
    }

    Cluster cluster() {
        return cluster;
    }

    // ---- policies

    void policy(Map<String, ?> definition) {
        policy("mirrored", ".*", 0, definition);
    }

    void policy(String name, String pattern, int priority, Map<String, ?> definition) {
        anyNode()
                .administration()
                .setPolicy(
                        "/", new Policy(name, pattern, Policy.AppliesTo.QUEUES, priority, FieldTable.of(definition)));
    }

    void clearPolicy(String name) {
        anyNode().administration().clearPolicy("/", name);
    }

    private io.warren.core.Broker anyNode() {
        return cluster.broker(running().get(0));
    }

    /** The nodes that run, by name. */
    List<String> running() {
        return cluster.running();
    }

    // ---- the queue

    void declare(String node) {
        declare(node, QueueOptions.durable("orders"));
    }

    void declare(String node, QueueOptions options) {
        channel(node).queueDeclare(options);
    }

    QueueView queue() {
        return queue(running().get(0));
    }

    QueueView queue(String node) {
        return cluster.broker(node).vhost("/").queue("orders");
    }

    String master() {
        return queue().home();
    }

    void assertCopies(String master, String... slaves) {
        assertThat(master()).isEqualTo(master);
        assertThat(queue().slaves()).containsExactly(slaves);
    }

    void assertInSync(String... slaves) {
        assertThat(queue().synchronisedSlaves()).containsExactly(slaves);
    }

    /** Lets time pass until exactly these slaves hold everything. */
    void awaitInSync(String... slaves) {
        await().atMost(WAIT).until(() -> {
            cluster.advance(PERIOD);
            return Set.copyOf(queue().synchronisedSlaves()).equals(Set.of(slaves));
        });
    }

    /** Lets time pass until the master is there. */
    void awaitMaster(String node) {
        await().atMost(WAIT).until(() -> {
            cluster.advance(PERIOD);
            return node.equals(master());
        });
    }

    void pass(Duration time) {
        for (long ns = 0; ns < time.toNanos(); ns += PERIOD.toNanos()) {
            cluster.advance(PERIOD);
        }
    }

    // ---- clients

    /** The channel of this test at a node, with confirms. */
    Channel channel(String node) {
        return channels.compute(node, (name, known) -> {
            if (known != null && known.isOpen()) {
                return known;
            }
            Channel opened = cluster.connect(name).openChannel();
            opened.confirmSelect();
            return opened;
        });
    }

    /** Another channel at a node, without confirms. */
    Channel consumer(String node) {
        return cluster.connect(node).openChannel();
    }

    void publish(String node, int from, int to) {
        texts(from, to).forEach(text -> publish(channel(node), text));
    }

    static void publish(Channel channel, String text) {
        channel.publish("", "orders", PERSISTENT, text.getBytes(UTF_8));
    }

    void publishConfirmed(String node, int from, int to) {
        publish(node, from, to);
        assertConfirmed(node);
    }

    void assertConfirmed(String node) {
        assertThat(channel(node).waitForConfirms(WAIT)).isTrue();
    }

    static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    static List<String> redelivered(List<String> texts) {
        return texts.stream().map(text -> text + "*").toList();
    }

    /** All that the queue gives, acknowledged, in order; what is handed out again has a star. */
    List<String> drain(String node) {
        List<String> all = new ArrayList<>();
        Channel channel = channel(node);
        for (Delivery next = channel.get("orders", true); next != null; next = channel.get("orders", true)) {
            all.add(next.text() + (next.isRedelivered() ? "*" : ""));
        }
        return all;
    }

    /** The same without the stars. */
    List<String> drainTexts(String node) {
        return drain(node).stream().map(text -> text.replace("*", "")).toList();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
