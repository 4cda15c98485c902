package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.DETECTED;
import static io.warren.test.mirrored.Mirrored.WAIT;
import static io.warren.test.mirrored.Mirrored.redelivered;
import static io.warren.test.mirrored.Mirrored.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.QueueOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which nodes have copies of a queue, as its policy asks and nodes come and go. */
class PoliciesTest {
    private static final Map<String, ?> ALL = Map.of("ha-mode", "all");

    private Mirrored mirrored = new Mirrored(3);

    @AfterEach
    void stop() {
        mirrored.close();
    }

    private void nodes(int count) {
        mirrored.close();
        mirrored = new Mirrored(count);
    }

    private static Map<String, ?> exactly(int copies) {
        return Map.of("ha-mode", "exactly", "ha-params", copies);
    }

    private static Map<String, ?> onNodes(String... nodes) {
        return Map.of("ha-mode", "nodes", "ha-params", List.of(nodes));
    }

    @Test
    @Scenario("T01")
    void shouldHaveCopiesInSyncEverywhereWhenItIsDeclared() {
        mirrored.policy(ALL);

        mirrored.declare("a");

        mirrored.assertCopies("a", "b", "c");
        mirrored.assertInSync("b", "c");
    }

    @Test
    @Scenario("T02")
    void shouldHaveAsManyCopiesAsThePolicySays() {
        mirrored.policy(exactly(2));

        mirrored.declare("a");

        assertThat(mirrored.master()).isEqualTo("a");
        assertThat(mirrored.queue().slaves()).hasSize(1);
        assertThat(mirrored.queue().synchronisedSlaves())
                .isEqualTo(mirrored.queue().slaves());
    }

    @ParameterizedTest
    @MethodSource("syncModes")
    @Scenario("T03")
    void shouldReplaceASlaveThatEnds(String mode, boolean isAutomatic) {
        mirrored.policy(Map.of("ha-mode", "exactly", "ha-params", 2, "ha-sync-mode", mode));
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        String slave = mirrored.queue("a").slaves().get(0);
        String other = slave.equals("b") ? "c" : "b";

        mirrored.cluster().kill(slave);

        mirrored.assertCopies("a", other);
        if (isAutomatic) {
            mirrored.awaitInSync(other);
        } else {
            mirrored.pass(DETECTED);
            mirrored.assertInSync();
        }
        mirrored.cluster().start(slave);
        mirrored.pass(DETECTED);
        mirrored.assertCopies("a", other);
        assertThat(mirrored.drain("a")).isEqualTo(texts(0, 10));
    }

    static List<Arguments> syncModes() {
        return List.of(Arguments.of("manual", false), Arguments.of("automatic", true));
    }

    @Test
    @Scenario("T04")
    void shouldUseNodesThatComeUntilThereAreEnough() {
        nodes(6);
        List.of("f", "e", "d").forEach(mirrored.cluster()::stop);
        mirrored.policy(exactly(5));
        mirrored.declare("a");
        mirrored.assertCopies("a", "b", "c");

        mirrored.cluster().start("d");
        mirrored.assertCopies("a", "b", "c", "d");
        mirrored.cluster().start("e");
        mirrored.assertCopies("a", "b", "c", "d", "e");
        mirrored.cluster().start("f");

        mirrored.assertCopies("a", "b", "c", "d", "e");
    }

    @Test
    @Scenario("T05")
    void shouldBeMirroredWithoutSlaves() {
        mirrored.policy(exactly(1));
        mirrored.declare("a");
        mirrored.declare("a", QueueOptions.named("transient"));
        mirrored.publishConfirmed("a", 0, 10);
        assertThat(mirrored.queue().isMirrored()).isTrue();
        mirrored.assertCopies("a");

        mirrored.cluster().kill("a");

        Channel asking = mirrored.consumer("b");
        assertThatThrownBy(() -> asking.queueDeclarePassive("orders"))
                .hasMessageContaining("home node 'a' of durable queue 'orders' in vhost '/' is down or inaccessible");
        assertThat(mirrored.cluster().broker("b").vhost("/").queue("transient").exists())
                .isFalse();
        mirrored.cluster().start("a");
        mirrored.publishConfirmed("b", 10, 20);
        mirrored.assertCopies("a");
    }

    @Test
    @Scenario("T06")
    void shouldLiveOnTheNamedNodesOnly() {
        mirrored.policy(onNodes("b", "c"));

        mirrored.declare("a");

        mirrored.assertCopies("b", "c");
        mirrored.assertInSync("c");
        mirrored.publishConfirmed("a", 0, 10);
        assertThat(mirrored.drain("a")).isEqualTo(texts(0, 10));
    }

    @Test
    @Scenario("T07")
    void shouldLiveAtTheClientsNodeWhenNoneIsKnown() {
        mirrored.policy(onNodes("x", "y"));

        mirrored.declare("b");

        mirrored.assertCopies("b");
    }

    @Test
    @Scenario("T08")
    void shouldNotMirrorExclusiveQueues() {
        mirrored.policy(ALL);
        mirrored.declare("a", QueueOptions.named("orders").exclusive());

        assertThat(mirrored.queue("b").isMirrored()).isFalse();
        assertThat(mirrored.queue("b").slaves()).isEmpty();
        mirrored.cluster().kill("a");
        assertThat(mirrored.queue("b").exists()).isFalse();
    }

