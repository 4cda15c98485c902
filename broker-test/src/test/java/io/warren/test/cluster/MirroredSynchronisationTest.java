package io.warren.test.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.QueueView;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Policy;
import io.warren.test.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members that come back, or come later: how they come to hold everything. */
class MirroredSynchronisationTest {
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    private final Cluster cluster = Cluster.inMemory(3);
    private Channel a;

    @BeforeEach
    void connect() {
        a = cluster.connect("a").openChannel();
        a.confirmSelect();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void policy(Map<String, ?> definition) {
        cluster.broker("a")
                .administration()
                .setPolicy("/", new Policy("all", ".*", Policy.AppliesTo.QUEUES, 0, FieldTable.of(definition)));
    }

    private QueueView view() {
        return cluster.broker("b").vhost("/").queue("orders");
    }

    private void publish(int from, int to) {
        texts(from, to).forEach(text -> a.publish("", "orders", PERSISTENT, text.getBytes(UTF_8)));
        assertThat(a.waitForConfirms(WAIT)).isTrue();
    }

    private static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    private static List<String> drain(Channel channel) {
        List<String> all = new ArrayList<>();
        for (Delivery next = channel.get("orders", true); next != null; next = channel.get("orders", true)) {
            all.add(next.text());
        }
        return all;
    }

    private void awaitInSync(String... slaves) {
        await().atMost(WAIT).until(() -> {
            cluster.advance(Duration.ofMillis(500));
            return view().synchronisedSlaves().equals(List.of(slaves));
        });
    }

    /** The queue as the copy at a node has it. */
    private List<String> contentAt(String node) {
        policy(Map.of("ha-mode", "nodes", "ha-params", List.of(node)));
        await().atMost(WAIT).until(() -> view().home().equals(node));
        return drain(cluster.connect("b").openChannel());
    }

    @Test
    void shouldGiveAMemberThatComesBackWhatItLacks() {
        policy(Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
        a.queueDeclare(QueueOptions.durable("orders"));
        publish(0, 500);
        cluster.kill("c");
        publish(500, 700);

        cluster.start("c");
        publish(700, 900);
        awaitInSync("b", "c");

        assertThat(contentAt("c")).isEqualTo(texts(0, 900));
    }

    @Test
    void shouldLeaveItToSomebodyToAskWhereThePolicySaysSo() {
        policy(Map.of("ha-mode", "all"));
        a.queueDeclare(QueueOptions.durable("orders"));
        publish(0, 500);
        cluster.restart("c");
        cluster.advance(Duration.ofSeconds(3));
        assertThat(view().slaves()).containsExactly("b", "c");
        assertThat(view().synchronisedSlaves()).containsExactly("b");

        cluster.node("a").synchronise("/", "orders");
        awaitInSync("b", "c");

        assertThat(contentAt("c")).isEqualTo(texts(0, 500));
    }

    @Test
    void shouldBeInSyncWhenEverythingOlderIsGone() {
        policy(Map.of("ha-mode", "all"));
        a.queueDeclare(QueueOptions.durable("orders"));
        publish(0, 100);
        cluster.restart("c");
        publish(100, 200);

        for (int i = 0; i < 100; i++) {
            a.get("orders", true);
        }
        // What is settled is applied in batches: enough for one.
        publish(200, 600);
        awaitInSync("b", "c");

        assertThat(contentAt("c")).isEqualTo(texts(100, 600));
    }

    @Test
    void shouldGoOnFromAMemberThatCameLater() {
        policy(Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
        a.queueDeclare(QueueOptions.durable("orders"));
        publish(0, 300);
        cluster.restart("b");
        awaitInSync("c", "b");
        cluster.restart("c");
        awaitInSync("b", "c");

        cluster.kill("a");
        a = cluster.connect("c").openChannel();
        a.confirmSelect();
        publish(300, 400);

        assertThat(view().home()).isEqualTo("b");
        assertThat(drain(a)).isEqualTo(texts(0, 400));
    }

    @Test
    void shouldRefuseToSynchroniseElsewhere() {
        policy(Map.of("ha-mode", "all"));
        a.queueDeclare(QueueOptions.durable("orders"));

        assertThatThrownBy(() -> cluster.node("b").synchronise("/", "orders"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the queue is led at node 'a'");
        assertThatThrownBy(() -> cluster.node("b").synchronise("/", "nothing"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is no queue 'nothing' in vhost '/'");
    }
}
