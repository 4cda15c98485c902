package io.warren.test.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import io.warren.mirroring.metadata.PartitionHandling;
import io.warren.test.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes that ignore partitions: whoever is left goes on alone, and of two that did one gives in. */
class GoingOnAloneTest {
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration HEARTBEAT = Duration.ofMillis(500);

    @TempDir
    Path directory;

    private Cluster cluster;

    private void begin(PartitionHandling handling) {
        cluster = Cluster.inMemory(2, node -> node.partitionHandling(handling)
                .broker(broker -> broker.dataDirectory(directory.resolve(node.name()))));
        publish("a", "of a", "before");
        publish("b", "of b", "before");
        pass(4);
    }

    private void publish(String node, String queue, String text) {
        Channel channel = cluster.connect(node).openChannel();
        channel.queueDeclare(QueueOptions.durable(queue));
        channel.confirmSelect();
        channel.publish("", queue, PERSISTENT, text.getBytes(UTF_8));
        channel.waitForConfirms(SOON);
    }

    /** So many heartbeats, each noticed by both nodes. */
    private void pass(int heartbeats) {
        for (int beat = 0; beat < heartbeats; beat++) {
            cluster.advance(HEARTBEAT);
        }
    }

    private void awaitServing(String... nodes) {
        await().atMost(SOON).untilAsserted(() -> {
            pass(1);
            for (String node : nodes) {
                assertThat(cluster.status(node).paused()).isFalse();
                assertThat(cluster.status(node).running()).contains(node);
            }
        });
    }

    private void awaitTogether() {
        await().atMost(SOON).untilAsserted(() -> {
            pass(1);
            for (String node : Set.of("a", "b")) {
                assertThat(cluster.status(node).running()).containsExactly("a", "b");
                assertThat(cluster.status(node).paused()).isFalse();
            }
        });
    }

    private long count(String through, String queue) {
        return cluster.connect(through).openChannel().queueDeclarePassive(queue).messageCount();
    }

    @AfterEach
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void shouldGoOnWhenTheOtherDiesAndTakeItBackAsNew() {
        begin(PartitionHandling.IGNORE);

        cluster.kill("b");
        awaitServing("a");
        publish("a", "of a", "meanwhile");

        assertThat(cluster.status("a").voters()).containsExactly("a");
        assertThat(cluster.status("a").running()).containsExactly("a");
        cluster.start("b");
        awaitTogether();
        assertThat(cluster.status("b").voters()).containsExactlyInAnyOrder("a", "b");
        assertThat(count("b", "of a")).isEqualTo(2);
        assertThat(count("a", "of b")).isEqualTo(1);
    }

    @Test
    void shouldPauseWithQuorumWhenTheOtherDies() {
        begin(PartitionHandling.QUORUM);

        cluster.kill("b");
        pass(8);

        assertThat(cluster.status("a").paused()).isTrue();
        assertThat(cluster.status("a").voters()).containsExactlyInAnyOrder("a", "b");
        cluster.start("b");
        awaitTogether();
    }

    @Test
    @DisplayName("P1 with ignore: both sides confirm, and what the node that joined later declared meanwhile is gone")
    void shouldEndAtTheMetadataOfTheNodeThatJoinedFirstWhenBothWentOn() {
        begin(PartitionHandling.IGNORE);

        cluster.cut("a", "b");
        pass(8);
        awaitServing("a", "b");
        publish("a", "of a", "apart");
        publish("b", "of b", "apart");
        publish("a", "declared by a", "apart");
        publish("b", "declared by b", "apart");
        publish("a", "declared by both", "at a");
        publish("b", "declared by both", "at b");
        assertThat(cluster.status("a").voters()).containsExactly("a");
        assertThat(cluster.status("b").voters()).containsExactly("b");

        cluster.heal();
        awaitTogether();

        assertThat(count("b", "of a")).isEqualTo(2);
        assertThat(count("a", "of b")).as("a queue both knew keeps what it has").isEqualTo(2);
        assertThat(count("b", "declared by a")).isEqualTo(1);
        assertThatThrownBy(() -> count("b", "declared by b")).hasMessageContaining("no queue 'declared by b'");
        Channel both = cluster.connect("b").openChannel();
        assertThat(both.get("declared by both", true).text()).isEqualTo("at a");
    }

    @Test
    void shouldGoOnAgainAfterHavingMet() {
        begin(PartitionHandling.IGNORE);
        cluster.cut("a", "b");
        pass(8);
        awaitServing("a", "b");
        cluster.heal();
        awaitTogether();
        pass(25);

        cluster.kill("a");
        awaitServing("b");

        publish("b", "of b", "meanwhile");
        cluster.start("a");
        awaitTogether();
        assertThat(count("a", "of b")).isEqualTo(2);
    }

    @Test
    void shouldNotGoOnAloneWhenTheLinkIsBackInTime() {
        begin(PartitionHandling.IGNORE);

        cluster.cut("a", "b");
        pass(3);
        cluster.heal();
        pass(8);

        assertThat(cluster.status("a").voters()).containsExactlyInAnyOrder("a", "b");
        awaitServing("a", "b");
    }

    @Test
    void shouldNeedNoLogOfItsOwnWhenTheOtherStopsInOrder() {
        begin(PartitionHandling.IGNORE);
        long incarnation = cluster.status("a").nodes().get("a").incarnation();

        cluster.stop("b");
        pass(8);

        assertThat(cluster.status("a").paused()).isFalse();
        assertThat(cluster.status("a").nodes().get("a").incarnation()).isEqualTo(incarnation);
    }

    @Test
    void shouldNotGoOnAloneAtAStart() {
        begin(PartitionHandling.IGNORE);
        cluster.kill("a");
        cluster.kill("b");

        assertThatThrownBy(() -> cluster.start("a")).hasMessageContaining("it waited for a majority of [b]");
    }

    @Test
    void shouldRefuseToIgnorePartitionsWithThreeNodes() {
        assertThatThrownBy(() -> Cluster.inMemory(3, node -> node.partitionHandling(PartitionHandling.IGNORE)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ignore is for clusters of two nodes without a witness")
                .hasMessageContaining("use quorum");
    }
}
