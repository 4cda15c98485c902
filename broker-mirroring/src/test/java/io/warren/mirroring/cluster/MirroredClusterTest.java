package io.warren.mirroring.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.error.AmqpError;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mirrored queues over TCP, with Ratis: three nodes in this process. */
@Timeout(120)
class MirroredClusterTest {
    private static final int MIB = 1 << 20;
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    @TempDir
    private Path folder;

    private ClusterNodes nodes;

    @BeforeEach
    void startThree() throws IOException {
        nodes = new ClusterNodes(folder);
        nodes.start("a");
        nodes.start("b");
        nodes.start("c");
        nodes.awaitRunning("a", "a", "b", "c");
        nodes.node("a")
                .broker()
                .administration()
                .setPolicy("/", new Policy("all", ".*", Policy.AppliesTo.QUEUES, 0, FieldTable.of("ha-mode", "all")));
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private static void publish(Channel channel, int from, int to) {
        for (int i = from; i < to; i++) {
            channel.publish("", "orders", PERSISTENT, ("m" + i).getBytes(UTF_8));
        }
    }

    private static List<String> drain(Channel channel) {
        List<String> all = new ArrayList<>();
        for (Delivery next = channel.get("orders", true); next != null; next = channel.get("orders", true)) {
            all.add(next.text());
        }
        return all;
    }

    private static List<String> texts(int to) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < to; i++) {
            all.add("m" + i);
        }
        return all;
    }

    @Test
    void shouldLoseNothingWhenTheMasterDiesWhileAClientPublishes() {
        nodes.channel("a").queueDeclare(QueueOptions.durable("orders"));
        Channel b = nodes.channel("b");

        publish(b, 0, 2_000);
        nodes.kill("a");
        publish(b, 2_000, 4_000);

        assertThat(b.waitForConfirms(ClusterNodes.WAIT)).isTrue();
        assertThat(nodes.node("c").broker().vhost("/").queue("orders").home()).isNotEqualTo("a");
        assertThat(drain(nodes.channel("c"))).isEqualTo(texts(4_000));
    }

    @Test
    void shouldLetConsumersGoOn() {
        nodes.channel("a").queueDeclare(QueueOptions.durable("orders"));
        List<String> seen = new CopyOnWriteArrayList<>();
        nodes.channel("c").consume("orders", delivery -> {
            if (!delivery.isRedelivered()) {
                seen.add(delivery.text());
            }
            delivery.ack();
        });
        Channel b = nodes.channel("b");
        publish(b, 0, 100);
        await().atMost(ClusterNodes.WAIT).until(() -> seen.size() == 100);

        nodes.kill("a");
        publish(b, 100, 200);

        assertThat(b.waitForConfirms(ClusterNodes.WAIT)).isTrue();
        await().atMost(ClusterNodes.WAIT).until(() -> seen.equals(texts(200)));
    }

    @Test
    void shouldTakeLargeMessagesAndRefuseThoseThatAreTooLarge() {
        Channel a = nodes.channel("a");
        a.queueDeclare(QueueOptions.durable("orders"));
        List<AmqpError> closed = new CopyOnWriteArrayList<>();
        a.onClosed(closed::add);

        a.publish("", "orders", new byte[20 * MIB]);
        assertThat(a.waitForConfirms(ClusterNodes.WAIT)).isTrue();
        a.publish("", "orders", new byte[128 * MIB]);

        await().atMost(ClusterNodes.WAIT).until(() -> !closed.isEmpty());
        assertThat(closed.get(0).text())
                .isEqualTo("PRECONDITION_FAILED - message size 134217728 is, with its headers, larger than what a"
                        + " mirrored queue takes: 134152192");
        assertThat(nodes.channel("c").get("orders", true).body()).hasSize(20 * MIB);
    }
}
