package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.DETECTED;
import static io.warren.test.mirrored.Mirrored.WAIT;
import static io.warren.test.mirrored.Mirrored.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.ConsumeOptions;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Four nodes with a copy each: what is in the queue, and what clients see, when the master ends. */
class FailoverTest {
    private final Mirrored mirrored = new Mirrored(4);

    @BeforeEach
    void mirrorEverything() {
        mirrored.policy(Map.of("ha-mode", "all"));
    }

    @AfterEach
    void stop() {
        mirrored.close();
    }

    @Test
    @Scenario("T17")
    void shouldHoldAllInOrder() {
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);

        mirrored.cluster().kill("a");

        // RabbitMQ marks all; here a mark says that somebody may have seen the message.
        assertThat(mirrored.drain("c")).isEqualTo(texts(0, 10));
    }

    @Test
    @Scenario("T18")
    void shouldConfirmEachOnceWhileAClientPublishes() {
        mirrored.declare("a");
        Channel other = mirrored.consumer("d");
        other.confirmSelect();

        mirrored.publish("c", 0, 10_000);
        texts(20_000, 21_000).forEach(text -> Mirrored.publish(other, text));
        mirrored.cluster().kill("a");
        mirrored.publish("c", 10_000, 20_000);
        texts(21_000, 22_000).forEach(text -> Mirrored.publish(other, text));

        mirrored.assertConfirmed("c");
        assertThat(other.waitForConfirms(WAIT)).isTrue();
        List<String> all = mirrored.drainTexts("b");
        assertThat(all).hasSize(22_000);
        assertThat(all.stream().filter(text -> text.length() < 6 || text.charAt(1) < '2'))
                .isEqualTo(texts(0, 20_000));
        assertThat(all.stream().filter(text -> text.length() == 6 && text.charAt(1) == '2'))
                .isEqualTo(texts(20_000, 22_000));
    }

    @Test
    @Scenario("T19")
    void shouldHoldWhatWasConfirmedToAClientOfTheMastersNode() {
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 100);
        mirrored.publish("a", 100, 200);

        mirrored.cluster().kill("a");

        List<String> all = mirrored.drainTexts("b");
        assertThat(all).startsWith(texts(0, 100).toArray(String[]::new)).doesNotHaveDuplicates();
        assertThat(texts(0, 200)).startsWith(all.toArray(String[]::new));
    }

    @Test
    @Scenario("T20")
    void shouldLetAConsumerGoOnUnderItsTag() {
        mirrored.declare("a");
        List<Delivery> seen = new CopyOnWriteArrayList<>();
        List<String> cancelled = new CopyOnWriteArrayList<>();
        Channel consumer = mirrored.consumer("b");
        consumer.onCancel(cancelled::add);
        consumer.qos(3);
        String tag = consumer.consume("orders", seen::add);
        mirrored.publishConfirmed("c", 0, 10);
        await().until(() -> seen.size() == 3);

        mirrored.cluster().kill("a");

        await().until(() -> seen.size() == 6);
        assertThat(seen.subList(3, 6)).allSatisfy(again -> {
            assertThat(again.isRedelivered()).isTrue();
            assertThat(again.consumerTag()).isEqualTo(tag);
        });
        assertThat(seen.subList(3, 6)).extracting(Delivery::text).isEqualTo(texts(0, 3));
        assertThat(cancelled).isEmpty();
    }

    @Test
    @Scenario("T20")
    void shouldCancelAConsumerThatAskedForIt() {
        mirrored.declare("a");
        List<Delivery> seen = new CopyOnWriteArrayList<>();
        List<String> cancelled = new CopyOnWriteArrayList<>();
        Channel consumer = mirrored.consumer("b");
        consumer.onCancel(cancelled::add);
        consumer.qos(3);
        String tag = consumer.consume(ConsumeOptions.of("orders").argument("x-cancel-on-ha-failover", true), seen::add);
        mirrored.publishConfirmed("c", 0, 10);
        await().until(() -> seen.size() == 3);

        mirrored.cluster().kill("a");

        await().until(() -> cancelled.equals(List.of(tag)));
        assertThat(mirrored.drainTexts("d")).isEqualTo(texts(0, 10));
        assertThat(seen).hasSize(3);
    }

    @Test
    @Scenario("T21")
    void shouldHandOutAgainWhatWasAcknowledgedInVain() {
        mirrored.declare("a");
        mirrored.publishConfirmed("b", 0, 10);
        Delivery first = mirrored.consumer("a").get("orders", false);
        mirrored.cluster().isolate("a");

        first.ack();
        mirrored.cluster().kill("a");

        assertThat(mirrored.drain("b")).hasSize(10).startsWith("m0*");
    }

    @Test
    @Scenario("T22")
    void shouldIgnoreAnAcknowledgementOfWhatIsBackInTheQueue() {
        mirrored.declare("a");
        mirrored.publishConfirmed("b", 0, 15);
        Channel consumer = mirrored.consumer("c");
        List<Delivery> held = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            held.add(consumer.get("orders", false));
        }
        held.subList(0, 5).forEach(Delivery::ack);
        await().until(() -> mirrored.queue("a").unacked() == 10);

        mirrored.cluster().kill("a");
        await().until(() -> mirrored.channel("b").queueDeclarePassive("orders").messageCount() == 10);
        held.get(5).ack();
        consumer.close();

        assertThat(mirrored.drainTexts("d")).isEqualTo(texts(5, 15));
    }

    @Test
    @Scenario("T23")
    void shouldLoseNothingButWhatIsUnderWayToAnAutomaticConsumer() {
        mirrored.declare("a");
        List<String> seen = new CopyOnWriteArrayList<>();
        mirrored.consumer("b").consume(ConsumeOptions.of("orders").autoAck(), delivery -> seen.add(delivery.text()));

        mirrored.publish("c", 0, 1_000);
        mirrored.cluster().kill("a");
        mirrored.publish("c", 1_000, 1_100);

        mirrored.assertConfirmed("c");
        await().until(() -> seen.containsAll(texts(1_000, 1_100)));
        await().until(() -> mirrored.queue("b").ready() == 0);
        assertThat(texts(0, 1_100)).containsAll(seen);
    }

    @Test
    @Scenario("T24")
    void shouldAnswerQuestionsThatComeMeanwhile() {
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        Channel asking = mirrored.consumer("c");
        asking.queueDeclarePassive("orders");

        mirrored.cluster().freeze("a");
        var counted = asking.queueDeclarePassiveAsync("orders");
        mirrored.cluster().advance(DETECTED);

        assertThat(counted.join().messageCount()).isEqualTo(10);
        assertThat(asking.get("orders", true).text()).isEqualTo("m0");
    }

    @Test
    @Scenario("T30")
    void shouldGoOnWhenTheNextMasterEndsToo() {
        mirrored.declare("a");
        mirrored.publishConfirmed("d", 0, 100);

        mirrored.cluster().kill("a");
        mirrored.pass(Duration.ofSeconds(1));
        mirrored.cluster().stop("b");

        assertThat(mirrored.master()).isEqualTo("c");
        assertThat(mirrored.drainTexts("d")).isEqualTo(texts(0, 100));
    }

    @Test
    @Scenario("T31")
    void shouldNotMindASlaveInTheMiddle() {
        mirrored.declare("a");
        List<String> seen = new CopyOnWriteArrayList<>();
        mirrored.consumer("d").consume("orders", delivery -> {
            seen.add(delivery.text());
            delivery.ack();
        });

        mirrored.publish("d", 0, 2_000);
        mirrored.cluster().kill("c");
        mirrored.publish("d", 2_000, 4_000);

        mirrored.assertConfirmed("d");
        await().until(() -> seen.size() == 4_000);
        assertThat(seen).isEqualTo(texts(0, 4_000));
        mirrored.assertCopies("a", "b", "d");
    }

    /** A node that comes back to a queue with 2,000 messages. */
    private void startANewcomer() {
        mirrored.policy(Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 2_000);
        mirrored.cluster().kill("d");
        mirrored.cluster().start("d");
    }

    @Test
    @Scenario("T32")
    void shouldForgetANewcomerThatEndsWhileItJoins() {
        startANewcomer();

        mirrored.cluster().kill("d");

        mirrored.publishConfirmed("a", 2_000, 2_100);
        mirrored.assertCopies("a", "b", "c");
        assertThat(mirrored.drain("b")).isEqualTo(texts(0, 2_100));
    }

    @Test
    @Scenario("T32")
    void shouldTakeANewcomerWhoseNeighbourEnds() {
        startANewcomer();

        mirrored.cluster().kill("c");

        mirrored.publishConfirmed("a", 2_000, 2_100);
        mirrored.awaitInSync("b", "d");
        mirrored.assertCopies("a", "b", "d");
        mirrored.cluster().stop("a");
        mirrored.cluster().stop("b");
        assertThat(mirrored.drainTexts("d")).isEqualTo(texts(0, 2_100));
    }

    @Test
    @Scenario("T36")
    void shouldPurgeAllCopiesAndKeepWhatIsOut() {
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        mirrored.consumer("b").get("orders", false);

        assertThat(mirrored.channel("c").queuePurge("orders")).isEqualTo(9);
        await().until(() ->
                mirrored.queue("a").ready() == 0 && mirrored.queue("a").unacked() == 1);
        mirrored.publishConfirmed("c", 10, 11);
        mirrored.cluster().kill("a");

        assertThat(mirrored.drain("c")).containsExactly("m0*", "m10");
    }

    @Test
    @Scenario("T37")
    void shouldKeepThePlaceOfWhatWasGivenBack() {
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 5);
        Channel consumer = mirrored.consumer("b");
        consumer.get("orders", false);
        Delivery second = consumer.get("orders", false);
        consumer.get("orders", false);
        second.nack(true);
        await().until(() -> mirrored.queue("a").ready() == 3);

        mirrored.cluster().kill("a");

        assertThat(mirrored.drain("d")).containsExactly("m0*", "m1*", "m2*", "m3", "m4");
    }

    @Test
    @Scenario("T38")
    void shouldKeepTheOrderOfPriorities() {
        mirrored.declare("a", QueueOptions.durable("orders").maxPriority(9));
        for (int i = 0; i < 10; i++) {
            mirrored.channel("a")
                    .publish(
                            "",
                            "orders",
                            Properties.builder().persistent().priority(i % 3).build(),
                            ("m" + i).getBytes(UTF_8));
        }
        mirrored.assertConfirmed("a");
        mirrored.consumer("b").get("orders", false);

        mirrored.cluster().kill("a");

        assertThat(mirrored.drain("c")).containsExactly("m2*", "m5", "m8", "m1", "m4", "m7", "m0", "m3", "m6", "m9");
    }

    @Test
    @Scenario("T50")
    void shouldKeepTransientMessagesAsLongAsACopyLives() {
        mirrored.declare("a");
        Channel publisher = mirrored.channel("b");
        texts(0, 10).forEach(text -> publisher.publish("", "orders", Properties.NONE, text.getBytes(UTF_8)));
        mirrored.assertConfirmed("b");

        mirrored.cluster().kill("a");

        assertThat(mirrored.drain("c")).isEqualTo(texts(0, 10));
    }

    @Test
    @Scenario("T51")
    void shouldReturnNothingBecauseItMoves() {
        mirrored.declare("a");
        Channel publisher = mirrored.channel("c");
        List<String> returned = new CopyOnWriteArrayList<>();
        publisher.onReturn(message -> returned.add(message.replyText()));

        for (int i = 0; i < 1_000; i++) {
            publisher.publish("", "orders", true, Mirrored.PERSISTENT, ("m" + i).getBytes(UTF_8));
            if (i == 500) {
                mirrored.cluster().kill("a");
            }
        }

        mirrored.assertConfirmed("c");
        assertThat(returned).isEmpty();
        publisher.publish("", "nobody", true, Mirrored.PERSISTENT, "m".getBytes(UTF_8));
        await().until(() -> returned.equals(List.of("NO_ROUTE")));
    }
}
