package io.warren.mirroring.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.mirroring.metadata.PartitionHandling;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes, with TCP, Ratis and directories, of which one is killed: in both modes of partition handling. */
@Timeout(180)
class PartitionHandlingNodesTest {
    @TempDir
    private Path folder;

    private ClusterNodes nodes;

    private void start(PartitionHandling handling) {
        start(new ClusterNodes(folder).handling(handling));
    }

    private void start(ClusterNodes pair) {
        nodes = pair.with("a", "b");
        nodes.publish("a", "of a", "one");
        nodes.publish("b", "of b", "one");
        nodes.awaitRunning("b", "a", "b");
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private void awaitServing(String name) {
        await().atMost(ClusterNodes.WAIT)
                .until(() -> nodes.node(name).status().running().contains(name)
                        && !nodes.node(name).status().paused());
    }

    @Test
    void shouldGoOnWithIgnoreAndTakeTheOtherBack() {
        start(PartitionHandling.IGNORE);

        nodes.kill("a");

        nodes.awaitVoters("b", "b");
        nodes.awaitRunning("b", "b");
        awaitServing("b");
        nodes.publish("b", "of b", "meanwhile");
        nodes.publish("b", "new at b", "meanwhile");
        nodes.start("a");
        nodes.awaitRunning("b", "a", "b");
        nodes.awaitCount("a", "of b", 2);
        nodes.awaitCount("b", "of a", 1);
        nodes.awaitCount("a", "new at b", 1);
        nodes.awaitVoters("a", "a", "b");
    }

    @Test
    void shouldPauseWithQuorumUntilTheOtherIsBack() {
        // A voter that was never linked counts as starting for twenty heartbeats, and one that is killed at once may be
        // one.
        start(new ClusterNodes(folder).handling(PartitionHandling.QUORUM).heartbeat(Duration.ofMillis(250)));

        nodes.kill("a");

        await().atMost(ClusterNodes.WAIT).until(() -> nodes.node("b").status().paused());
        assertThat(nodes.node("b").status().voters()).containsExactlyInAnyOrder("a", "b");
        nodes.start("a");
        awaitServing("b");
        nodes.awaitCount("a", "of b", 1);
    }

    @Test
    void shouldRefuseIgnoreForAThirdNodeOrAWitness() {
        start(PartitionHandling.IGNORE);
        ClusterSettings third = nodes.settings("c");

        assertThatThrownBy(() -> ClusterNode.start(third))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("use quorum");
        ClusterSettings witness = nodes.settings("w");
        assertThatThrownBy(() -> ClusterWitness.start(witness))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("quorum");

        nodes.awaitVoters("a", "a", "b");
        nodes.publish("a", "of a", "two");
    }

    @Test
    void shouldNotGoOnAloneAtAStart() {
        start(PartitionHandling.IGNORE);
        // One may have begun to go on by itself; what counts is a start that finds nobody.
        nodes.killTogether("a", "b");
        ClusterSettings early = nodes.impatient("a");

        assertThatThrownBy(() -> ClusterNode.start(early))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'a' waited for");
    }
}
