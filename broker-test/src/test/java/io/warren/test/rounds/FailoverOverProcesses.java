package io.warren.test.rounds;

import static io.warren.test.rounds.ScenarioCluster.QUEUE;
import static io.warren.test.rounds.ScenarioCluster.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import io.warren.test.mirrored.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the queue, and what clients see, when the process of its master ends. */
class FailoverOverProcesses {
    private static final String ALL = "{'ha-mode':'all'}";
    private static final String ON_A = "{'ha-mode':'nodes','ha-params':['a']}";

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
    @Scenario("T17")
    void shouldHoldAllInOrder() throws Exception {
        cluster.policy(ALL);
        cluster.declare("a");
        cluster.publishConfirmed("a", 0, 10);

        cluster.node("a").kill();

        // RabbitMQ marks all; here a mark says that somebody may have seen the message.
        assertThat(cluster.drain("c")).isEqualTo(texts(0, 10));
    }

    @Test
    @Scenario("T18")
    void shouldConfirmEachOnceWhileAClientPublishes() throws Exception {
        cluster.policy(ALL);
        cluster.declare("a");
        Channel publisher = cluster.channel("c");
        List<Long> refused = new CopyOnWriteArrayList<>();
        publisher.addConfirmListener((tag, multiple) -> {}, (tag, multiple) -> refused.add(tag));

        cluster.publish("c", 0, 10_000);
        cluster.node("a").kill();
        cluster.publish("c", 10_000, 20_000);

        cluster.assertConfirmed("c");
        assertThat(refused).isEmpty();
        assertThat(cluster.drainTexts("b")).isEqualTo(texts(0, 20_000));
    }

    /** What a consumer with a prefetch of 3, at b, sees of ten messages before the master dies: the first three. */
    private Channel consumeThree(boolean isCancelled, List<Delivery> seen, List<String> cancelled) throws Exception {
        cluster.policy(ALL);
        cluster.declare("a");
        Channel consumer = cluster.consumer("b");
        consumer.basicQos(3);
        Map<String, Object> arguments = isCancelled ? Map.of("x-cancel-on-ha-failover", true) : Map.of();
        consumer.basicConsume(
                QUEUE,
                false,
                "tag",
                false,
                false,
                arguments,
                (tag, delivery) -> seen.add(delivery),
                tag -> cancelled.add(tag));
        cluster.publishConfirmed("c", 0, 10);
        ScenarioCluster.await("three").until(() -> seen.size() == 3);
        return consumer;
    }

    private static List<String> bodies(List<Delivery> deliveries) {
        return deliveries.stream()
                .map(each -> ScenarioCluster.text(each.getBody()))
                .toList();
    }

    @Test
    @Scenario("T20")
    void shouldLetAConsumerGoOnUnderItsTag() throws Exception {
        List<Delivery> seen = new CopyOnWriteArrayList<>();
        List<String> cancelled = new CopyOnWriteArrayList<>();
        consumeThree(false, seen, cancelled);

        cluster.node("a").kill();

        ScenarioCluster.await("three again").until(() -> seen.size() == 6);
        assertThat(bodies(seen.subList(3, 6))).isEqualTo(texts(0, 3));
        assertThat(seen.subList(3, 6))
                .allSatisfy(
                        again -> assertThat(again.getEnvelope().isRedeliver()).isTrue());
        assertThat(cancelled).isEmpty();
    }

    @Test
    @Scenario("T20")
    void shouldCancelAConsumerThatAskedForIt() throws Exception {
        List<Delivery> seen = new CopyOnWriteArrayList<>();
        List<String> cancelled = new CopyOnWriteArrayList<>();
        consumeThree(true, seen, cancelled);

        cluster.node("a").kill();

        ScenarioCluster.await("cancelled").until(() -> cancelled.equals(List.of("tag")));
        assertThat(cluster.drain("c")).startsWith("m0*", "m1*", "m2*").hasSize(10);
        assertThat(seen).hasSize(3);
    }

    @Test
    @Scenario("T22")
    void shouldIgnoreAnAcknowledgementOfWhatIsBackInTheQueue() throws Exception {
        cluster.policy(ON_A);
        cluster.declare("a");
        cluster.publishConfirmed("b", 0, 15);
        Channel consumer = cluster.consumer("c");
        for (int i = 0; i < 5; i++) {
            consumer.basicAck(consumer.basicGet(QUEUE, false).getEnvelope().getDeliveryTag(), false);
        }
        cluster.policy("{'ha-mode':'nodes','ha-params':['a','b'],'ha-sync-mode':'automatic'}");
        cluster.awaitInSync("a", "b");
        List<GetResponse> held = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            held.add(consumer.basicGet(QUEUE, false));
        }

        cluster.node("a").kill();
        cluster.awaitReady("b", 10);
        consumer.basicAck(held.get(0).getEnvelope().getDeliveryTag(), false);
        consumer.close();

        assertThat(cluster.drainTexts("b")).isEqualTo(texts(5, 15));
    }

    /** The master a holds ten messages; b and c have copies that lack them. */
    private void haveUnsynchronisedSlaves(String more) throws Exception {
        cluster.policy(ON_A);
        cluster.declare("a");
        cluster.publishConfirmed("a", 0, 10);
        cluster.policy("{'ha-mode':'all'" + more + "}");
        cluster.awaitCopies("b", "a", "b", "c");
        assertThat(cluster.copies("a").synchronisedSlaves()).isEmpty();
    }

    private void awaitDown(String node) {
        ScenarioCluster.await("down").untilAsserted(() -> {
            Channel asking = cluster.consumer(node);
            assertThatThrownBy(() -> asking.queueDeclarePassive(QUEUE))
                    .cause()
                    .hasMessageContaining("is down or inaccessible");
        });
    }

    @Test
    @Scenario({"T25", "T26"})
    void shouldWaitForTheMasterWhereThePolicySaysNothing() throws Exception {
        haveUnsynchronisedSlaves("");

        cluster.node("a").kill();

        awaitDown("c");
        cluster.node("a").start();
        cluster.publishConfirmed("b", 10, 20);
        assertThat(cluster.copies("a").master()).isEqualTo("a");
        assertThat(cluster.drainTexts("c")).isEqualTo(texts(0, 20));
    }

    @Test
    @Scenario("T25")
    void shouldPromoteASlaveThatLacksMessagesWhereThePolicySaysSo() throws Exception {
        haveUnsynchronisedSlaves(",'ha-promote-on-failure':'always'");

        cluster.node("a").kill();

        ScenarioCluster.await("promoted")
                .until(() -> !"a".equals(cluster.copies("b").master()));
        cluster.awaitReady("c", 0);
        cluster.publishConfirmed("c", 10, 20);
        cluster.node("a").start();
        cluster.awaitRunning("b", "a", "b", "c");
        assertThat(cluster.copies("b").master()).isNotEqualTo("a");
        assertThat(cluster.drainTexts("a")).isEqualTo(texts(10, 20));
    }

    @Test
    @Scenario("T27")
    void shouldWaitForAMasterThatWasStopped() throws Exception {
        haveUnsynchronisedSlaves("");

        cluster.node("a").stop();

        awaitDown("c");
        cluster.node("a").start();
        cluster.publishConfirmed("b", 10, 20);
        assertThat(cluster.drainTexts("c")).isEqualTo(texts(0, 20));
    }
}
