package io.warren.test.rounds;

import static io.warren.test.rounds.ScenarioCluster.QUEUE;
import static io.warren.test.rounds.ScenarioCluster.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.warren.test.mirrored.Scenario;
import io.warren.test.rounds.MirroredNodeProcess.Copies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which processes have copies of a queue, as its policy asks. */
class PoliciesOverProcesses {
    private static final String ALL = "{'ha-mode':'all'}";

    @TempDir
    Path work;

    private ScenarioCluster cluster;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        cluster = new ScenarioCluster(work);
    }

    @AfterEach
    void stop() throws InterruptedException {
        cluster.end();
    }

    @Test
    @Scenario("T01")
    void shouldHaveCopiesInSyncEverywhereWhenItIsDeclared() throws Exception {
        cluster.policy(ALL);

        cluster.declare("a");

        assertThat(cluster.copies("a")).isEqualTo(new Copies("a", List.of("b", "c"), List.of("b", "c"), "mirrored"));
    }

    @Test
    @Scenario("T02")
    void shouldHaveAsManyCopiesAsThePolicySays() throws Exception {
        cluster.policy("{'ha-mode':'exactly','ha-params':2}");

        cluster.declare("a");

        Copies copies = cluster.copies("a");
        assertThat(copies.master()).isEqualTo("a");
        assertThat(copies.slaves()).hasSize(1).isEqualTo(copies.synchronisedSlaves());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Scenario("T03")
    void shouldReplaceASlaveThatEnds(boolean isAutomatic) throws Exception {
        cluster.policy(
                "{'ha-mode':'exactly','ha-params':2,'ha-sync-mode':'" + (isAutomatic ? "automatic" : "manual") + "'}");
        cluster.declare("a");
        cluster.publishConfirmed("a", 0, 10);
        String slave = cluster.copies("a").slaves().get(0);
        String other = slave.equals("b") ? "c" : "b";

        cluster.node(slave).kill();

        cluster.awaitCopies("a", "a", other);
        cluster.publishConfirmed("a", 10, 20);
        if (isAutomatic) {
            cluster.awaitInSync("a", other);
        } else {
            cluster.awaitInSync("a");
        }
        cluster.node(slave).start();
        cluster.awaitRunning("a", "a", "b", "c");
        cluster.publishConfirmed(slave, 20, 30);
        assertThat(cluster.copies("a").slaves()).containsExactly(other);
        assertThat(cluster.drain("a")).isEqualTo(texts(0, 30));
    }

    @Test
    @Scenario("T06")
    void shouldLiveOnTheNamedNodesOnly() throws Exception {
        cluster.policy("{'ha-mode':'nodes','ha-params':['b','c']}");

        cluster.declare("a");

        cluster.awaitCopies("a", "b", "c");
        cluster.awaitInSync("a", "c");
        cluster.publishConfirmed("a", 0, 10);
        assertThat(cluster.drain("a")).isEqualTo(texts(0, 10));
    }

    @Test
    @Scenario("T08")
    void shouldNotMirrorExclusiveQueues() throws Exception {
        cluster.policy(ALL);
        cluster.consumer("a").queueDeclare(QUEUE, false, true, false, null);

        assertThat(cluster.copies("a")).isEqualTo(new Copies("a", List.of(), List.of(), "plain"));

        cluster.node("a").kill();
        ScenarioCluster.await("gone").until(() -> cluster.copies("b").how().equals("gone"));
        ScenarioCluster.await("gone").until(() -> cluster.copies("c").how().equals("gone"));
    }

    @Test
    @Scenario("T09")
    void shouldKeepATransientQueueAsLongAsACopyLives() throws Exception {
        cluster.policy(ALL);
        cluster.channel("a").queueDeclare(QUEUE, false, false, false, null);
        cluster.publishConfirmed("a", 0, 10);

        cluster.node("a").kill();

        cluster.awaitCopies("c", "b", "c");
        assertThat(cluster.drain("c")).isEqualTo(texts(0, 10));
        cluster.publishConfirmed("c", 10, 20);
        cluster.node("c").stop();
        cluster.awaitRunning("b", "b");
        cluster.node("b").stop();
        cluster.node("b").start();
        cluster.node("c").start();
        assertThat(cluster.copies("b").how()).isEqualTo("gone");
        assertThat(cluster.copies("c").how()).isEqualTo("gone");
    }

    @Test
    @Scenario("T10")
    void shouldBringSlavesInSyncWhenTheQueueIsDrained() throws Exception {
        cluster.declare("a");
        cluster.publishConfirmed("a", 0, 10);

        cluster.policy(ALL);
        cluster.awaitCopies("a", "a", "b", "c");
        cluster.publishConfirmed("b", 10, 20);
        assertThat(cluster.copies("a").synchronisedSlaves()).isEmpty();

        assertThat(cluster.drainTexts("b")).isEqualTo(texts(0, 20));
        cluster.awaitInSync("a", "b", "c");
    }

    @Test
    @Scenario("T10")
    void shouldBringSlavesInSyncAtOnceWhereThePolicySaysSo() throws Exception {
        cluster.declare("a");
        cluster.publishConfirmed("a", 0, 10);

        cluster.policy("{'ha-mode':'all','ha-sync-mode':'automatic'}");

        cluster.awaitInSync("a", "b", "c");
        cluster.node("a").kill();
        assertThat(cluster.drainTexts("b")).isEqualTo(texts(0, 10));
    }

    @Test
    @Scenario("T11")
    void shouldGoOnWithoutCopiesWhenThePolicyGoes() throws Exception {
        cluster.policy(ALL);
        cluster.declare("a");
        cluster.publishConfirmed("b", 0, 10);
        List<String> received = new CopyOnWriteArrayList<>();
        List<String> cancelled = new CopyOnWriteArrayList<>();
        Channel consumer = cluster.consumer("b");
        consumer.basicQos(3);
        consumer.basicConsume(
                QUEUE,
                false,
                (tag, delivery) -> {
                    consumer.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
                    received.add(ScenarioCluster.text(delivery.getBody()));
                },
                tag -> cancelled.add(tag));
        ScenarioCluster.await("10 messages").until(() -> received.size() == 10);

        cluster.clearPolicy();

        cluster.awaitCopies("c", "a");
        cluster.publishConfirmed("c", 10, 20);
        ScenarioCluster.await("all").until(() -> received.containsAll(texts(0, 20)));
        assertThat(received).doesNotHaveDuplicates();
        assertThat(cancelled).isEmpty();
    }

    @Test
    @Scenario("T13")
    void shouldLeaveItsMasterForASlaveInSync() throws Exception {
        cluster.policy(ALL);
        cluster.declare("a");
        cluster.publishConfirmed("a", 0, 10);
        cluster.consumer("a").basicGet(QUEUE, false);

        cluster.policy("{'ha-mode':'nodes','ha-params':['b']}");

        cluster.awaitCopies("a", "b");
        cluster.awaitReady("c", 10);
        cluster.policy(ALL);
        cluster.awaitCopies("a", "b", "a", "c");
        List<String> all = cluster.drain("c");
        assertThat(all).startsWith("m0*").hasSize(10);
    }
}
