package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.DETECTED;
import static io.warren.test.mirrored.Mirrored.redelivered;
import static io.warren.test.mirrored.Mirrored.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.Channel;
import io.warren.core.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A slave that came later is brought up to date because somebody asks for it, while the queue works on. */
class SynchronisedByHandTest {
    private final Mirrored mirrored = new Mirrored(3);

    @BeforeEach
    void mirrorEverything() {
        mirrored.policy(Map.of("ha-mode", "all"));
        mirrored.declare("a");
    }

    @AfterEach
    void stop() {
        mirrored.close();
    }

    private void restart(String node) {
        mirrored.cluster().restart(node);
        mirrored.pass(DETECTED);
        assertThat(mirrored.queue().synchronisedSlaves()).doesNotContain(node);
    }

    private void synchronise() {
        mirrored.cluster().node("a").synchronise("/", "orders");
    }

    /** The queue as the copy at a node has it. */
    private List<String> contentAt(String node) {
        mirrored.cluster().node("a").moveMaster("/", "orders", node);
        mirrored.awaitMaster(node);
        return mirrored.drain(node);
    }

    @Test
    @Scenario("T42")
    void shouldWorkOnWhileItIsSynchronised() {
        mirrored.publishConfirmed("a", 0, 20_000);
        Channel consumer = mirrored.consumer("b");
        consumer.get("orders", false);
        restart("c");

        synchronise();
        mirrored.publishConfirmed("b", 20_000, 20_100);
        assertThat(mirrored.channel("b").get("orders", true).text()).isEqualTo("m1");
        assertThat(mirrored.channel("b").queueDeclarePassive("orders").messageCount())
                .isEqualTo(20_098);
        mirrored.awaitInSync("b", "c");

        List<String> expected = new ArrayList<>(redelivered(texts(0, 1)));
        expected.addAll(texts(2, 20_100));
        assertThat(contentAt("c").stream().map(SynchronisedByHandTest::text))
                .isEqualTo(expected.stream().map(SynchronisedByHandTest::text).toList());
    }

    private static String text(String marked) {
        return marked.replace("*", "");
    }

    @Test
    @Scenario("T43")
    void shouldKeepWhatItHasWhenThatIsBrokenOff() {
        mirrored.publishConfirmed("a", 0, 5_000);
        restart("c");

        synchronise();
        mirrored.cluster().node("a").cancelSynchronisation("/", "orders");
        mirrored.publishConfirmed("b", 5_000, 5_100);
        mirrored.cluster().node("a").cancelSynchronisation("/", "orders");
        synchronise();

        mirrored.awaitInSync("b", "c");
        assertThat(contentAt("c")).isEqualTo(texts(0, 5_100));
    }

    @Test
    @Scenario("T45")
    void shouldGoOnForOthersWhenASlaveEndsMeanwhile() {
        mirrored.publishConfirmed("a", 0, 5_000);
        restart("b");
        restart("c");

        synchronise();
        mirrored.cluster().kill("b");
        mirrored.publishConfirmed("a", 5_000, 5_010);

        mirrored.awaitInSync("c");
        assertThat(contentAt("c")).isEqualTo(texts(0, 5_010));
    }

    @Test
    @Scenario("T47")
    void shouldHaveOnceAndInOrderWhatWasOutMeanwhile() {
        mirrored.publishConfirmed("a", 0, 10);
        restart("c");
        Channel consumer = mirrored.consumer("b");
        List<Delivery> held = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            held.add(consumer.get("orders", false));
        }

        synchronise();
        mirrored.awaitInSync("b", "c");
        held.forEach(delivery -> delivery.nack(true));

        List<String> expected = new ArrayList<>(redelivered(texts(0, 5)));
        expected.addAll(texts(5, 10));
        assertThat(mirrored.drain("b")).isEqualTo(expected);
    }

    @Test
    @Scenario("T48")
    void shouldBeInSyncWhenWhatItLacksIsSettled() {
        mirrored.publishConfirmed("a", 0, 3);
        restart("c");
        mirrored.publishConfirmed("a", 3, 6);
        Channel consumer = mirrored.consumer("b");
        Delivery first = consumer.get("orders", false);
        Delivery second = consumer.get("orders", false);

        first.ack();
        second.nack(true);
        mirrored.pass(DETECTED);
        mirrored.assertInSync("b");

        assertThat(mirrored.drainTexts("b").subList(0, 2)).isEqualTo(texts(1, 3));
        mirrored.publishConfirmed("a", 6, 9);
        mirrored.awaitInSync("b", "c");
        assertThat(contentAt("c")).isEqualTo(texts(6, 9));
    }
}
