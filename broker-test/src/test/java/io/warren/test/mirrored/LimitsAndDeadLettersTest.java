package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.WAIT;
import static io.warren.test.mirrored.Mirrored.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.metadata.Overflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a queue does with messages by itself: every copy has it the same, and the next master goes on with it. */
class LimitsAndDeadLettersTest {
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
    @Scenario("T33")
    void shouldDropTheOldestAtTheNextMasterWhereWhatWasOutComesBack() {
        mirrored.declare("a", QueueOptions.durable("orders").maxLength(10));
        mirrored.publishConfirmed("b", 0, 10);
        Channel consumer = mirrored.consumer("b");
        for (int i = 0; i < 3; i++) {
            consumer.get("orders", false);
        }
        mirrored.publishConfirmed("b", 10, 13);

        mirrored.cluster().kill("a");
        assertThat(mirrored.channel("c").queueDeclarePassive("orders").messageCount())
                .isEqualTo(10);
        mirrored.cluster().stop("b");

        assertThat(mirrored.drain("d")).isEqualTo(texts(3, 13));
    }

    @Test
    @Scenario("T34")
    void shouldDeadLetterWhatExpiresOnce() {
        mirrored.declare("d", QueueOptions.durable("dead"));
        mirrored.declare(
                "a",
                QueueOptions.durable("orders")
                        .messageTtl(Duration.ofSeconds(10))
                        .deadLetterExchange("")
                        .deadLetterRoutingKey("dead"));
        mirrored.publishConfirmed("b", 0, 500);

        mirrored.cluster().advance(Duration.ofSeconds(10));
        mirrored.cluster().kill("a");

        Channel channel = mirrored.channel("c");
        await().atMost(WAIT)
                .until(() -> channel.queueDeclarePassive("orders").messageCount() == 0
                        && channel.queueDeclarePassive("dead").messageCount() == 500);
        List<String> dead = new ArrayList<>();
        for (Delivery next = channel.get("dead", true); next != null; next = channel.get("dead", true)) {
            dead.add(next.text());
        }
        assertThat(dead).isEqualTo(texts(0, 500));
    }

    @Test
    @Scenario("T35")
    void shouldHoldWhatWasConfirmedAndNothingThatWasRefused() {
        mirrored.declare("a", QueueOptions.durable("orders").maxLength(5).overflow(Overflow.REJECT_PUBLISH));
        mirrored.publishConfirmed("b", 0, 5);
        mirrored.publish("b", 5, 8);
        assertThat(mirrored.channel("b").waitForConfirms(WAIT)).isFalse();

        mirrored.cluster().kill("a");

        Mirrored.publish(mirrored.channel("c"), "refused");
        assertThat(mirrored.channel("c").waitForConfirms(WAIT)).isFalse();
        assertThat(mirrored.drain("d")).isEqualTo(texts(0, 5));
    }

    @Test
    @Scenario("T39")
    void shouldBeDeclaredAgainAtOnceWhenItIsDeleted() {
        for (int round = 0; round < 20; round++) {
            mirrored.declare("a");
            mirrored.publishConfirmed("b", 0, 5);
            mirrored.channel("c").queueDelete("orders");
        }

        mirrored.declare("d");
        mirrored.assertCopies("d", "a", "b", "c");
        mirrored.assertInSync("a", "b", "c");
        assertThat(mirrored.drain("b")).isEmpty();
    }
}
