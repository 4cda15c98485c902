package io.warren.examples.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.QueueOptions;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Policy;
import io.warren.mirroring.entrylog.SetAside;
import io.warren.mirroring.node.Node;
import io.warren.test.Cluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the cluster command says of mirrored queues, and does with them. */
class ClusterCommandsTest {
    private static final String QUEUE = "new orders";
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    private final Cluster cluster = Cluster.inMemory(3);

    @BeforeEach
    void mirror() {
        cluster.advance(Duration.ofSeconds(3));
        cluster.broker("a")
                .administration()
                .setPolicy(
                        "/", new Policy("all", "orders", Policy.AppliesTo.QUEUES, 0, FieldTable.of("ha-mode", "all")));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void declare() {
        Channel channel = cluster.connect("a").openChannel();
        channel.queueDeclare(QueueOptions.durable(QUEUE));
        channel.queueDeclare(QueueOptions.durable("plain"));
        channel.confirmSelect();
        for (int i = 0; i < 10; i++) {
            channel.publish("", QUEUE, PERSISTENT, "one book".getBytes(UTF_8));
        }
        assertThat(channel.waitForConfirms(Duration.ofSeconds(10))).isTrue();
    }

    private String ask(String name, String... words) {
        Node node = cluster.node(name);
        return new ClusterCommands(node::status, node).apply(CommandWords.join(List.of(words)));
    }

    private void awaitQueues(String line) {
        await().untilAsserted(() -> {
            cluster.advance(Duration.ofMillis(500));
            assertThat(ask("a", "queues")).isEqualTo(line);
        });
    }

    @Test
    void shouldTellOfQueuesSynchroniseAndMoveThem() {
        assertThat(ask("a", "queues")).isEqualTo("no queue is mirrored");
        declare();
        assertThat(ask("b", "queues")).isEqualTo("vhost /, queue new orders: master a +2, slaves b c, in sync b c");

        cluster.restart("b");
        awaitQueues("vhost /, queue new orders: master a +1 +1 unsynchronised, slaves c b, in sync c");
        assertThat(ask("a", "synchronise", "/", QUEUE))
                .isEqualTo("queue 'new orders' in vhost '/': synchronisation begins; 'queues' tells who is in sync");
        awaitQueues("vhost /, queue new orders: master a +2, slaves c b, in sync c b");

        assertThat(ask("c", "move", "/", QUEUE, "b"))
                .isEqualTo("queue 'new orders' in vhost '/': node 'b' is asked to lead");
        await().untilAsserted(() -> assertThat(ask("a", "queues")).startsWith("vhost /, queue new orders: master b "));
    }

    @Test
    void shouldTellWhatAQueueWaitsFor() {
        declare();
        cluster.restart("b");
        cluster.restart("c");
        cluster.kill("a");

        assertThat(ask("b", "queues")).isEqualTo("vhost /, queue new orders: down, waits for a");
    }

    @Test
    void shouldNameWhatWasGivenAndWhatIsAllowed() {
        declare();
        assertRefused("queue 'old orders' in vhost '/': there is no queue", "synchronise", "/", "old orders");
        assertRefused("queue 'plain' in vhost '/': the queue is not mirrored", "synchronise", "/", "plain");
        assertRefused(
                "queue 'new orders' in vhost '/': the queue is led at node 'a'", "cancel-synchronisation", "/", QUEUE);
        assertRefused(
                "queue 'new orders' in vhost '/': node 'd' does not hold everything of the queue; in sync are [a, b, c]",
                "move",
                "/",
                QUEUE,
                "d");
        assertRefused(
                "'synchronise new orders' is not one of: status, queues, synchronise VHOST QUEUE,"
                        + " cancel-synchronisation VHOST QUEUE, move VHOST QUEUE NODE, aside, put-back NAME VHOST QUEUE,"
                        + " delete-aside NAME, forget NODE",
                "synchronise",
                QUEUE);
    }

    @Test
    void shouldNameSetsThatAreNotThere() {
        declare();

        assertThat(ask("b", "aside")).isEqualTo("nothing is set aside");
        assertRefused("nothing was set aside as 'old'; there are []", "put-back", "old", "/", QUEUE);
        assertRefused("cannot be deleted: 'old': this node keeps no copies on disk", "delete-aside", "old");
    }

    @Test
    void shouldTellOfEachSetInALine() {
        Message first = Message.copyOf("books", "new", PERSISTENT, "one book".getBytes(UTF_8));
        SetAside some = new SetAside("aside-queue-7", 7, List.of(first, first));
        SetAside none = new SetAside("aside-queue-8", 8, List.of());

        assertThat(AsideReport.of(List.of(some, none)))
                .isEqualTo("aside-queue-7: 2 messages, the first to exchange and key 'books' 'new'\n"
                        + "aside-queue-8: 0 messages");
    }

    private void assertRefused(String why, String... words) {
        assertThatThrownBy(() -> ask("b", words)).hasMessageStartingWith(why);
    }

    @Test
    void shouldOnlyTellTheStatusOfAWitness() {
        Node node = cluster.node("a");

        assertThatThrownBy(() -> new ClusterCommands(node::status, null).apply("queues"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'queues' is not one of: status");
    }
}
