package io.warren.test.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.Channel;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import io.warren.test.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The restart scenarios S1 and S2 of a cluster of two, for a plain durable queue of node b. */
class RestartScenariosTest {
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    @TempDir
    Path directory;

    private Cluster cluster;

    @BeforeEach
    void begin() {
        cluster = Cluster.inMemory(
                2, node -> node.broker(broker -> broker.dataDirectory(directory.resolve(node.name()))));
        Channel b = cluster.connect("b").openChannel();
        b.queueDeclare(QueueOptions.durable("orders"));
        b.confirmSelect();
        b.publish("", "orders", PERSISTENT, "one".getBytes(UTF_8));
        b.waitForConfirms(Duration.ofSeconds(10));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void shouldStartTheNodeThatStoppedLastAloneAndTheOtherAfterIt() {
        cluster.stop("a");
        cluster.stop("b");

        assertThatThrownBy(() -> cluster.start("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it waited for a majority of [b]");
        cluster.start("b");
        cluster.start("a");

        Channel a = cluster.connect("a").openChannel();
        assertThat(a.get("orders", true).text()).isEqualTo("one");
    }

    @Test
    void shouldStartNodesThatDiedTogetherWhenBothAreThere() {
        cluster.kill("a");
        cluster.kill("b");

        assertThatThrownBy(() -> cluster.start("b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it waited for a majority of [a]");
        cluster.startTogether("a", "b");

        Channel a = cluster.connect("a").openChannel();
        assertThat(a.get("orders", true).text()).isEqualTo("one");
    }

    @Test
    void shouldForgetANodeThatStoppedFirstAndIsLost() {
        Channel a = cluster.connect("a").openChannel();
        a.queueDeclare(QueueOptions.durable("at a"));
        assertThatThrownBy(() -> cluster.node("b").forget("a", true))
                .hasMessage("node 'a' runs: it must be stopped first");
        cluster.stop("a");
        cluster.stop("b");

        cluster.start("b");
        assertThatThrownBy(() -> cluster.node("b").forget("a", false))
                .hasMessage("without node 'a' its durable queues are lost: [//at a]");
        cluster.node("b").forget("a", true);

        Channel b = cluster.connect("b").openChannel();
        b.queueDeclare(QueueOptions.durable("at a"));
        assertThat(b.get("orders", true).text()).isEqualTo("one");
        assertThat(cluster.status("b").nodes()).containsOnlyKeys("b");
        assertThat(cluster.status("b").voters()).containsOnly("b");
    }

    @Test
    void shouldLeaveAndGoOnAlone() {
        assertThatThrownBy(() -> cluster.leave("b", false))
                .hasMessage("without node 'b' its durable queues are lost: [//orders]");
        cluster.leave("b", true);

        Channel a = cluster.connect("a").openChannel();
        a.queueDeclare(QueueOptions.durable("orders"));
        assertThat(cluster.status("a").nodes()).containsOnlyKeys("a");
    }

    @Test
    void shouldTakeDownAQueueWithItsNodeWhenThatStopsInOrder() {
        Channel a = cluster.connect("a").openChannel();

        cluster.stop("b");

        assertThatThrownBy(() -> a.get("orders", true))
                .hasMessageContaining("home node 'b' of durable queue 'orders' in vhost '/' is down or inaccessible");
        cluster.start("b");
        assertThat(cluster.connect("a").openChannel().get("orders", true).text())
                .isEqualTo("one");
    }
}
