package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.DETECTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.mirroring.mirror.MirrorEvent;
import io.warren.mirroring.transfer.Giver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a program hears of the copies of a queue. */
class ReportsTest {
    private static final String ALWAYS = "always";

    private final Mirrored mirrored = new Mirrored(3);
    private final List<MirrorEvent> events = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        mirrored.close();
    }

    @Test
    void shouldTellWhatBecomesOfCopies() {
        mirrored.cluster().node("c").onMirrorEvent(events::add);
        mirrored.policy(Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        assertThat(events).containsExactly(new MirrorEvent.Promoted("/", "orders", "a"));

        mirrored.cluster().kill("a");
        assertThat(events.subList(1, events.size()))
                .containsExactly(
                        new MirrorEvent.Promoted("/", "orders", "b"), new MirrorEvent.Left("/", "orders", "a"));
        mirrored.cluster().start("a");
        mirrored.awaitInSync("c", "a");

        assertThat(events.subList(3, events.size()))
                .containsExactly(
                        new MirrorEvent.Joined("/", "orders", "a"), new MirrorEvent.InSync("/", "orders", "a"));
    }

    @Test
    @Scenario("T25")
    void shouldTellHowManyMessagesAPromotionLoses() {
        mirrored.policy(Map.of("ha-mode", "all", "ha-promote-on-failure", ALWAYS, "ha-promote-on-shutdown", ALWAYS));
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        mirrored.cluster().restart("c");
        mirrored.cluster().restart("b");
        mirrored.publishConfirmed("a", 10, 12);
        mirrored.pass(DETECTED);
        for (int i = 0; i < 3; i++) {
            mirrored.channel("a").get("orders", true);
        }
        mirrored.pass(DETECTED);
        mirrored.cluster().node("c").onMirrorEvent(events::add);

        mirrored.cluster().kill("a");
        mirrored.awaitMaster("c");

        await().until(() -> events.stream().anyMatch(MirrorEvent.MessagesLost.class::isInstance));
        assertThat(events)
                .contains(
                        new MirrorEvent.Down("/", "orders", List.of("a")),
                        new MirrorEvent.Promoted("/", "orders", "c"),
                        new MirrorEvent.PromotedUnsynchronised("/", "orders", "c"));
        assertThat(events)
                .filteredOn(MirrorEvent.MessagesLost.class::isInstance)
                .containsExactly(new MirrorEvent.MessagesLost("/", "orders", "c", 7));
    }

    @Test
    @Scenario("T42")
    void shouldTellHowFarASlaveHasBeenGivenWhatItLacks() {
        mirrored.policy(Map.of("ha-mode", "all"));
        mirrored.declare("a");
        byte[] body = new byte[10_000];
        for (int i = 0; i < 500; i++) {
            mirrored.channel("a").publish("", "orders", Mirrored.PERSISTENT, body);
        }
        mirrored.assertConfirmed("a");
        mirrored.cluster().restart("c");
        mirrored.pass(DETECTED);
        assertThat(synchronising("a")).isEmpty();

        // It takes nothing, so what is under way to it stays there.
        mirrored.cluster().freeze("c");
        mirrored.cluster().node("a").synchronise("/", "orders");

        await().until(() -> !synchronising("a").isEmpty());
        assertThat(synchronising("a")).singleElement().satisfies(progress -> {
            assertThat(progress.node()).isEqualTo("c");
            assertThat(progress.given()).isBetween(1, 499);
            assertThat(progress.all()).isEqualTo(500);
        });
        assertThat(synchronising("b")).isEmpty();
        mirrored.cluster().thaw("c");
        mirrored.awaitInSync("b", "c");
        assertThat(synchronising("a")).isEmpty();
    }

    private List<Giver.Progress> synchronising(String node) {
        return mirrored.cluster().node(node).mirroredQueues().get(0).synchronising();
    }
}
