package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.DETECTED;
import static io.warren.test.mirrored.Mirrored.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A master that ends while no slave holds everything: whether one of them leads all the same, or the queue waits. */
class PromotionTest {
    private static final String FAILURE = "ha-promote-on-failure";
    private static final String SHUTDOWN = "ha-promote-on-shutdown";
    private static final String ALWAYS = "always";

    private final Mirrored mirrored = new Mirrored(3);

    @AfterEach
    void stop() {
        mirrored.close();
    }

    private void policy(String... more) {
        Map<String, Object> definition = new HashMap<>(Map.of("ha-mode", "all"));
        for (int i = 0; i < more.length; i += 2) {
            definition.put(more[i], more[i + 1]);
        }
        mirrored.policy(definition);
    }

    /** The master a holds ten messages; b and c came later and hold none. */
    private void haveUnsynchronisedSlaves() {
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        mirrored.cluster().restart("b");
        mirrored.cluster().restart("c");
        mirrored.pass(DETECTED);
        mirrored.assertCopies("a", "b", "c");
        mirrored.assertInSync();
    }

    private void assertDown() {
        Channel asking = mirrored.consumer("c");
        assertThatThrownBy(() -> asking.queueDeclarePassive("orders")).hasMessageContaining("is down or inaccessible");
    }

    @Test
    @Scenario({"T25", "T26"})
    void shouldWaitForTheMasterWhereThePolicySaysNothing() {
        policy();
        haveUnsynchronisedSlaves();

        mirrored.cluster().kill("a");
        mirrored.pass(DETECTED.multipliedBy(4));

        assertDown();
        mirrored.cluster().start("a");
        mirrored.publishConfirmed("b", 10, 20);
        assertThat(mirrored.master()).isEqualTo("a");
    }

    @Test
    @Scenario("T25")
    void shouldPromoteASlaveThatLacksMessagesWhereThePolicySaysSo() {
        policy(FAILURE, ALWAYS, SHUTDOWN, ALWAYS);
        haveUnsynchronisedSlaves();
        mirrored.publishConfirmed("a", 10, 15);

        mirrored.cluster().kill("a");

        mirrored.awaitMaster("b");
        mirrored.publishConfirmed("c", 20, 30);
        List<String> expected = new ArrayList<>(texts(10, 15));
        expected.addAll(texts(20, 30));
        assertThat(mirrored.drainTexts("c")).isEqualTo(expected);
        mirrored.cluster().start("a");
        mirrored.pass(DETECTED);
        mirrored.publishConfirmed("a", 30, 40);
        assertThat(mirrored.master()).isEqualTo("b");
        assertThat(mirrored.drainTexts("a")).isEqualTo(texts(30, 40));
    }

    @Test
    @Scenario("T25")
    void shouldNotPromoteBeforeTheMasterCouldBeBack() {
        policy(FAILURE, ALWAYS, SHUTDOWN, ALWAYS);
        haveUnsynchronisedSlaves();

        mirrored.cluster().kill("a");
        mirrored.pass(DETECTED);
        assertDown();
        mirrored.cluster().start("a");
        mirrored.pass(DETECTED.multipliedBy(4));

        assertThat(mirrored.master()).isEqualTo("a");
    }

    @Test
    @Scenario("T26")
    void shouldRefusePublishesAndBeDeletedWhileItIsDown() {
        policy(FAILURE, "when-synced");
        haveUnsynchronisedSlaves();
        Channel publisher = mirrored.channel("c");
        publisher.queueDeclarePassive("orders");
        mirrored.cluster().kill("a");
        mirrored.pass(DETECTED.multipliedBy(4));

        Channel careful = mirrored.consumer("b");
        assertThatThrownBy(() -> careful.queueDelete("orders", false, true)).hasMessageContaining("not empty");
        mirrored.channel("b").queueDelete("orders");

        await().until(() -> !mirrored.queue("c").exists());
        mirrored.declare("b");
        assertThat(mirrored.master()).isEqualTo("b");
        assertThat(mirrored.drain("c")).isEmpty();
    }

    @Test
    @Scenario("T26")
    void shouldReturnAndNotConfirmWhileItIsDown() {
        policy();
        haveUnsynchronisedSlaves();
        mirrored.cluster().kill("a");
        List<String> returned = new CopyOnWriteArrayList<>();
        Channel publisher = mirrored.channel("c");
        publisher.onReturn(message -> returned.add(message.replyText()));

        publisher.publish("", "orders", true, Mirrored.PERSISTENT, new byte[] {1});

        await().until(() -> returned.equals(List.of("NO_ROUTE")));
    }

    @Test
    @Scenario("T27")
    void shouldWaitForAMasterThatWasStopped() {
        policy(FAILURE, ALWAYS);
        haveUnsynchronisedSlaves();

        mirrored.cluster().stop("a");
        mirrored.pass(DETECTED.multipliedBy(4));

        assertDown();
        mirrored.cluster().start("a");
        mirrored.publishConfirmed("b", 10, 20);
        assertThat(mirrored.master()).isEqualTo("a");
    }

    @Test
    @Scenario("T27")
    void shouldPromoteASlaveThatLacksMessagesWhenTheMasterIsStopped() {
        policy(FAILURE, ALWAYS, SHUTDOWN, ALWAYS);
        haveUnsynchronisedSlaves();

        mirrored.cluster().stop("a");

        mirrored.awaitMaster("b");
        mirrored.publishConfirmed("c", 10, 20);
        assertThat(mirrored.drainTexts("b")).isEqualTo(texts(10, 20));
    }

