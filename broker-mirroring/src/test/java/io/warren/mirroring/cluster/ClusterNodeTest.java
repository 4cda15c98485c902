package io.warren.mirroring.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.QueueOptions;
import io.warren.mirroring.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with everything a process has: TCP, Ratis, directories. */
@Timeout(120)
class ClusterNodeTest {
    @TempDir
    private Path folder;

    private ClusterNodes nodes;

    @BeforeEach
    void create() {
        nodes = new ClusterNodes(folder).heartbeat(Duration.ofMillis(200));
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void shouldServeAQueueOfOneNodeAtAllOthers() {
        nodes.with("a", "b", "c");
        nodes.channel("a").queueDeclare(QueueOptions.durable("orders"));

        nodes.publish(nodes.channel("b"), "orders", "one book");

        assertThat(nodes.channel("c").get("orders", true).text()).isEqualTo("one book");
        assertThat(nodes.node("c").status().running()).containsExactly("a", "b", "c");
        assertThat(nodes.node("c").status().voters()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void shouldHaveDurableQueuesAgainWhenTheirNodeComesBack() {
        nodes.with("a", "b", "c");
        nodes.channel("b").queueDeclare(QueueOptions.durable("orders"));
        nodes.publish(nodes.channel("a"), "orders", "one book");

        nodes.stop("b");
        nodes.awaitRunning("a", "a", "c");
        assertThat(nodes.node("a").status().voters())
                .as("a stopped node gives up its vote")
                .doesNotContain("b");
        nodes.start("b");
        nodes.awaitRunning("a", "a", "b", "c");

        nodes.awaitCount("c", "orders", 1);
    }

    @Test
    void shouldHaveEverythingAgainWhenAllWereStopped() {
        nodes.with("a", "b");
        nodes.channel("a").queueDeclare(QueueOptions.durable("of-a"));
        nodes.channel("b").queueDeclare(QueueOptions.durable("of-b"));
        nodes.stop("a");
        nodes.stop("b");

        nodes.with("b", "a");

        nodes.awaitCount("b", "of-a", 0);
        assertThat(nodes.channel("a").queueDeclarePassive("of-b").messageCount())
                .isZero();
    }

    @Test
    void shouldSayWhoIsWaitedForWhenTheOthersStoppedLater() {
        nodes.with("a", "b");
        nodes.stop("a");
        nodes.stop("b");

        ClusterSettings early = nodes.impatient("a");

        assertThatThrownBy(() -> ClusterNode.start(early))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'a' waited for")
                .hasMessageContaining("b");
    }

    @Test
    void shouldForgetANodeThatIsDown() {
        nodes.with("a", "b", "c");
        nodes.channel("c").queueDeclare(QueueOptions.durable("orders"));
        nodes.stop("c");
        nodes.awaitRunning("a", "a", "b");

        assertThatThrownBy(() -> nodes.node("a").forget("c", false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("//orders");
        nodes.node("a").forget("c", true);

        assertThat(nodes.node("a").status().nodes()).containsOnlyKeys("a", "b");
        assertThat(nodes.node("a").durableQueuesOf("c")).isEmpty();
    }

    @Test
    void shouldDeclareAKilledNodeDownAndTakeItBack() {
        nodes.with("a", "b", "c");
        nodes.channel("b").queueDeclare(QueueOptions.durable("orders"));

        nodes.kill("a");

        nodes.awaitRunning("b", "b", "c");
        nodes.channel("c").queueDeclare(QueueOptions.durable("after-a"));
        nodes.start("a");
        nodes.awaitRunning("b", "a", "b", "c");
        assertThat(nodes.node("b").status().nodes().get("a").incarnation()).isEqualTo(2);
        assertThat(nodes.channel("a").queueDeclarePassive("after-a").messageCount())
                .isZero();
    }

    @Test
    void shouldGoOnWithAWitnessWhenOneOfTwoNodesIsKilled() throws IOException {
        nodes.with("a", "b");
        try (ClusterWitness witness = ClusterWitness.start(nodes.settings("w"))) {
            assertThat(nodes.node("a").status().voters()).containsExactlyInAnyOrder("a", "b", "w");

            nodes.kill("a");

            nodes.awaitRunning("b", "b");
            nodes.channel("b").queueDeclare(QueueOptions.durable("orders"));
            await().atMost(ClusterNodes.WAIT)
                    .until(() -> !nodes.node("b").status().paused());
            assertThat(witness.status().running()).containsExactly("b");
            nodes.stop("b");
        }
    }

    @Test
    void shouldNotLetInANodeWithAnotherSecret() {
        nodes.start("a");
        ClusterSettings stranger = nodes.stranger("b");

        assertThatThrownBy(() -> ClusterNode.start(stranger))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nobody took it");

        assertThat(nodes.node("a").status().running()).containsExactly("a");
    }

    @Test
    void shouldRefuseANodeWhoseNameIsTaken() {
        nodes.with("a", "b");
        ClusterSettings twin = nodes.settings("b", FreePorts.inARow(2), folder.resolve("twin"));

        assertThatThrownBy(() -> ClusterNode.start(twin))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a node named b votes in this cluster's metadata log already");

        nodes.channel("b").queueDeclare(QueueOptions.named("orders"));
        assertThat(nodes.channel("a").queueDeclarePassive("orders").messageCount())
                .isZero();
    }
}
