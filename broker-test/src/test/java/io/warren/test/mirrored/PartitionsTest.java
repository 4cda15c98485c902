package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.DETECTED;
import static io.warren.test.mirrored.Mirrored.WAIT;
import static io.warren.test.mirrored.Mirrored.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Links that are cut and nodes that stand still: one master, nothing confirmed that is lost, and all well afterwards. */
class PartitionsTest {
    private Mirrored mirrored;

    @AfterEach
    void stop() {
        mirrored.close();
    }

    private void begin(int nodes) {
        mirrored = new Mirrored(nodes);
        mirrored.policy(Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
        mirrored.declare("a");
        mirrored.publishConfirmed(nodes > 2 ? "c" : "b", 0, 10);
    }

    @Test
    @Scenario({"P1", "P4"})
    void shouldConfirmNothingOnTheSmallerSide() {
        begin(3);
        Channel there = mirrored.channel("a");
        List<Long> confirmed = new CopyOnWriteArrayList<>();
        mirrored.cluster().isolate("a");

        for (int i = 0; i < 7; i++) {
            there.publish("", "orders", Mirrored.PERSISTENT, ("lost" + i).getBytes(UTF_8));
        }
        mirrored.pass(DETECTED);
        mirrored.publishConfirmed("c", 10, 20);

        assertThat(mirrored.queue("c").home()).isEqualTo("b");
        assertThat(there.isOpen()).isFalse();
        assertThat(confirmed).isEmpty();
        mirrored.cluster().heal();
        await().atMost(WAIT).until(() -> {
            mirrored.pass(DETECTED);
            return mirrored.queue("b").synchronisedSlaves().equals(List.of("c", "a"));
        });
        assertThat(mirrored.drainTexts("c")).isEqualTo(texts(0, 20));
    }

    @Test
    @Scenario("P2")
    void shouldCloseItsClientsAndComeBackAsTheYoungest() {
        begin(3);
        Channel there = mirrored.channel("a");

        mirrored.cluster().isolate("a");
        mirrored.pass(DETECTED);

        assertThat(there.isOpen()).isFalse();
        assertThat(there.closeReason().code().code()).isEqualTo(320);
        mirrored.cluster().heal();
        await().atMost(WAIT).until(() -> {
            mirrored.pass(DETECTED);
            return mirrored.queue("a").slaves().equals(List.of("c", "a"));
        });
        mirrored.publishConfirmed("a", 10, 20);
    }

    @Test
    @Scenario("P3")
    void shouldPauseEverywhereWhenNoSideHasAMajority() {
        begin(4);
        List<Channel> all =
                List.of("a", "b", "c", "d").stream().map(mirrored::channel).toList();

        for (String one : List.of("a", "b")) {
            for (String other : List.of("c", "d")) {
                mirrored.cluster().cut(one, other);
            }
        }
        mirrored.pass(DETECTED.multipliedBy(2));

        assertThat(all).noneMatch(Channel::isOpen);
        mirrored.cluster().heal();
        mirrored.pass(DETECTED.multipliedBy(2));
        await().atMost(WAIT).until(() -> {
            mirrored.pass(DETECTED);
            return !mirrored.cluster().status("c").paused();
        });
        mirrored.publishConfirmed("c", 10, 20);
        assertThat(mirrored.drainTexts("d")).isEqualTo(texts(0, 20));
    }

    @Test
    @Scenario("P5")
    void shouldGoOnWhenTwoOfThreeDoNotReachEachOther() {
        begin(3);

        mirrored.cluster().cut("a", "b");
        mirrored.publish("c", 10, 20);
        mirrored.pass(Duration.ofSeconds(20));

        mirrored.assertConfirmed("c");
        assertThat(mirrored.queue("c").exists()).isTrue();
        mirrored.cluster().heal();
        await().atMost(WAIT).until(() -> {
            mirrored.pass(DETECTED);
            return mirrored.queue("c").synchronisedSlaves().size() == 2;
        });
        assertThat(mirrored.queue("c").slaves()).doesNotHaveDuplicates();
        assertThat(mirrored.drainTexts("c")).isEqualTo(texts(0, 20));
    }

    @Test
    @Scenario("P6")
    void shouldWaitForASlaveThatStandsStillOrGoOnWithoutIt() {
        begin(3);

        mirrored.cluster().freeze("b");
        mirrored.publish("c", 10, 20);
        mirrored.pass(DETECTED);
        mirrored.assertConfirmed("c");
        mirrored.assertCopies("a", "c");

        mirrored.cluster().thaw("b");
        mirrored.awaitInSync("c", "b");
        assertThat(mirrored.master()).isEqualTo("a");
        assertThat(mirrored.drainTexts("b")).isEqualTo(texts(0, 20));
    }

    @Test
    @Scenario("P7")
    void shouldNotLeadAnyMoreWhenItStoodStill() {
        begin(3);
        Channel there = mirrored.channel("a");

        mirrored.cluster().freeze("a");
        mirrored.pass(DETECTED);
        mirrored.publishConfirmed("c", 10, 20);
        // Time goes on for it too: its lease is over, and its clients are gone.
        assertThat(there.isOpen()).isFalse();
        mirrored.cluster().thaw("a");

        mirrored.pass(DETECTED);
        assertThat(mirrored.queue("c").home()).isEqualTo("b");
        mirrored.awaitInSync("c", "a");
        assertThat(mirrored.drainTexts("c")).isEqualTo(texts(0, 20));
    }

    @Test
    @Scenario("P8")
    void shouldLoseNothingOverALinkThatComesAndGoes() {
        begin(3);
        int published = 10;

        for (int round = 0; round < 24; round++) {
            mirrored.cluster().cut("a", "b");
            mirrored.publish("c", published, published + 50);
            mirrored.pass(Duration.ofMillis(2_500));
            mirrored.cluster().heal();
            mirrored.publish("c", published + 50, published + 100);
            mirrored.pass(Duration.ofMillis(2_500));
            published += 100;
        }

        mirrored.assertConfirmed("c");
        await().atMost(WAIT).until(() -> {
            mirrored.pass(DETECTED);
            return mirrored.queue("c").synchronisedSlaves().size() == 2;
        });
        assertThat(mirrored.drainTexts("c")).isEqualTo(texts(0, published));
    }
}