    @Test
    @Scenario("T28")
    void shouldNotPromoteWhereOnlyTheRuleForStopsAllowsIt() {
        policy(SHUTDOWN, ALWAYS, FAILURE, "when-synced");
        haveUnsynchronisedSlaves();

        mirrored.cluster().stop("a");
        mirrored.pass(DETECTED.multipliedBy(4));

        assertDown();
    }

    @Test
    @Scenario("T29")
    void shouldHoldEverythingAfterEachNodeWasRestarted() {
        policy("ha-sync-mode", "automatic");
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 100);

        for (String node : List.of("a", "b", "c")) {
            mirrored.cluster().stop(node);
            mirrored.cluster().start(node);
            String[] others = List.of("a", "b", "c").stream()
                    .filter(other -> !other.equals(mirrored.master()))
                    .toArray(String[]::new);
            await().atMost(Mirrored.WAIT).until(() -> {
                mirrored.pass(DETECTED);
                return mirrored.queue().synchronisedSlaves().size() == others.length;
            });
        }

        mirrored.cluster().kill(mirrored.master());
        assertThat(mirrored.drainTexts(mirrored.running().get(0))).isEqualTo(texts(0, 100));
    }

    @Test
    @Scenario("T40")
    void shouldBeDeletedWithoutAnyNodeThatHasACopy() {
        mirrored.policy(Map.of("ha-mode", "nodes", "ha-params", List.of("a")));
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        mirrored.cluster().kill("a");

        mirrored.channel("b").queueDelete("orders");

        mirrored.cluster().start("a");
        assertThat(mirrored.queue("a").exists()).isFalse();
    }

    @Test
    @Scenario("T44")
    void shouldNotPromoteAMemberThatIsHalfSynchronised() {
        policy();
        haveUnsynchronisedSlaves();
        mirrored.publishConfirmed("a", 10, 5_000);

        mirrored.cluster().node("a").synchronise("/", "orders");
        mirrored.cluster().kill("a");
        mirrored.pass(DETECTED.multipliedBy(4));

        // Unless it was complete by then.
        if (!"a".equals(mirrored.master())) {
            assertThat(mirrored.drainTexts("b")).isEqualTo(texts(0, 5_000));
        } else {
            assertDown();
        }
    }

    @Test
    @Scenario("T44")
    void shouldPromoteAMemberThatIsHalfSynchronisedWhereThePolicySaysSo() {
        policy(FAILURE, ALWAYS, SHUTDOWN, ALWAYS);
        haveUnsynchronisedSlaves();
        mirrored.publishConfirmed("a", 10, 5_000);

        mirrored.cluster().node("a").synchronise("/", "orders");
        mirrored.cluster().kill("a");

        await().atMost(Mirrored.WAIT).until(() -> {
            mirrored.pass(DETECTED);
            return !"a".equals(mirrored.master());
        });
        mirrored.publishConfirmed("c", 5_000, 5_010);
        List<String> left = mirrored.drainTexts("b");
        assertThat(left).endsWith(texts(5_000, 5_010).toArray(String[]::new)).doesNotHaveDuplicates();
        assertThat(texts(0, 5_010)).containsSubsequence(left);
    }

    @Test
    @Scenario("T49")
    void shouldRefusePublishesWithTooFewCopiesAndHandOutWhatIsThere() {
        mirrored.policy(Map.of(
                "ha-mode", "nodes", "ha-params", List.of("a", "b"), "ha-min-insync", 2, "ha-sync-mode", "automatic"));
        mirrored.declare("a");
        mirrored.publishConfirmed("c", 0, 10);
        mirrored.cluster().kill("b");

        Mirrored.publish(mirrored.channel("c"), "refused");
        assertThat(mirrored.channel("c").waitForConfirms(Mirrored.WAIT)).isFalse();
        Channel consumer = mirrored.consumer("c");
        assertThat(consumer.get("orders", false).text()).isEqualTo("m0");
        assertThat(consumer.get("orders", false).text()).isEqualTo("m1");

        mirrored.cluster().start("b");
        mirrored.awaitInSync("b");
        mirrored.publishConfirmed("c", 10, 12);
        mirrored.cluster().kill("a");
        mirrored.cluster().start("a");
        mirrored.pass(DETECTED);
        List<String> all = mirrored.drain("c");
        assertThat(all).startsWith("m0*", "m1*").hasSize(12);
    }

    @Test
    @Scenario("T49")
    void shouldBringNewMembersInSyncWhenSomebodyAsksBelowTheLeastNumber() {
        mirrored.declare("a");
        mirrored.publishConfirmed("b", 0, 100);
        mirrored.policy(Map.of("ha-mode", "all", "ha-min-insync", 2));
        mirrored.pass(DETECTED);
        mirrored.assertInSync();

        mirrored.cluster().node("a").synchronise("/", "orders");

        mirrored.awaitInSync("b", "c");
        assertThat(mirrored.drainTexts("c")).isEqualTo(texts(0, 100));
    }

    @Test
    @Scenario("T49")
    void shouldBringNewMembersInSyncBelowTheLeastNumber() {
        mirrored.declare("a");
        mirrored.publishConfirmed("b", 0, 100);

        mirrored.policy(Map.of("ha-mode", "all", "ha-min-insync", 2, "ha-sync-mode", "automatic"));
        mirrored.publish("b", 100, 200);

        mirrored.awaitInSync("b", "c");
        mirrored.assertConfirmed("b");
        mirrored.cluster().kill("a");
        assertThat(mirrored.drainTexts("c")).isEqualTo(texts(0, 200));
    }
}
