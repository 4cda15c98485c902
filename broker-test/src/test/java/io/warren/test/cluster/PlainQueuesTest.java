package io.warren.test.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.error.AmqpException;
import io.warren.test.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue that lives at node a, used through node b. */
class PlainQueuesTest {
    private final Cluster cluster = Cluster.inMemory(2);
    private final Channel a = cluster.connect("a").openChannel();
    private final Channel b = cluster.connect("b").openChannel();

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void shouldPublishAndGetThroughAnotherNode() {
        a.queueDeclare(QueueOptions.durable("orders"));
        b.confirmSelect();

        b.publish("", "orders", "one".getBytes(UTF_8));
        b.waitForConfirms(Duration.ofSeconds(10));

        assertThat(a.queueDeclarePassive("orders").messageCount()).isEqualTo(1);
        assertThat(b.queueDeclarePassive("orders").messageCount()).isEqualTo(1);
        assertThat(b.get("orders", true).text()).isEqualTo("one");
        assertThat(b.get("orders", true)).isNull();
    }

    @Test
    void shouldConsumeThroughAnotherNode() {
        a.queueDeclare(QueueOptions.durable("orders"));
        List<String> seen = new CopyOnWriteArrayList<>();
        b.consume("orders", delivery -> {
            seen.add(delivery.text());
            delivery.ack();
        });

        for (int i = 0; i < 3_000; i++) {
            a.publish("", "orders", ("m" + i).getBytes(UTF_8));
        }

        await().until(() -> seen.size() == 3_000);
        assertThat(seen.get(2_999)).isEqualTo("m2999");
        await().until(() -> cluster.broker("a").vhost("/").queue("orders").unacked() == 0);
    }

    @Test
    void shouldReturnWhatWasNotSettledWhenAChannelOfAnotherNodeCloses() {
        a.queueDeclare(QueueOptions.durable("orders"));
        a.publish("", "orders", "one".getBytes(UTF_8));
        Delivery held = b.get("orders", false);
        assertThat(held.text()).isEqualTo("one");

        b.close();

        Delivery again = a.get("orders", true);
        assertThat(again.text()).isEqualTo("one");
        assertThat(again.isRedelivered()).isTrue();
        await().until(() -> cluster.node("b").attachmentCount() == 0);
        await().until(() -> cluster.node("a").attachedCount() == 0);
    }

    @Test
    void shouldDeleteThroughAnotherNode() {
        a.queueDeclare(QueueOptions.durable("orders"));
        a.publish("", "orders", "one".getBytes(UTF_8));

        assertThat(b.queueDelete("orders")).isEqualTo(1);

        assertThatThrownBy(() -> a.queueDeclarePassive("orders"))
                .isInstanceOf(AmqpException.class)
                .hasMessageContaining("NOT_FOUND - no queue 'orders'");
    }
}
