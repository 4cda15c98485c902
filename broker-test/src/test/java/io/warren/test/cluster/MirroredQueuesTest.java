package io.warren.test.cluster;

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
import io.warren.test.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three nodes of one JVM, a policy that mirrors every queue to all of them, and what becomes of messages when nodes end. */
class MirroredQueuesTest {
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    private final Cluster cluster = Cluster.inMemory(3);
    private Channel a;
    private Channel b;
    private Channel c;

    @BeforeEach
    void mirrorEverything() {
        cluster.broker("a").administration().setPolicy("/", policy("all", Map.of("ha-mode", "all")));
        a = cluster.connect("a").openChannel();
        b = cluster.connect("b").openChannel();
        c = cluster.connect("c").openChannel();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static Policy policy(String name, Map<String, ?> definition) {
        return new Policy(name, ".*", Policy.AppliesTo.QUEUES, 0, FieldTable.of(definition));
    }

    private QueueView view(String node) {
        return cluster.broker(node).vhost("/").queue("orders");
    }

    private static void publish(Channel channel, String text) {
        channel.publish("", "orders", PERSISTENT, text.getBytes(UTF_8));
    }

    private static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    /** All that is in the queue, in order; those handed out again have a star. */
    private static List<String> drain(Channel channel) {
        List<String> all = new ArrayList<>();
        for (Delivery next = channel.get("orders", true); next != null; next = channel.get("orders", true)) {
            all.add(next.text() + (next.isRedelivered() ? "*" : ""));
        }
        return all;
    }

    @Test
    void shouldServeChannelsOfEveryNode() {
        a.queueDeclare(QueueOptions.durable("orders"));
        for (Channel channel : List.of(a, b, c)) {
            channel.confirmSelect();
            publish(channel, "m");
            assertThat(channel.waitForConfirms(WAIT)).isTrue();
        }

        assertThat(a.queueDeclarePassive("orders").messageCount()).isEqualTo(3);
        assertThat(b.queueDeclarePassive("orders").messageCount()).isEqualTo(3);
        assertThat(drain(c)).containsExactly("m", "m", "m");
        assertThat(view("c").home()).isEqualTo("a");
        assertThat(view("c").slaves()).containsExactly("b", "c");
        assertThat(view("c").synchronisedSlaves()).containsExactly("b", "c");
        assertThat(view("a").ready()).isZero();
    }

    @Test
    void shouldConsumeAtEveryNode() {
        a.queueDeclare(QueueOptions.durable("orders"));
        List<String> seen = new CopyOnWriteArrayList<>();
        c.consume("orders", delivery -> {
            seen.add(delivery.text());
            delivery.ack();
        });

        texts(0, 1_000).forEach(text -> publish(b, text));

        await().until(() -> seen.size() == 1_000);
        assertThat(seen).isEqualTo(texts(0, 1_000));
        await().until(() -> view("a").unacked() == 0);
    }

    @Test
    void shouldLoseNothingConfirmedWhenTheMasterDies() {
        a.queueDeclare(QueueOptions.durable("orders"));
        b.confirmSelect();
        texts(0, 200).forEach(text -> publish(b, text));
        assertThat(b.waitForConfirms(WAIT)).isTrue();

        cluster.kill("a");

        assertThat(view("b").home()).isEqualTo("b");
        texts(200, 300).forEach(text -> publish(b, text));
        assertThat(b.waitForConfirms(WAIT)).isTrue();
        assertThat(drain(c)).isEqualTo(texts(0, 300));
    }

    @Test
    void shouldKeepOrderWhenTheMasterDiesWhileAClientPublishes() {
        a.queueDeclare(QueueOptions.durable("orders"));
        b.confirmSelect();

        texts(0, 500).forEach(text -> publish(b, text));
        cluster.kill("a");
        texts(500, 1_000).forEach(text -> publish(b, text));

        assertThat(b.waitForConfirms(WAIT)).isTrue();
        assertThat(drain(c)).isEqualTo(texts(0, 1_000));
    }

    @Test
    void shouldLoseNothingThatWasPublishedWithoutConfirms() {
        a.queueDeclare(QueueOptions.durable("orders"));

        texts(0, 500).forEach(text -> publish(b, text));
        cluster.kill("a");
        b.close();

        await().until(() -> c.queueDeclarePassive("orders").messageCount() == 500);
        assertThat(drain(c)).isEqualTo(texts(0, 500));
    }

    @Test
    void shouldHandOutAgainMarkedWhatWasNotAcknowledged() {
        a.queueDeclare(QueueOptions.durable("orders"));
        a.confirmSelect();
        texts(0, 10).forEach(text -> publish(a, text));
        assertThat(a.waitForConfirms(WAIT)).isTrue();
        b.get("orders", false);
        b.get("orders", false);

        cluster.kill("a");

        assertThat(drain(c)).startsWith("m0*", "m1*").hasSize(10).endsWith("m9");
    }

    @Test
    void shouldLetConsumersGoOn() {
        a.queueDeclare(QueueOptions.durable("orders"));
        Set<String> seen = new HashSet<>();
        c.qos(10);
        c.consume("orders", delivery -> {
            synchronized (seen) {
                seen.add(delivery.text());
            }
            delivery.ack();
        });
        b.confirmSelect();

        texts(0, 300).forEach(text -> publish(b, text));
        cluster.kill("a");
        texts(300, 600).forEach(text -> publish(b, text));

        assertThat(b.waitForConfirms(WAIT)).isTrue();
        await().until(() -> {
            synchronized (seen) {
                return seen.size() == 600;
            }
        });
        await().until(() -> view("b").unacked() == 0);
        assertThat(view("b").ready()).isZero();
    }

    @Test
    void shouldGoOnWhenASlaveDies() {
        a.queueDeclare(QueueOptions.durable("orders"));
        a.confirmSelect();
        texts(0, 100).forEach(text -> publish(a, text));

        cluster.kill("b");

        texts(100, 200).forEach(text -> publish(a, text));
        assertThat(a.waitForConfirms(WAIT)).isTrue();
        assertThat(view("a").slaves()).containsExactly("c");
        assertThat(drain(c)).isEqualTo(texts(0, 200));
    }

    @Test
    void shouldMoveWithoutADeath() {
        a.queueDeclare(QueueOptions.durable("orders"));
        a.confirmSelect();
        texts(0, 100).forEach(text -> publish(a, text));

        cluster.broker("a")
                .administration()
                .setPolicy("/", policy("all", Map.of("ha-mode", "nodes", "ha-params", List.of("c"))));

        texts(100, 200).forEach(text -> publish(a, text));
        assertThat(a.waitForConfirms(WAIT)).isTrue();
        assertThat(view("a").home()).isEqualTo("c");
        assertThat(drain(b)).isEqualTo(texts(0, 200));
    }

    @Test
    void shouldDeleteItEverywhere() {
        a.queueDeclare(QueueOptions.durable("orders"));
        publish(b, "m");
        List<String> cancelled = new CopyOnWriteArrayList<>();
        c.onCancel(cancelled::add);
        String tag = c.consume("orders", delivery -> {});

        b.queueDelete("orders");

        await().until(() -> cancelled.equals(List.of(tag)));
        assertThat(view("a").exists()).isFalse();
        a.queueDeclare(QueueOptions.durable("orders"));
        assertThat(drain(b)).isEmpty();
    }

    @Test
    void shouldStayWithItsMasterWhenThePolicyGoes() {
        a.queueDeclare(QueueOptions.durable("orders"));
        b.confirmSelect();
        texts(0, 100).forEach(text -> publish(b, text));
        assertThat(b.waitForConfirms(WAIT)).isTrue();

        cluster.broker("a").administration().clearPolicy("/", "all");
        cluster.kill("c");
        texts(100, 200).forEach(text -> publish(b, text));

        assertThat(b.waitForConfirms(WAIT)).isTrue();
        assertThat(view("b").home()).isEqualTo("a");
        assertThat(view("b").slaves()).isEmpty();
        assertThat(drain(b)).isEqualTo(texts(0, 200));
    }

    @Test
    void shouldBeMirroredAgainWhenThePolicyComesBack() {
        a.queueDeclare(QueueOptions.durable("orders"));
        b.confirmSelect();
        texts(0, 100).forEach(text -> publish(b, text));
        assertThat(b.waitForConfirms(WAIT)).isTrue();
        cluster.broker("a").administration().clearPolicy("/", "all");
        texts(100, 200).forEach(text -> publish(b, text));
        assertThat(b.waitForConfirms(WAIT)).isTrue();

        cluster.broker("a")
                .administration()
                .setPolicy("/", policy("all", Map.of("ha-mode", "all", "ha-sync-mode", "automatic")));
        texts(200, 300).forEach(text -> publish(b, text));

        assertThat(b.waitForConfirms(WAIT)).isTrue();
        await().until(() -> {
            cluster.advance(Duration.ofMillis(500));
            return view("b").synchronisedSlaves().size() == 2;
        });
        cluster.kill("a");
        assertThat(drain(c)).isEqualTo(texts(0, 300));
    }
}
