package io.warren.test.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.ConsumeOptions;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.QueueView;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Policy;
import io.warren.test.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Five nodes, queues with copies at all: what clients see when masters end, are cut off, stand still. */
class MirroredFailoverTest {
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final Duration DETECTED = Duration.ofSeconds(3);
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    private final Cluster cluster = Cluster.inMemory(5);
    private Channel a;
    private Channel d;
    private Channel e;

    @BeforeEach
    void mirrorEverything() {
        policy(Map.of("ha-mode", "all"));
        a = cluster.connect("a").openChannel();
        d = cluster.connect("d").openChannel();
        e = cluster.connect("e").openChannel();
        d.confirmSelect();
        // Four heartbeats: whoever votes is known to be linked.
        cluster.advance(DETECTED);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void policy(Map<String, ?> definition) {
        cluster.broker("e")
                .administration()
                .setPolicy("/", new Policy("all", ".*", Policy.AppliesTo.QUEUES, 0, FieldTable.of(definition)));
    }

    private QueueView view(String node) {
        return cluster.broker(node).vhost("/").queue("orders");
    }

    private static void publish(Channel channel, String text) {
        channel.publish("", "orders", PERSISTENT, text.getBytes(UTF_8));
    }

    private void publishConfirmed(int from, int to) {
        texts(from, to).forEach(text -> publish(d, text));
        assertThat(d.waitForConfirms(WAIT)).isTrue();
    }

    private static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    private static List<String> drain(Channel channel, String queue) {
        List<String> all = new ArrayList<>();
        for (Delivery next = channel.get(queue, true); next != null; next = channel.get(queue, true)) {
            all.add(next.text());
        }
        return all;
    }

    @Test
    void shouldGoOnAfterOneMasterAndTheNext() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 100);

        cluster.kill("a");
        publishConfirmed(100, 200);
        cluster.kill("b");
        publishConfirmed(200, 300);

