package io.warren.mirroring.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Durable mirrored queues on disk: three nodes in this process, with everything a process has. */
@Timeout(180)
class StoredCopiesTest {
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    @TempDir
    private Path folder;

    private ClusterNodes nodes;

    @BeforeEach
    void startThree() throws IOException {
        nodes = new ClusterNodes(folder);
        nodes.with("a", "b", "c");
        nodes.awaitRunning("a", "a", "b", "c");
        mirror("a");
        nodes.channel("a").queueDeclare(QueueOptions.durable("orders"));
    }

    private void mirror(String at) {
        FieldTable definition = FieldTable.of(Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
        nodes.node(at)
                .broker()
                .administration()
                .setPolicy("/", new Policy("all", ".*", Policy.AppliesTo.QUEUES, 0, definition));
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private static void publish(Channel channel, Properties properties, int from, int to) {
        IntStream.range(from, to).forEach(i -> channel.publish("", "orders", properties, ("m" + i).getBytes(UTF_8)));
        assertThat(channel.waitForConfirms(ClusterNodes.WAIT)).isTrue();
    }

    private static List<String> get(Channel channel, int count) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Delivery next = channel.get("orders", false);
            if (next == null) {
                break;
            }
            texts.add(next.text());
            next.ack();
        }
        return texts;
    }

    private static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    private void awaitInSync(String... slaves) {
        await().atMost(ClusterNodes.WAIT).untilAsserted(() -> assertThat(
                        nodes.node("a").broker().vhost("/").queue("orders").synchronisedSlaves())
                .containsExactlyInAnyOrder(slaves));
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "bca", "cab"})
    @DisplayName(
            "T50: all nodes are killed; what was confirmed and persistent is there, in order, whoever starts first")
    void shouldHaveEverythingConfirmedWhenAllWereKilled(String order) {
        Channel b = nodes.channel("b");
        publish(b, PERSISTENT, 0, 300);
        publish(b, Properties.NONE, 1_000, 1_010);
        assertThat(get(nodes.channel("c"), 100)).isEqualTo(texts(0, 100));
        publish(b, PERSISTENT, 300, 400);
        nodes.killTogether("a", "b", "c");

        nodes.startTogether(order.substring(0, 1), order.substring(1, 2));
        nodes.start(order.substring(2));

        nodes.awaitRunning("a", "a", "b", "c");
        nodes.awaitCount("a", "orders", 300);
        assertThat(get(nodes.channel("b"), 1_000)).isEqualTo(texts(100, 400));
    }

    @Test
    void shouldHaveEverythingAfterAnOrderlyStopOfAll() {
        publish(nodes.channel("b"), PERSISTENT, 0, 500);
        List.of("c", "b", "a").forEach(nodes::stop);

        nodes.start("a");
        nodes.awaitCount("a", "orders", 500);
        nodes.startTogether("b", "c");

        nodes.awaitRunning("a", "a", "b", "c");
        awaitInSync("b", "c");
        assertThat(get(nodes.channel("c"), 1_000)).isEqualTo(texts(0, 500));
    }

    @Test
    @DisplayName("T29: a node that was killed under load comes back in sync, and leads with all of it")
    void shouldComeBackInSyncAndLead() {
        Channel a = nodes.channel("a");
        publish(a, PERSISTENT, 0, 1_000);
        nodes.kill("c");
        publish(a, PERSISTENT, 1_000, 2_000);

        nodes.start("c");
        publish(a, PERSISTENT, 2_000, 2_500);

        awaitInSync("b", "c");
        nodes.kill("b");
        nodes.awaitRunning("a", "a", "c");
        awaitInSync("c");
        nodes.kill("a");
        nodes.start("b");
        nodes.awaitCount("c", "orders", 2_500);
        assertThat(get(nodes.channel("c"), 3_000)).isEqualTo(texts(0, 2_500));
    }

    @Test
    @DisplayName(
            "T11: what was confirmed when the policy had gone outlives the end of the node, and the policy may come back")
    void shouldGoOnAloneFromTheDiskWhenItIsNotMirroredAnyMore() {
        Channel b = nodes.channel("b");
        publish(b, PERSISTENT, 0, 100);
        nodes.node("b").broker().administration().clearPolicy("/", "all");
        publish(nodes.channel("a"), PERSISTENT, 100, 200);
        nodes.kill("a");
        nodes.awaitRunning("b", "b", "c");

        nodes.start("a");

        nodes.awaitCount("b", "orders", 200);
        publish(nodes.channel("b"), PERSISTENT, 200, 250);
        assertThat(get(nodes.channel("c"), 50)).isEqualTo(texts(0, 50));
        nodes.killTogether("a", "b", "c");
        nodes.startTogether("a", "b", "c");
        nodes.awaitCount("c", "orders", 200);
        publish(nodes.channel("c"), PERSISTENT, 250, 300);

        mirror("c");

        awaitInSync("b", "c");
        nodes.kill("a");
        nodes.awaitCount("b", "orders", 250);
        assertThat(get(nodes.channel("b"), 300)).isEqualTo(texts(50, 300));
    }

    @Test
    @DisplayName("T11: the policy comes back while the node that went on alone is down")
    void shouldBeMirroredAgainFromTheDiskOfTheNodeThatWentOnAlone() {
        publish(nodes.channel("b"), PERSISTENT, 0, 100);
        nodes.node("b").broker().administration().clearPolicy("/", "all");
        publish(nodes.channel("b"), PERSISTENT, 100, 200);
        nodes.kill("a");
        nodes.awaitRunning("b", "b", "c");
        mirror("b");

        nodes.start("a");

        awaitInSync("b", "c");
        publish(nodes.channel("c"), PERSISTENT, 200, 250);
        nodes.kill("a");
        nodes.awaitCount("b", "orders", 250);
        assertThat(get(nodes.channel("b"), 300)).isEqualTo(texts(0, 250));
    }
}
