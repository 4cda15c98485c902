package io.warren.mirroring.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.QueueOptions;
import io.warren.core.error.AmqpError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages up to and above what a link carries, for a queue at node a, through node b. */
@Timeout(120)
class LargeMessagesTest {
    private static final int MIB = 1 << 20;

    @TempDir
    private Path folder;

    private ClusterNodes nodes;
    private Channel b;

    @BeforeEach
    void startTwo() {
        // Bodies of this size leave a small heap little time for anything else.
        nodes = new ClusterNodes(folder).heartbeat(Duration.ofSeconds(5)).with("a", "b");
        nodes.channel("a").queueDeclare(QueueOptions.named("pictures"));
        b = nodes.channel("b");
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void shouldCarryManyLargeMessagesBothWays() {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        for (int number = 0; number < 8; number++) {
            b.publish("", "pictures", new byte[10 * MIB + number]);
        }
        b.waitForConfirms(ClusterNodes.WAIT);

        b.consume("pictures", delivery -> {
            sizes.add(delivery.body().length - 10 * MIB);
            delivery.ack();
        });

        await().atMost(ClusterNodes.WAIT).until(() -> sizes.size() == 8);
        assertThat(sizes).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void shouldRefuseAMessageThatIsLargerThanALinkCarries() {
        List<AmqpError> closed = new CopyOnWriteArrayList<>();
        b.onClosed(closed::add);

        b.publish("", "pictures", new byte[130 * MIB]);

        await().atMost(ClusterNodes.WAIT).until(() -> !closed.isEmpty());
        assertThat(closed.get(0).text())
                .isEqualTo("PRECONDITION_FAILED - message size 136314880 is larger than what nodes pass on to each"
                        + " other: 134217728");
        Channel next = nodes.channel("b");
        nodes.publish(next, "pictures", "small");
        assertThat(next.queueDeclarePassive("pictures").messageCount()).isOne();
    }

    @Test
    void shouldCloseTheConsumersChannelWhenItsMessageIsLargerThanALinkCarries() {
        Channel a = nodes.channel("a");
        a.publish("", "pictures", new byte[130 * MIB]);
        a.waitForConfirms(ClusterNodes.WAIT);
        List<AmqpError> closed = new CopyOnWriteArrayList<>();
        b.onClosed(closed::add);

        b.consume("pictures", delivery -> delivery.ack());

        await().atMost(ClusterNodes.WAIT).until(() -> !closed.isEmpty());
        assertThat(closed.get(0).text()).contains("message size 136314880").endsWith("can be consumed at its node");
        await().atMost(ClusterNodes.WAIT)
                .until(() -> a.queueDeclarePassive("pictures").messageCount() == 1);
        assertThat(a.get("pictures", true).body()).hasSize(130 * MIB);
    }
}
