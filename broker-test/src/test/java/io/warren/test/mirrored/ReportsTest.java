package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.DETECTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.mirroring.mirror.MirrorEvent;
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
}
