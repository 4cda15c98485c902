package io.warren.test.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.ConsumeOptions;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.error.AmqpException;
import io.warren.core.message.Properties;
import io.warren.test.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
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
    void shouldForgetAChannelThatEndedWhileThereWasNoLink() {
        a.queueDeclare(QueueOptions.durable("orders"));
        a.publish("", "orders", "one".getBytes(UTF_8));
        assertThat(b.get("orders", false).text()).isEqualTo("one");
        cluster.cut("a", "b");
        await().until(() -> cluster.broker("a").vhost("/").queue("orders").ready() == 1);

        b.close();
        await().until(() -> cluster.node("b").attachmentCount() == 0);
        cluster.heal();

        await().until(() -> cluster.node("a").attachedCount() == 0);
        assertThat(a.get("orders", true).text()).isEqualTo("one");
    }

    @Test
    void shouldCarryMoreThanMayBeUnderWayInBothDirections() {
        a.queueDeclare(QueueOptions.durable("pictures"));
        List<Integer> seen = new CopyOnWriteArrayList<>();
        b.confirmSelect();
        byte[] picture = new byte[3 << 20];

        for (int number = 0; number < 12; number++) {
            b.publish("", "pictures", picture);
        }
        b.waitForConfirms(Duration.ofSeconds(10));
        b.consume("pictures", delivery -> {
            seen.add(delivery.body().length);
            delivery.ack();
        });

        await().until(() -> seen.size() == 12);
        assertThat(seen).containsOnly(picture.length);
        await().until(() -> cluster.broker("a").vhost("/").queue("pictures").unacked() == 0);
    }

    @Test
    void shouldReplyDirectlyToAChannelOfAnotherNode() {
        a.queueDeclare(QueueOptions.named("requests"));
        List<String> replies = new CopyOnWriteArrayList<>();
        b.consume(ConsumeOptions.of("amq.rabbitmq.reply-to").autoAck(), reply -> replies.add(reply.text()));
        b.publish(
                "",
                "requests",
                Properties.builder().replyTo("amq.rabbitmq.reply-to").build(),
                "question".getBytes(UTF_8));

        await().until(() -> a.queueDeclarePassive("requests").messageCount() == 1);
        Delivery request = a.get("requests", true);
        a.queueDeclarePassive(request.properties().replyTo());
        a.publish("", request.properties().replyTo(), "answer".getBytes(UTF_8));

        await().until(() -> replies.size() == 1);
        assertThat(replies).containsExactly("answer");
    }

    @Test
    void shouldKeepOneChannelsPrefetchOverQueuesOfBothNodes() {
        a.queueDeclare(QueueOptions.named("at a"));
        b.queueDeclare(QueueOptions.named("at b"));
        for (int i = 0; i < 20; i++) {
            a.publish("", "at a", "a".getBytes(UTF_8));
            b.publish("", "at b", "b".getBytes(UTF_8));
        }
        BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
        AtomicInteger held = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        b.qos(3, true);
        for (String queue : List.of("at a", "at b")) {
            b.consume(queue, delivery -> {
                most.accumulateAndGet(held.incrementAndGet(), Math::max);
                deliveries.add(delivery);
            });
        }

        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < 40; i++) {
            Delivery next = await().until(deliveries::poll, Objects::nonNull);
            counts.merge(next.text(), 1, Integer::sum);
            held.decrementAndGet();
            next.ack();
        }

        assertThat(counts).containsEntry("a", 20).containsEntry("b", 20);
        assertThat(most.get()).isBetween(1, 3);
    }

    @Test
    void shouldDeadLetterToAQueueOfAnotherNode() {
        b.queueDeclare(QueueOptions.durable("dead"));
        a.queueDeclare(
                QueueOptions.durable("orders").deadLetterExchange("").argument("x-dead-letter-routing-key", "dead"));
        a.publish("", "orders", "one".getBytes(UTF_8));
        a.get("orders", false).nack(false);

        await().until(() -> b.queueDeclarePassive("dead").messageCount() == 1);
        Delivery dead = b.get("dead", true);
        assertThat(dead.text()).isEqualTo("one");
        assertThat(dead.properties().headersOrEmpty().get("x-first-death-queue"))
                .isEqualTo("orders");

        a.queueDelete("orders");
        await().until(() -> cluster.node("a").attachmentCount() == 0);
    }

    @Test
    void shouldForgetAttachmentsToQueuesThatAreDeleted() {
        for (int i = 0; i < 10; i++) {
            a.queueDeclare(QueueOptions.named("short" + i));
            b.publish("", "short" + i, "one".getBytes(UTF_8));
            a.queueDelete("short" + i);
        }

        await().until(() -> cluster.node("b").attachmentCount() == 0);
        await().until(() -> cluster.node("a").attachedCount() == 0);
        assertThat(b.isOpen()).isTrue();
    }

    @Test
    void shouldPutAQueueWhereItsLocatorSays() {
        for (int i = 0; i < 4; i++) {
            a.queueDeclare(QueueOptions.named("spread" + i).argument("x-queue-master-locator", "min-masters"));
        }
        a.queueDeclare(QueueOptions.named("mine").exclusive().argument("x-queue-master-locator", "min-masters"));

        List<String> homes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            homes.add(cluster.broker("b").vhost("/").queue("spread" + i).home());
        }
        assertThat(homes).containsExactly("a", "b", "a", "b");
        assertThat(cluster.broker("b").vhost("/").queue("mine").home()).isEqualTo("a");
    }

    @Test
    void shouldHoldPublishersBackAtEveryNodeWhileOneHasAnAlarm() {
        List<Boolean> blocked = new CopyOnWriteArrayList<>();
        b.connection().onBlocked(blocked::add);

        cluster.broker("a").administration().forceMemoryAlarm(true);
        await().until(() -> blocked.size() == 1);
        cluster.broker("a").administration().forceMemoryAlarm(false);

        await().until(() -> blocked.size() == 2);
        assertThat(blocked).containsExactly(true, false);
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