        assertThat(view("e").home()).isEqualTo("c");
        assertThat(drain(e, "orders")).isEqualTo(texts(0, 300));
    }

    @Test
    void shouldGoOnWithoutAMasterThatIsCutOff() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 100);
        cluster.isolate("a");
        a.confirmSelect();
        texts(0, 10).forEach(text -> publish(a, "lost " + text));

        cluster.advance(DETECTED);

        publishConfirmed(100, 200);
        assertThat(view("e").home()).isEqualTo("b");
        assertThat(a.isOpen()).isFalse();
        cluster.heal();
        cluster.advance(DETECTED);
        assertThat(drain(e, "orders")).isEqualTo(texts(0, 200));
    }

    @Test
    void shouldSayNothingToItsClientsWhenTheMasterIsCutOff() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 1);
        List<String> seen = new CopyOnWriteArrayList<>();
        cluster.isolate("a");
        cluster.advance(DETECTED);

        assertThat(a.isOpen()).isFalse();
        d.consume("orders", delivery -> seen.add(delivery.text()));

        await().until(() -> seen.equals(texts(0, 1)));
    }

    @Test
    void shouldPromoteAnotherWhenTheMasterStandsStill() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 100);

        cluster.freeze("a");
        texts(100, 200).forEach(text -> publish(d, text));
        cluster.advance(DETECTED);

        assertThat(d.waitForConfirms(WAIT)).isTrue();
        assertThat(drain(e, "orders")).isEqualTo(texts(0, 200));
    }

    @Test
    void shouldDeadLetterOnceAcrossAFailover() {
        e.queueDeclare(QueueOptions.durable("dead"));
        a.queueDeclare(QueueOptions.durable("orders").deadLetterExchange("").deadLetterRoutingKey("dead"));
        publishConfirmed(0, 100);
        for (int i = 0; i < 50; i++) {
            d.get("orders", false).nack(false);
        }

        cluster.kill("a");

        await().until(() -> e.queueDeclarePassive("orders").messageCount()
                        + e.queueDeclarePassive("dead").messageCount()
                == 100);
        List<String> dead = drain(e, "dead");
        List<String> left = drain(e, "orders");
        assertThat(dead).doesNotHaveDuplicates();
        assertThat(left).doesNotContainAnyElementsOf(dead);
        List<String> all = new ArrayList<>(dead);
        all.addAll(left);
        assertThat(all).containsExactlyInAnyOrderElementsOf(texts(0, 100));
    }

    @Test
    void shouldCancelAConsumerThatAskedForIt() {
        a.queueDeclare(QueueOptions.durable("orders"));
        List<String> cancelled = new CopyOnWriteArrayList<>();
        e.onCancel(cancelled::add);
        String asking = e.consume(
                ConsumeOptions.of("orders").argument("x-cancel-on-ha-failover", true), delivery -> delivery.ack());
        List<String> seen = new CopyOnWriteArrayList<>();
        d.consume("orders", delivery -> {
            seen.add(delivery.text());
            delivery.ack();
        });

        cluster.kill("a");

        await().until(() -> cancelled.equals(List.of(asking)));
        publishConfirmed(0, 10);
        await().until(() -> seen.equals(texts(0, 10)));
    }

    @Test
    void shouldRefusePublishesWhileTooFewHoldThem() {
        policy(Map.of(
                "ha-mode", "nodes", "ha-params", List.of("a", "b"), "ha-min-insync", 2, "ha-sync-mode", "automatic"));
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 10);

        cluster.kill("b");
        publish(d, "refused");

        assertThat(d.waitForConfirms(WAIT)).isFalse();
        cluster.start("b");
        await().atMost(WAIT).until(() -> {
            cluster.advance(Duration.ofMillis(500));
            return view("e").synchronisedSlaves().equals(List.of("b"));
        });
        assertThat(drain(e, "orders")).isEqualTo(texts(0, 10));
    }

    @Test
    void shouldCommitTransactions() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 2);
        e.txSelect();

        e.get("orders", false).ack();
        publish(e, "m2");
        e.txCommit();
        cluster.kill("a");

        await().until(() -> d.queueDeclarePassive("orders").messageCount() == 2);
        assertThat(drain(d, "orders")).containsExactly("m1", "m2");
    }

    @Test
    void shouldKeepPrioritiesAndExpiryAtTheNextMaster() {
        a.queueDeclare(QueueOptions.durable("orders").maxPriority(5));
        for (int i = 0; i < 6; i++) {
            d.publish(
                    "", "orders", Properties.builder().persistent().priority(i).build(), ("m" + i).getBytes(UTF_8));
        }
        d.publish(
                "",
                "orders",
                Properties.builder()
                        .persistent()
                        .priority(5)
                        .expiration("60000")
                        .build(),
                "late".getBytes(UTF_8));
        assertThat(d.waitForConfirms(WAIT)).isTrue();

        cluster.kill("a");
        cluster.advance(Duration.ofSeconds(61));

        assertThat(drain(e, "orders")).containsExactly("m5", "m4", "m3", "m2", "m1", "m0");
    }

    @Test
    void shouldLeaveNothingBehindWhenChannelsClose() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 10);
        e.get("orders", true);
        cluster.kill("a");
        e.get("orders", true);

        d.close();
        e.close();

        await().until(() -> cluster.node("b").attachedCount() == 0);
        await().until(() -> cluster.node("d").attachmentCount() == 0);
        await().until(() -> cluster.node("e").attachmentCount() == 0);
    }

    @Test
    void shouldForgetItsAttachmentsWhenTheMasterMoves() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 10);

        policy(Map.of("ha-mode", "nodes", "ha-params", List.of("c")));
        publishConfirmed(10, 20);

        await().until(() -> cluster.node("a").attachedCount() == 0);
        assertThat(drain(e, "orders")).isEqualTo(texts(0, 20));
    }

    @Test
    void shouldBeDeletedWhileItMoves() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 10);

        cluster.kill("a");
        e.queueDelete("orders");

        await().until(() -> !view("d").exists());
        a = cluster.connect("c").openChannel();
        a.queueDeclare(QueueOptions.durable("orders"));
        assertThat(drain(d, "orders")).isEmpty();
    }

    @Test
    void shouldLoseNothingWhenTheMastersNodeLeaves() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 100);
        assertThat(cluster.node("a").durableQueuesOf("a")).isEmpty();

        cluster.leave("a", false);
        publishConfirmed(100, 200);

        assertThat(view("e").home()).isEqualTo("b");
        assertThat(drain(e, "orders")).isEqualTo(texts(0, 200));
    }

    @Test
    void shouldGoOnWithoutASlaveThatTheMasterCannotReach() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 10);

        cluster.cut("a", "b");
        texts(10, 20).forEach(text -> publish(d, text));
        for (int i = 0; i < 30; i++) {
            cluster.advance(Duration.ofMillis(500));
        }

        assertThat(d.waitForConfirms(WAIT)).isTrue();
        assertThat(view("e").home()).isEqualTo("a");
        assertThat(view("e").synchronisedSlaves()).doesNotContain("b");
        assertThat(drain(e, "orders")).isEqualTo(texts(0, 20));
    }

    @Test
    void shouldHandOverWhatAStoppingNodeLeads() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publishConfirmed(0, 100);
        texts(100, 200).forEach(text -> publish(d, text));

        cluster.stop("a");

        assertThat(d.waitForConfirms(WAIT)).isTrue();
        assertThat(view("e").home()).isEqualTo("b");
        assertThat(drain(e, "orders")).isEqualTo(texts(0, 200));
    }

    @Test
    void shouldMoveToANodeThatHoldsEverythingAndBack() {
        a.queueDeclare(QueueOptions.durable("orders"));
        List<String> seen = new CopyOnWriteArrayList<>();
        e.consume("orders", delivery -> {
            if (!delivery.isRedelivered()) {
                seen.add(delivery.text());
            }
            delivery.ack();
        });

        for (String node : List.of("c", "a", "b", "a")) {
            texts(0, 50).forEach(text -> publish(d, text));
            cluster.node("d").moveMaster("/", "orders", node);
            assertThat(view("e").home()).isEqualTo(node);
        }

        assertThat(d.waitForConfirms(WAIT)).isTrue();
        await().atMost(WAIT).until(() -> view("a").unacked() == 0 && view("a").ready() == 0);
        assertThat(seen.size()).isLessThanOrEqualTo(200);
        assertThatThrownBy(() -> cluster.node("d").moveMaster("/", "orders", "x"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("node 'x' does not hold everything");
    }
}