    @Test
    @Scenario("T09")
    void shouldKeepATransientQueueAsLongAsACopyLives() {
        mirrored.policy(ALL);
        mirrored.declare("a", QueueOptions.named("orders"));
        mirrored.publishConfirmed("a", 0, 10);

        mirrored.cluster().kill("a");

        mirrored.assertCopies("b", "c");
        mirrored.publishConfirmed("c", 10, 20);
        List.of("c", "b").forEach(mirrored.cluster()::stop);
        List.of("b", "c").forEach(mirrored.cluster()::start);
        assertThat(mirrored.queue("b").exists()).isFalse();
    }

    @Test
    @Scenario("T09")
    void shouldKeepWhatIsInATransientQueue() {
        mirrored.policy(ALL);
        mirrored.declare("a", QueueOptions.named("orders"));
        mirrored.publishConfirmed("a", 0, 10);

        mirrored.cluster().kill("a");

        assertThat(mirrored.drain("c")).isEqualTo(texts(0, 10));
    }

    @Test
    @Scenario("T12")
    void shouldMoveWhenTheNewNodesHoldEverything() {
        mirrored.policy(onNodes("a"));
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 100);
        List<String> seen = new CopyOnWriteArrayList<>();

        mirrored.policy(onNodes("b", "c"));
        mirrored.pass(DETECTED);
        mirrored.assertCopies("a", "b", "c");
        mirrored.assertInSync();

        mirrored.cluster().node("a").synchronise("/", "orders");
        await().atMost(WAIT).until(() -> {
            mirrored.pass(DETECTED);
            return List.of("b", "c").contains(mirrored.master());
        });
        assertThat(mirrored.queue().slaves()).doesNotContain("a");
        mirrored.consumer("a").consume("orders", delivery -> {
            seen.add(delivery.text());
            delivery.ack();
        });
        await().until(() -> seen.equals(texts(0, 100)));
    }

    @Test
    @Scenario("T12")
    void shouldMoveWhenItIsDrained() {
        mirrored.policy(onNodes("a"));
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        mirrored.policy(onNodes("b", "c"));
        mirrored.pass(DETECTED);
        assertThat(mirrored.master()).isEqualTo("a");

        assertThat(mirrored.drain("c")).isEqualTo(texts(0, 10));

        await().atMost(WAIT).until(() -> {
            mirrored.pass(DETECTED);
            return List.of("b", "c").contains(mirrored.master());
        });
        mirrored.publishConfirmed("a", 10, 20);
        assertThat(mirrored.drain("a")).isEqualTo(texts(10, 20));
    }

    @Test
    @Scenario("T13")
    void shouldLeaveItsMasterForASlaveInSync() {
        mirrored.policy(ALL);
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        mirrored.consumer("a").get("orders", false);

        mirrored.policy(onNodes("b"));

        mirrored.assertCopies("b");
        await().until(() -> mirrored.channel("c").queueDeclarePassive("orders").messageCount() == 10);
        mirrored.policy(ALL);
        // Copies of the same process have the rest still, and are given what they lack.
        mirrored.awaitInSync("a", "c");
        mirrored.assertCopies("b", "a", "c");
        assertThat(mirrored.drain("c").get(0))
                .isEqualTo(redelivered(texts(0, 1)).get(0));
    }

    @Test
    @Scenario("T14")
    void shouldFollowThePolicyOfTheHighestPriority() {
        mirrored.policy("p0", ".*", 0, ALL);
        mirrored.policy("p1", ".*", 10, exactly(2));
        mirrored.declare("a");
        assertThat(mirrored.queue().slaves()).hasSize(1);

        mirrored.clearPolicy("p1");

        assertThat(mirrored.queue().slaves()).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    @Scenario("T14")
    void shouldFollowTheSameOfTwoPoliciesWhateverTheOrderTheyCameIn() {
        mirrored.policy("p2", ".*", 5, ALL);
        mirrored.policy("p1", ".*", 5, exactly(1));
        mirrored.declare("a");
        int copies = mirrored.queue().slaves().size();
        mirrored.clearPolicy("p1");
        mirrored.clearPolicy("p2");

        mirrored.policy("p1", ".*", 5, exactly(1));
        mirrored.policy("p2", ".*", 5, ALL);
        mirrored.declare("a", QueueOptions.durable("others"));

        assertThat(mirrored.cluster().broker("a").vhost("/").queue("others").slaves())
                .hasSize(copies);
    }

    @Test
    @Scenario("T15")
    void shouldMatchAnyPartOfAName() {
        mirrored.policy("mirrored", "rde", 0, ALL);

        mirrored.declare("a");

        mirrored.assertCopies("a", "b", "c");
    }

    @ParameterizedTest
    @MethodSource("badPolicies")
    @Scenario("T16")
    void shouldRefuseAPolicyThatMeansNothing(Map<String, ?> definition) {
        mirrored.policy(ALL);
        mirrored.declare("a");

        assertThatThrownBy(() -> mirrored.policy(definition)).isInstanceOf(RuntimeException.class);

        mirrored.assertCopies("a", "b", "c");
    }

    static List<Map<String, ?>> badPolicies() {
        return List.of(
                Map.of("ha-params", 2),
                Map.of("ha-mode", "exactly", "ha-params", "2"),
                Map.of("ha-mode", "nodes", "ha-params", List.of()),
                Map.of("ha-mode", "all", "ha-params", 2),
                Map.of("ha-mode", "all", "ha-sync-mode", "auto"));
    }
}
