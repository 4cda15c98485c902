package io.warren.mirroring.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.QueueOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does when nodes are lost for good: with directories, Ratis and TCP. */
@Timeout(180)
class RecoveryTest {
    @TempDir
    private Path folder;

    private ClusterNodes nodes;

    @BeforeEach
    void create() {
        nodes = new ClusterNodes(folder);
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private void startTwo() {
        nodes.with("a", "b");
        nodes.publish("a", "of a", "one");
        nodes.publish("b", "of b", "one");
    }

    @Test
    @DisplayName("S3: the node that stopped last starts, forgets the one that is lost, and takes a new one in")
    void shouldForgetANodeThatStoppedFirstAndTakeANewOneIn() throws IOException {
        startTwo();
        long forgotten = nodes.node("b").status().nodes().get("a").incarnation();
        nodes.stop("a");
        nodes.stop("b");

        ClusterNode b = nodes.start("b");
        b.forget("a", true);
        nodes.start("c");

        nodes.awaitCount("c", "of b", 1);
        assertThat(b.status().voters()).containsExactlyInAnyOrder("b", "c");
        assertThat(b.status().nodes()).containsOnlyKeys("b", "c");
        try (ClusterNode replaced =
                ClusterNode.start(nodes.settings("a", nodes.port("a"), nodes.directory("another a")))) {
            nodes.awaitRunning("b", "a", "b", "c");
            assertThat(replaced.status().nodes().get("a").incarnation())
                    .as("what a process of the forgotten node never was")
                    .isGreaterThan(forgotten);
        }
    }

    @Test
    @DisplayName(
            "S4, S9: a node that stopped first goes on without the one that is lost, though it was started in between")
    void shouldGoOnWithoutTheNodeThatStoppedLast() throws IOException {
        startTwo();
        nodes.stop("a");
        nodes.awaitRunning("b", "b");
        nodes.publish("b", "declared later", "one");
        nodes.stop("b");
        ClusterSettings early = nodes.impatient("a");
        assertThatThrownBy(() -> ClusterNode.start(early)).hasMessageContaining("'a' waited for");

        try (StoppedNode a = StoppedNode.open(nodes.directory("a"))) {
            assertThat(a.losses(List.of("b"))).anyMatch(loss -> loss.startsWith("queue //of b: all of it"));
            assertThatThrownBy(() -> a.forget(List.of("b"), false))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("//of b");
            a.forget(List.of("b"), true);
        }
        ClusterNode a = nodes.start("a");

        nodes.awaitCount("a", "of a", 1);
        assertThat(a.status().nodes()).containsOnlyKeys("a");
        assertThat(a.status().voters()).containsExactly("a");
        nodes.channel("a").queueDeclare(QueueOptions.durable("declared later"));
        nodes.start("c");
        nodes.awaitCount("c", "of a", 1);
    }

    @Test
    @DisplayName("S5: a copy of a node's directory is the node")
    void shouldGoOnFromACopyOfADirectory() throws IOException {
        startTwo();
        nodes.stop("a");
        nodes.stop("b");
        Path moved = folder.resolve("moved");
        copy(nodes.directory("b"), moved);
        delete(nodes.directory("a"));
        delete(nodes.directory("b"));
        Files.move(moved, nodes.directory("b"));

        ClusterNode b = nodes.start("b");

        b.forget("a", true);
        nodes.awaitCount("b", "of b", 1);
    }

    @Test
    @DisplayName("S6: without a disk nothing is recovered, and that is said")
    void shouldSayWhenThereIsNothingToRecover() throws IOException {
        startTwo();
        nodes.stop("a");
        nodes.stop("b");
        delete(nodes.directory("a"));

        assertThatThrownBy(() -> StoppedNode.open(nodes.directory("a")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no node's: nothing can be recovered from it");
        delete(nodes.directory("b").resolve("metadata"));
        assertThatThrownBy(() -> StoppedNode.open(nodes.directory("b")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("knows no metadata log");
        ClusterSettings seeking = nodes.impatient("b").join(List.of("127.0.0.1:1"));
        assertThatThrownBy(() -> ClusterNode.start(seeking))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nobody took it into the cluster");
    }

    @Test
    @DisplayName("S7: without the node that stopped last its queues are down, and are back when it is")
    void shouldHaveTheQueuesOfANodeThatComesBackAfterOthersWentOn() throws IOException {
        startTwo();
        nodes.start("c");
        nodes.stop("c");
        nodes.stop("a");
        nodes.stop("b");

        try (StoppedNode a = StoppedNode.open(nodes.directory("a"))) {
            assertThat(a.losses(List.of("c"))).singleElement().asString().startsWith("whatever was declared");
            a.forget(List.of("c"), true);
        }
        nodes.start("a");
        assertThatThrownBy(() -> nodes.channel("a").queueDeclarePassive("of b"))
                .hasMessageContaining("home node 'b' of durable queue 'of b' in vhost '/' is down or inaccessible");

        nodes.start("b");

        nodes.awaitRunning("a", "a", "b");
        nodes.awaitCount("a", "of b", 1);
        nodes.awaitVoters("a", "a", "b");
    }

    @Test
    @DisplayName("S8: a node that runs is not forgotten, and one that was forgotten does not come back as it is")
    void shouldRefuseToForgetANodeThatRunsAndToStartOneThatWasForgotten() throws IOException {
        startTwo();
        nodes.start("c");
        ClusterNode a = nodes.node("a");
        assertThatThrownBy(() -> a.forget("b", true)).hasMessage("node 'b' runs: it must be stopped first");
        nodes.kill("b");
        nodes.awaitRunning("a", "a", "c");
        a.forget("b", true);

        ClusterSettings again = nodes.settings("b");
        assertThatThrownBy(() -> ClusterNode.start(again))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("node 'b' was forgotten by its cluster, whose nodes are [a, c]");

        assertThat(a.status().voters()).containsExactlyInAnyOrder("a", "c");
        delete(nodes.directory("b"));
        nodes.start("b");
        nodes.awaitRunning("a", "a", "b", "c");
    }

    @Test
    void shouldNotTouchANodeThatRunsNorForgetWhoIsNotThere() throws IOException {
        startTwo();
        assertThatThrownBy(() -> StoppedNode.open(nodes.directory("a")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is in use: its node runs");
        ClusterSettings twice = nodes.settings("a");
        assertThatThrownBy(() -> ClusterNode.start(twice)).hasMessageContaining("is in use: its node runs");
        nodes.stop("a");

        try (StoppedNode a = StoppedNode.open(nodes.directory("a"))) {
            assertThatThrownBy(() -> a.forget(List.of("x"), true))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("nodes=[x]: those that node 'a' can forget are [b]");
            assertThatThrownBy(() -> a.forget(List.of("a", "b"), true)).isInstanceOf(IllegalArgumentException.class);
        }
        nodes.start("a");
        nodes.awaitCount("b", "of a", 1);
    }

    @Test
    void shouldRefuseADirectoryOfAnotherNode() throws IOException {
        nodes.start("a");
        nodes.stop("a");
        ClusterSettings other = nodes.settings("b", nodes.port("b"), nodes.directory("a"));

        assertThatThrownBy(() -> ClusterNode.start(other))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is node 'a', and cannot be node 'b'");
    }

    @Test
    @DisplayName(
            "S1, S2: three nodes come up after a full stop, and when all were killed: two of them, and the third when it comes")
    void shouldComeUpAfterAFullStopAndAfterAllWereKilled() {
        startTwo();
        nodes.start("c");
        nodes.publish("c", "of c", "one");
        List.of("b", "c", "a").forEach(nodes::stop);

        nodes.start("a");
        nodes.startTogether("b", "c");
        nodes.awaitRunning("a", "a", "b", "c");
        nodes.awaitVoters("a", "a", "b", "c");
        List.of("a", "b", "c").forEach(nodes::kill);
        nodes.startTogether("b", "c");
        nodes.start("a");

        for (String node : List.of("a", "b", "c")) {
            nodes.awaitCount("a", "of " + node, 1);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
