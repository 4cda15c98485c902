package io.warren.test.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.Channel;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import io.warren.mirroring.metadata.PartitionHandling;
import io.warren.test.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The restart scenarios of a cluster of two, for a plain durable queue of each node, whatever the partition handling. */
class RestartScenariosTest {
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    @TempDir
    Path directory;

    private Cluster cluster;

    private void begin(PartitionHandling handling) {
        cluster = Cluster.inMemory(2, node -> node.partitionHandling(handling)
                .broker(broker -> broker.dataDirectory(directory.resolve(node.name()))));
        publish("a", "of a");
        publish("b", "of b");
    }

    private void publish(String node, String queue) {
        Channel channel = cluster.connect(node).openChannel();
        channel.queueDeclare(QueueOptions.durable(queue));
        channel.confirmSelect();
        channel.publish("", queue, PERSISTENT, "one".getBytes(UTF_8));
        channel.waitForConfirms(Duration.ofSeconds(10));
    }

    private void assertHeld(String through, String queue) {
        assertThat(cluster.connect(through).openChannel().get(queue, true).text())
                .isEqualTo("one");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("S1: the node that stopped last starts alone, and the other one after it")
    void shouldStartTheNodeThatStoppedLastAloneAndTheOtherAfterIt(PartitionHandling handling) {
        begin(handling);
        cluster.stop("a");
        cluster.stop("b");

        assertThatThrownBy(() -> cluster.start("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it waited for a majority of [b]");
        cluster.start("b");
        cluster.start("a");

        assertHeld("a", "of b");
        assertHeld("b", "of a");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("S2: nodes that died together start when both are there, and neither goes on alone at a start")
    void shouldStartNodesThatDiedTogetherWhenBothAreThere(PartitionHandling handling) {
        begin(handling);
        cluster.kill("a");
        cluster.kill("b");

        assertThatThrownBy(() -> cluster.start("b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it waited for a majority of [a]");
        cluster.startTogether("a", "b");

        assertHeld("a", "of b");
        assertHeld("b", "of a");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("S3: the node that stopped last starts, forgets the one that is lost, and takes a new one in")
    void shouldForgetANodeThatStoppedFirstAndIsLost(PartitionHandling handling) {
        begin(handling);
        cluster.stop("a");
        cluster.stop("b");

        cluster.start("b");
        assertThatThrownBy(() -> cluster.node("b").forget("a", false))
                .hasMessage("without node 'a' its durable queues are lost: [//of a]");
        cluster.node("b").forget("a", true);

        assertThat(cluster.status("b").nodes()).containsOnlyKeys("b");
        assertThat(cluster.status("b").voters()).containsOnly("b");
        Channel b = cluster.connect("b").openChannel();
        b.queueDeclare(QueueOptions.durable("of a"));
        cluster.reset("a");
        cluster.start("a");
        assertHeld("a", "of b");
        assertThat(cluster.status("b").voters()).containsOnly("a", "b");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "S4, S9: a node that stopped first goes on without the one that is lost, though it was started in between")
    void shouldGoOnWithoutTheNodeThatStoppedLast(PartitionHandling handling) {
        begin(handling);
        cluster.stop("a");
        publish("b", "declared later");
        cluster.stop("b");
        assertThatThrownBy(() -> cluster.start("a")).hasMessageContaining("it waited for a majority of [b]");

        cluster.forgetOffline("a", "b");
        cluster.start("a");

        assertHeld("a", "of a");
        assertThat(cluster.status("a").nodes()).containsOnlyKeys("a");
        Channel a = cluster.connect("a").openChannel();
        a.queueDeclare(QueueOptions.durable("of b"));
        a.queueDeclare(QueueOptions.durable("declared later"));
        assertThat(a.queueDeclarePassive("declared later").messageCount()).isZero();
    }

    @Test
    @DisplayName("S7: without the node that stopped last its queues are down, and are back when it is")
    void shouldHaveTheQueuesOfANodeThatCameBackAfterTheOtherWentOn() {
        begin(PartitionHandling.QUORUM);
        cluster.stop("a");
        cluster.stop("b");

        cluster.forgetOffline("a");
        cluster.start("a");

        assertHeld("a", "of a");
        assertThatThrownBy(() -> cluster.connect("a").openChannel().get("of b", true))
                .hasMessageContaining("home node 'b' of durable queue 'of b' in vhost '/' is down or inaccessible");
        cluster.start("b");
        assertHeld("a", "of b");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("S8: a node that runs is not forgotten, and one that was forgotten does not come back as it is")
    void shouldRefuseToForgetANodeThatRunsAndToStartOneThatWasForgotten(PartitionHandling handling) {
        begin(handling);
        assertThatThrownBy(() -> cluster.node("b").forget("a", true))
                .hasMessage("node 'a' runs: it must be stopped first");
        cluster.stop("a");
        cluster.node("b").forget("a", true);

        assertThatThrownBy(() -> cluster.start("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it was forgotten by its cluster, whose nodes are [b]");

        assertThat(cluster.status("b").nodes()).containsOnlyKeys("b");
        assertThat(cluster.status("b").voters()).containsOnly("b");
        assertHeld("b", "of b");
    }

    @Test
    void shouldLeaveAndGoOnAlone() {
        begin(PartitionHandling.QUORUM);
        assertThatThrownBy(() -> cluster.leave("b", false))
                .hasMessage("without node 'b' its durable queues are lost: [//of b]");
        cluster.leave("b", true);

        Channel a = cluster.connect("a").openChannel();
        a.queueDeclare(QueueOptions.durable("of b"));
        assertThat(cluster.status("a").nodes()).containsOnlyKeys("a");
    }

    @Test
    void shouldTakeDownAQueueWithItsNodeWhenThatStopsInOrder() {
        begin(PartitionHandling.QUORUM);
        Channel a = cluster.connect("a").openChannel();

        cluster.stop("b");

        assertThatThrownBy(() -> a.get("of b", true))
                .hasMessageContaining("home node 'b' of durable queue 'of b' in vhost '/' is down or inaccessible");
        cluster.start("b");
        assertHeld("a", "of b");
    }
}
