package io.warren.test.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.ConsumeOptions;
import io.warren.core.Delivery;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueOptions;
import io.warren.core.error.AmqpException;
import io.warren.core.message.Properties;
import io.warren.test.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a plain queue of node a, used through b, when a or the link to it is lost; RabbitMQ 3.10.8 was asked. */
class HomeNodeTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String DOWN =
            "NOT_FOUND - home node 'a' of durable queue 'orders' in vhost '/' is down or inaccessible";
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    @TempDir
    Path directory;

    private Cluster cluster;
    private Connection toB;
    private Channel a;
    private Channel b;

    private void begin() {
        cluster = Cluster.inMemory(
                3, node -> node.broker(broker -> broker.dataDirectory(directory.resolve(node.name()))));
        a = cluster.connect("a").openChannel();
        toB = cluster.connect("b");
        b = toB.openChannel();
        a.exchangeDeclare(ExchangeOptions.direct("x").durable());
        a.queueDeclare(QueueOptions.durable("orders"));
        a.queueBind("orders", "x", "k");
        b.confirmSelect();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void publish(Channel channel, String text) {
        channel.publish("", "orders", PERSISTENT, text.getBytes(UTF_8));
    }

    private void killA() {
        cluster.kill("a");
        awaitRunning("b", "c");
        // Who answers has applied it as well.
        await().until(() ->
                cluster.status("c").running().equals(cluster.status("b").running()));
    }

    private void awaitRunning(String... names) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(cluster.status("b").running()).containsExactly(names));
    }

    private void assertRefused(Consumer<Channel> method) {
        Channel fresh = toB.openChannel();
        assertThatThrownBy(() -> method.accept(fresh))
                .isInstanceOf(AmqpException.class)
                .hasMessage(DOWN);
    }

    @Test
    void shouldRefuseWhatNeedsTheQueueWhileItsNodeIsDown() {
        begin();

        killA();

        assertRefused(channel -> channel.queueDeclarePassive("orders"));
        assertRefused(channel -> channel.queueDeclare(QueueOptions.durable("orders")));
        assertRefused(channel -> channel.queueDeclare(QueueOptions.named("orders")));
        assertRefused(channel -> channel.get("orders", true));
        assertRefused(channel -> channel.consume("orders", delivery -> {}));
        assertRefused(channel -> channel.queuePurge("orders"));
        assertRefused(channel -> channel.queueDelete("orders"));
        assertRefused(channel -> channel.queueBind("orders", "x", "other"));
        assertRefused(channel -> channel.queueUnbind("orders", "x", "k"));
    }

    @Test
    void shouldRouteNothingToTheQueueWhileItsNodeIsDown() {
        begin();
        List<String> events = new CopyOnWriteArrayList<>();
        b.onReturn(returned -> events.add("returned " + returned.replyCode()));
        b.onConfirm((sequence, confirmed) -> events.add(confirmed ? "ack" : "nack"));
        b.publish("x", "k", PERSISTENT, "before".getBytes(UTF_8));
        b.waitForConfirms(SOON);

        killA();
        b.publish("x", "k", true, PERSISTENT, "meanwhile".getBytes(UTF_8));

        await().until(() -> events.size() == 3);
        assertThat(events).containsExactly("ack", "returned 312", "ack");
    }

    @Test
    void shouldCancelConsumersAndNackWhatWasNotAnsweredWhenTheNodeDies() {
        begin();
        publish(b, "held");
        b.waitForConfirms(SOON);
        List<Delivery> held = new CopyOnWriteArrayList<>();
        List<String> cancelled = new CopyOnWriteArrayList<>();
        Channel consumer = toB.openChannel();
        consumer.onCancel(cancelled::add);
        consumer.consume(ConsumeOptions.of("orders").tag("t"), held::add);
        await().until(() -> held.size() == 1);
        List<String> answers = new CopyOnWriteArrayList<>();
        b.onConfirm((sequence, confirmed) -> answers.add(sequence + (confirmed ? " ack" : " nack")));

        cluster.freeze("a");
        publish(b, "unanswered");
        killA();

        await().until(() -> answers.size() == 1 && cancelled.size() == 1);
        assertThat(answers).containsExactly("2 nack");
        assertThat(cancelled).containsExactly("t");
        held.get(0).ack();
        assertThat(consumer.isOpen()).isTrue();
    }

    @Test
    void shouldEndQueuesThatAreOnlyTheProcessWithTheirNode() {
        begin();
        a.queueDeclare(QueueOptions.named("transient"));
        a.queueDeclare(QueueOptions.named("mine").exclusive());
        a.queueDeclare(QueueOptions.durable("auto").autoDelete());
        assertThatThrownBy(() -> toB.openChannel().queueDeclarePassive("mine"))
                .hasMessageStartingWith("RESOURCE_LOCKED - cannot obtain exclusive access to locked queue 'mine'");

        killA();

        assertThatThrownBy(() -> toB.openChannel().queueDeclarePassive("transient"))
                .hasMessage("NOT_FOUND - no queue 'transient' in vhost '/'");
        assertThatThrownBy(() -> toB.openChannel().queueDeclarePassive("mine"))
                .hasMessage("NOT_FOUND - no queue 'mine' in vhost '/'");
        assertThatThrownBy(() -> toB.openChannel().queueDeclarePassive("auto"))
                .hasMessageContaining("home node 'a' of durable queue 'auto'");
        b.queueDeclare(QueueOptions.named("transient"));
        b.publish("", "transient", "here".getBytes(UTF_8));
        assertThat(b.get("transient", true).text()).isEqualTo("here");
    }

    @Test
    void shouldHaveTheQueueAgainWithItsMessagesWhenTheNodeIsBack() {
        begin();
        publish(b, "one");
        publish(b, "two");
        b.waitForConfirms(SOON);
        killA();

        cluster.start("a");
        awaitRunning("a", "b", "c");

        assertThat(b.queueDeclarePassive("orders").messageCount()).isEqualTo(2);
        b.publish("x", "k", true, PERSISTENT, "three".getBytes(UTF_8));
        assertThat(b.waitForConfirms(SOON)).isTrue();
        List<String> seen = new CopyOnWriteArrayList<>();
        b.consume("orders", delivery -> {
            seen.add(delivery.text());
            delivery.ack();
        });
        await().until(() -> seen.size() == 3);
        assertThat(seen).containsExactly("one", "two", "three");
    }

    @Test
    void shouldLoseAndDoubleNothingWhenTheLinkBreaksAgainAndAgain() {
        begin();
        int count = 3_000;
        List<String> nacks = new CopyOnWriteArrayList<>();
        b.onConfirm((sequence, confirmed) -> {
            if (!confirmed) {
                nacks.add("nack " + sequence);
            }
        });

        for (int i = 0; i < count; i++) {
            publish(b, "m" + i);
            if (i % 500 == 250) {
                cluster.cut("a", "b");
                cluster.heal();
            }
        }
        assertThat(b.waitForConfirms(SOON)).isTrue();

        assertThat(nacks).isEmpty();
        List<String> there = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            there.add(a.get("orders", true).text());
            expected.add("m" + i);
        }
        assertThat(there).isEqualTo(expected);
        assertThat(a.get("orders", true)).isNull();
    }

    @Test
    void shouldGoOnConsumingWhenTheLinkIsBackAndIgnoreOldSettlements() {
        begin();
        publish(b, "one");
        publish(b, "two");
        b.waitForConfirms(SOON);
        List<Delivery> deliveries = new CopyOnWriteArrayList<>();
        Channel consumer = toB.openChannel();
        consumer.qos(1);
        consumer.consume(ConsumeOptions.of("orders"), deliveries::add);
        await().until(() -> deliveries.size() == 1);

        cluster.cut("a", "b");
        await().until(() -> cluster.broker("a").vhost("/").queue("orders").ready() == 2);
        cluster.heal();
        await().until(() -> deliveries.size() == 2);
        deliveries.get(0).ack();

        assertThat(deliveries.get(1).text()).isEqualTo("one");
        assertThat(deliveries.get(1).isRedelivered()).isTrue();
        deliveries.get(1).ack();
        await().until(() -> deliveries.size() == 3);
        assertThat(deliveries.get(2).text()).isEqualTo("two");
        assertThat(consumer.isOpen()).isTrue();
    }

    @Test
    void shouldAnswerAGetWhenTheLinkIsBack() {
        begin();
        publish(b, "one");
        b.waitForConfirms(SOON);
        cluster.cut("a", "b");
        var got = b.getAsync("orders", true);

        cluster.heal();

        assertThat(got.join().text()).isEqualTo("one");
    }

    @Test
    void shouldTakeAQueueForDownThatRunsAndCannotBeReached() {
        begin();
        cluster.connect("c").openChannel().queueDeclare(QueueOptions.durable("at c"));
        b.publish("", "at c", PERSISTENT, "one".getBytes(UTF_8));
        b.waitForConfirms(SOON);
        List<String> cancelled = new CopyOnWriteArrayList<>();
        Channel consumer = toB.openChannel();
        consumer.onCancel(cancelled::add);
        consumer.qos(1);
        consumer.consume(ConsumeOptions.of("at c").tag("t"), delivery -> {});

        cluster.cut("b", "c");
        cluster.advance(Duration.ofSeconds(4));
        await().until(() -> cancelled.size() == 1);
        assertThatThrownBy(() -> toB.openChannel().get("at c", true))
                .hasMessageContaining("home node 'c' of durable queue 'at c' in vhost '/' is down or inaccessible");
        assertThat(cluster.status("b").running()).containsExactly("a", "b", "c");

        cluster.heal();
        Channel again = toB.openChannel();
        await().ignoreExceptions()
                .until(() -> toB.openChannel().queueDeclarePassive("at c").messageCount() == 1);
        assertThat(again.get("at c", true).text()).isEqualTo("one");
    }

    @Test
    void shouldPauseTheNodeThatIsCutOffAndHaveItsQueueBackAfterwards() {
        begin();
        publish(b, "one");
        b.waitForConfirms(SOON);

        cluster.isolate("a");
        cluster.advance(Duration.ofSeconds(3));
        awaitRunning("b", "c");

        await().until(() -> !a.isOpen());
        assertThat(a.connection().closeReason().text()).startsWith("CONNECTION_FORCED");
        assertThatThrownBy(() -> cluster.connect("a")).hasMessageStartingWith("CONNECTION_FORCED");
        assertRefused(channel -> channel.get("orders", true));

        cluster.heal();
        cluster.advance(Duration.ofSeconds(2));
        awaitRunning("a", "b", "c");
        assertThat(b.get("orders", true).text()).isEqualTo("one");
        await().until(() -> !cluster.status("a").paused());
        assertThat(cluster.connect("a")
                        .openChannel()
                        .queueDeclarePassive("orders")
                        .messageCount())
                .isZero();
    }

    @Test
    void shouldTakeANodeThatStandsStillForDownAndTakeItBack() {
        begin();
        publish(b, "one");
        b.waitForConfirms(SOON);

        cluster.freeze("a");
        cluster.advance(Duration.ofSeconds(3));
        awaitRunning("b", "c");
        assertRefused(channel -> channel.get("orders", true));

        cluster.thaw("a");
        cluster.advance(Duration.ofSeconds(2));
        awaitRunning("a", "b", "c");
        assertThat(b.get("orders", true).text()).isEqualTo("one");
    }
}
