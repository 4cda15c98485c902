package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.WAIT;
import static io.warren.test.mirrored.Mirrored.redelivered;
import static io.warren.test.mirrored.Mirrored.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue that is there before the policy that mirrors it: it goes on with what it holds and with those who use it. */
class ComesToBeMirroredTest {
    private static final Map<String, ?> ALL = Map.of("ha-mode", "all");
    private static final Map<String, ?> ALL_AUTOMATIC = Map.of("ha-mode", "all", "ha-sync-mode", "automatic");

    private final Mirrored mirrored = new Mirrored(3);

    @AfterEach
    void stop() {
        mirrored.close();
    }

    @Test
    @Scenario("T10")
    void shouldHaveUnsynchronisedSlavesUntilItIsDrained() {
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);

        mirrored.policy(ALL);

        await().until(() -> mirrored.channel("b").queueDeclarePassive("orders").messageCount() == 10);
        mirrored.pass(Mirrored.DETECTED);
        mirrored.assertCopies("a", "b", "c");
        mirrored.assertInSync();
        assertThat(mirrored.drain("c")).isEqualTo(texts(0, 10));
        mirrored.awaitInSync("b", "c");
    }

    @Test
    @Scenario("T10")
    void shouldBeSynchronisedByItselfWhereThePolicySaysSo() {
        mirrored.declare("a");
        mirrored.publishConfirmed("b", 0, 100);

        mirrored.policy(ALL_AUTOMATIC);

        mirrored.awaitInSync("b", "c");
        mirrored.cluster().kill("a");
        assertThat(mirrored.drainTexts("c")).isEqualTo(texts(0, 100));
    }

    @Test
    @Scenario("T10")
    void shouldTakePublishesInOrderMeanwhile() {
        mirrored.declare("a");
        for (String node : List.of("a", "b")) {
            mirrored.publish(node, 0, 200);
        }

        mirrored.policy(ALL_AUTOMATIC);
        for (String node : List.of("a", "b")) {
            mirrored.publish(node, 200, 400);
        }

        mirrored.assertConfirmed("a");
        mirrored.assertConfirmed("b");
        mirrored.awaitInSync("b", "c");
        mirrored.cluster().kill("a");
        List<String> all = mirrored.drainTexts("c");
        assertThat(all).hasSize(800);
        assertThat(all.stream().distinct().toList()).isEqualTo(texts(0, 400));
    }

    @Test
    @Scenario("T10")
    void shouldKeepOrderWhilePublishersAndThePolicyRace() {
        for (int round = 0; round < 20; round++) {
            mirrored.declare("a");
            Thread publisher = new Thread(() -> mirrored.publish("a", 0, 500));
            Thread other = new Thread(() -> mirrored.publish("c", 500, 1_000));
            publisher.start();
            other.start();

            mirrored.policy(ALL);
            join(publisher);
            join(other);

            mirrored.assertConfirmed("a");
            mirrored.assertConfirmed("c");
            List<String> all = mirrored.drainTexts("b");
            assertThat(all).containsExactlyInAnyOrderElementsOf(texts(0, 1_000));
            assertThat(all.stream().filter(texts(0, 500)::contains)).isEqualTo(texts(0, 500));
            assertThat(all.stream().filter(texts(500, 1_000)::contains)).isEqualTo(texts(500, 1_000));
            mirrored.channel("b").queueDelete("orders");
            mirrored.clearPolicy("mirrored");
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Scenario("T10")
    void shouldLetConsumersOfEveryNodeGoOn() {
        mirrored.declare("a");
        List<String> seen = new CopyOnWriteArrayList<>();
        List<Channel> consumers = new ArrayList<>();
        for (String node : List.of("a", "b")) {
            Channel consumer = mirrored.consumer(node);
            consumer.qos(5);
            consumer.onCancel(tag -> seen.add("cancelled " + tag));
            consumer.consume("orders", delivery -> {
                seen.add(delivery.text());
                delivery.ack();
            });
            consumers.add(consumer);
        }
        mirrored.publishConfirmed("c", 0, 100);

        mirrored.policy(ALL_AUTOMATIC);
        mirrored.publishConfirmed("c", 100, 200);
        mirrored.awaitInSync("b", "c");
        mirrored.cluster().kill("a");
        mirrored.publishConfirmed("c", 200, 300);

        await().atMost(WAIT).until(() -> seen.containsAll(texts(0, 300)));
        assertThat(seen).noneMatch(text -> text.startsWith("cancelled"));
        consumers.get(1).close();
    }

    @Test
    @Scenario("T10")
    void shouldHandOutAgainWhatWasNotAcknowledged() {
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        Channel here = mirrored.consumer("a");
        Channel elsewhere = mirrored.consumer("b");
        var first = here.get("orders", false);
        elsewhere.get("orders", false);

        mirrored.policy(ALL);
        await().until(() -> mirrored.channel("c").queueDeclarePassive("orders").messageCount() == 10);
        first.ack();

        List<String> expected = new ArrayList<>(redelivered(texts(0, 2)));
        expected.addAll(texts(2, 10));
        assertThat(mirrored.drain("c")).isEqualTo(expected);
    }

    @Test
    @Scenario("T10")
    void shouldKeepPriorities() {
        mirrored.declare("a", QueueOptions.durable("orders").maxPriority(5));
        for (int i = 0; i < 6; i++) {
            mirrored.channel("a")
                    .publish(
                            "",
                            "orders",
                            Properties.builder().persistent().priority(i).build(),
                            ("m" + i).getBytes(UTF_8));
        }
        mirrored.assertConfirmed("a");

        mirrored.policy(ALL);

        assertThat(mirrored.drain("a")).containsExactly("m5", "m4", "m3", "m2", "m1", "m0");
        assertThat(mirrored.channel("a").get("orders", true)).isNull();
    }

    @Test
    @Scenario("T10")
    void shouldLeaveNothingBehind() {
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        mirrored.publishConfirmed("b", 10, 20);
        mirrored.policy(ALL);
        assertThat(mirrored.drain("b")).isEqualTo(texts(0, 20));
        mirrored.publishConfirmed("a", 20, 30);

        mirrored.channel("a").close();
        mirrored.channel("b").close();

        await().until(() -> mirrored.cluster().node("a").attachedCount() == 0);
        await().until(() -> mirrored.cluster().node("b").attachmentCount() == 0);
        await().until(() -> mirrored.cluster().node("a").attachmentCount() == 0);
    }

    @Test
    @Scenario("T10")
    void shouldWaitForAHomeThatIsDown() {
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        mirrored.cluster().kill("a");

        mirrored.policy(ALL);
        mirrored.cluster().start("a");

        mirrored.publishConfirmed("b", 10, 20);
        assertThat(mirrored.drain("c")).isEqualTo(texts(10, 20));
        assertThat(mirrored.master()).isEqualTo("a");
    }

    @Test
    @Scenario("T11")
    void shouldGoOnAtTheMasterWhenThePolicyGoes() {
        mirrored.policy(ALL);
        mirrored.declare("a");
        List<String> seen = new CopyOnWriteArrayList<>();
        Channel consumer = mirrored.consumer("c");
        consumer.onCancel(tag -> seen.add("cancelled " + tag));
        mirrored.publishConfirmed("b", 0, 100);

        mirrored.clearPolicy("mirrored");
        mirrored.publishConfirmed("b", 100, 200);
        consumer.consume("orders", delivery -> {
            seen.add(delivery.text());
            delivery.ack();
        });

        await().until(() -> seen.size() == 200);
        assertThat(seen).isEqualTo(texts(0, 200));
        mirrored.assertCopies("a");
    }

    @Test
    @Scenario("T11")
    void shouldServeNodesThatStartAfterThePolicyHasGone() {
        mirrored.policy(ALL);
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        mirrored.clearPolicy("mirrored");

        mirrored.cluster().restart("b");
        mirrored.publishConfirmed("b", 10, 20);
        Channel consumer = mirrored.consumer("b");
        List<String> seen = new CopyOnWriteArrayList<>();
        consumer.consume("orders", delivery -> {
            seen.add(delivery.text());
            delivery.ack();
        });

        await().until(() -> seen.equals(texts(0, 20)));
        mirrored.policy(ALL_AUTOMATIC);
        mirrored.publishConfirmed("b", 20, 30);
        mirrored.awaitInSync("b", "c");
        mirrored.cluster().kill("a");
        mirrored.publishConfirmed("b", 30, 40);
        await().until(() -> seen.containsAll(texts(0, 40)));
    }
}
