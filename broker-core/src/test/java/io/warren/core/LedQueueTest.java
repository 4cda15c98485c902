package io.warren.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.message.FieldTable;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Policy;
import io.warren.core.metadata.Queue;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.Reign;
import io.warren.core.spi.SettleVerb;
import io.warren.core.spi.Settlement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a cluster can do with a queue that its nodes lead in turn: the backing queue is the cluster's, and so is the word on each publish. */
class LedQueueTest {

    private static final String QUEUE = "mirrored";

    private final FakeCluster cluster = new FakeCluster();
    private final Broker broker = Broker.builder().homes(cluster).seed(1).start();
    private final Channel client = broker.connect().openChannel();
    private final RecordedChannel channel = new RecordedChannel();

    @AfterEach
    void close() {
        broker.close();
    }

    private Queue queue(String name) {
        return broker.administration().definitions().vhost("/").queue(name);
    }

    private AttachedQueue attached(int attachment) {
        AttachedQueue queue = cluster.led.attach(attachment, channel);
        broker.runDue();
        return queue;
    }

    private void lead(QueueOptions options) {
        cluster.lead(declared(options));
        broker.runDue();
    }

    /** The command as a node elsewhere would submit it. */
    private Queue declared(QueueOptions options) {
        broker.administration().declareQueue("/", options.definition());
        return queue(QUEUE);
    }

    private static Message message(String text) {
        return Message.owning("", QUEUE, Properties.NONE, text.getBytes(UTF_8));
    }

    private static AttachedQueue.Consumer consumer() {
        return new AttachedQueue.Consumer("tag", true, false, 0, 0, 10, false);
    }

    @Test
    void shouldServeClientsHereThroughAttachments() {
        lead(QueueOptions.named(QUEUE));

        client.publish("", QUEUE, "m".getBytes(UTF_8));
        Delivery got = client.get(QUEUE, true);

        assertThat(got.text()).isEqualTo("m");
        assertThat(cluster.said).containsExactly("attached to mirrored", "TAKE 0 from 0", "published");
    }

    @Test
    void shouldConfirmWhenTheBackingQueueIsSafe() {
        lead(QueueOptions.named(QUEUE));
        AttachedQueue queue = attached(1);

        queue.publish(7, 5, message("m"));
        broker.runDue();
        assertThat(channel.heard()).containsExactly("taken 1");
        cluster.force(QUEUE);
        broker.runDue();

        assertThat(channel.heard()).containsExactly("confirmed 7");
        assertThat(cluster.said).containsExactly("TAKE 7 from 5", "published");
    }

    @Test
    void shouldConfirmByABarrierWhatCameBefore() {
        lead(QueueOptions.named(QUEUE));
        AttachedQueue queue = attached(1);
        cluster.verdict = Reign.Verdict.CONFIRM;

        queue.publish(7, 5, message("m"));
        broker.runDue();
        assertThat(channel.heard()).containsExactly("taken 1");
        cluster.force(QUEUE);
        broker.runDue();

        assertThat(channel.heard()).containsExactly("confirmed 7");
        assertThat(broker.vhost("/").queue(QUEUE).ready()).isZero();
    }

    @Test
    void shouldRefuseWhatIsRefusedAndDropWhatIsDropped() {
        lead(QueueOptions.named(QUEUE));
        AttachedQueue queue = attached(1);

        cluster.verdict = Reign.Verdict.REFUSE;
        queue.publish(7, 5, message("m"));
        cluster.verdict = Reign.Verdict.REFUSE;
        broker.runDue();
        List<String> refused = channel.heard();
        cluster.verdict = Reign.Verdict.DROP;
        queue.publish(8, 5, message("m"));
        broker.runDue();

        assertThat(refused).containsExactly("rejected 7", "taken 1");
        assertThat(channel.heard()).isEmpty();
        assertThat(broker.vhost("/").queue(QUEUE).ready()).isZero();
    }

    @Test
    void shouldSayNothingWhenTheReignIsOver() {
        lead(QueueOptions.named(QUEUE));
        AttachedQueue queue = attached(1);
        queue.consume(consumer(), 0);
        queue.publish(1, 1, message("a"));
        broker.runDue();
        assertThat(channel.heard()).containsExactly("consumes tag", "delivered a in 1", "taken 1");

        cluster.end();
        queue.publish(2, 1, message("b"));
        queue.settle(SettleVerb.REQUEUE, 1, List.of(0L));
        queue.barrier(3);
        queue.get(true);
        queue.declare();
        queue.purge();
        queue.delete(false, false);
        cluster.force(QUEUE);
        broker.runDue();

        assertThat(channel.heard()).isEmpty();
        assertThat(cluster.said).containsExactly("TAKE 1 from 1", "published");
    }

    @Test
    void shouldBeginAnewInTheNextReign() {
        lead(QueueOptions.named(QUEUE));
        AttachedQueue before = attached(1);
        before.publish(1, 1, message("a"));
        cluster.end();
        cluster.lead(queue(QUEUE));
        broker.runDue();
        channel.heard();

        AttachedQueue queue = attached(2);
        queue.consume(consumer(), 0);
        queue.publish(1, 1, message("a"));
        before.publish(2, 1, message("b"));
        cluster.force(QUEUE);
        broker.runDue();

        assertThat(channel.heard()).containsExactly("consumes tag", "delivered a in 2", "taken 1", "confirmed 1");
    }

    @Test
    void shouldKeepItsLimitFromTheBeginningOfAReign() {
        cluster.lead(declared(QueueOptions.named(QUEUE).maxLength(1)), message("a"), message("b"), message("c"));

        broker.runDue();

        assertThat(broker.vhost("/").queue(QUEUE).ready()).isEqualTo(1);
    }

    @Test
    void shouldPublishADeadLetterWhenTheOthersKnow() {
        client.queueDeclare(QueueOptions.named("dead"));
        lead(QueueOptions.named(QUEUE).deadLetterExchange("").deadLetterRoutingKey("dead"));
        AttachedQueue queue = attached(1);
        queue.consume(consumer(), 0);
        queue.publish(1, 1, message("m"));

        queue.settle(SettleVerb.REJECT, 1, List.of(0L));
        broker.runDue();
        long early = broker.vhost("/").queue("dead").ready();
        cluster.inMailbox(() -> cluster.led.deadLetter(1, 0, Settlement.REJECTED, () -> message("inherited")));
        broker.runDue();

        assertThat(early).isZero();
        assertThat(cluster.said).contains("dead letter 0 REJECTED");
        assertThat(client.get("dead", true).text()).isEqualTo("m");
    }

    @Test
    void shouldPublishWhatAnEarlierMasterBeganToDeadLetter() {
        client.queueDeclare(QueueOptions.named("dead"));
        lead(QueueOptions.named(QUEUE).deadLetterExchange("").deadLetterRoutingKey("dead"));

        cluster.inMailbox(() -> cluster.led.deadLetter(3, 9, Settlement.REJECTED, () -> message("inherited")));
        broker.runDue();

        assertThat(client.get("dead", true).text()).isEqualTo("inherited");
    }

    @Test
    void shouldNumberDeadLettersForAMirroredQueue() {
        client.queueDeclare(QueueOptions.named("dead"));
        lead(QueueOptions.named(QUEUE).deadLetterExchange("").deadLetterRoutingKey("mirrored too"));
        var unused = client.queueDeclareAsync(QueueOptions.named("mirrored too"));
        broker.runDue();
        cluster.said.clear();

        cluster.inMailbox(() -> cluster.led.deadLetter(3, 9, Settlement.REJECTED, () -> message("m")));
        broker.runDue();

        assertThat(cluster.said)
                .startsWith("queue " + queue(QUEUE).id() + " attached to mirrored too", "TAKE 3 from 3");
    }

    @Test
    void shouldFollowAPolicy() {
        lead(QueueOptions.named(QUEUE));
        AttachedQueue queue = attached(1);
        broker.administration()
                .setPolicy("/", new Policy("short", ".*", Policy.AppliesTo.QUEUES, 0, FieldTable.of("max-length", 1)));

        queue.publish(1, 1, message("a"));
        queue.publish(2, 1, message("b"));
        broker.runDue();

        assertThat(broker.vhost("/").queue(QUEUE).peek(2)).hasSize(1);
    }

    @Test
    void shouldTellItsUsersWhenItIsDeleted() {
        lead(QueueOptions.named(QUEUE));
        AttachedQueue queue = attached(1);
        queue.consume(consumer(), 0);
        queue.publish(1, 1, message("a"));
        broker.runDue();
        channel.heard();

        client.queueDelete(QUEUE);

        assertThat(channel.heard()).containsExactly("confirmed 1", "cancelled tag", "queue gone");
    }

    @Test
    void shouldSayWhereItLives() {
        declared(QueueOptions.named(QUEUE));
        QueueView view = broker.vhost("/").queue(QUEUE);

        assertThat(view.isMirrored()).isTrue();
        assertThat(view.home()).isEqualTo("here");
        assertThat(view.slaves()).containsExactly("b", "c");
        assertThat(view.synchronisedSlaves()).containsExactly("b");
        assertThatThrownBy(view::ready)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lives at node 'here'");
    }

    @Test
    void shouldRouteNothingToAQueueThatNobodyCanLead() {
        lead(QueueOptions.named(QUEUE));
        cluster.isAvailable = false;

        client.publish("", QUEUE, "m".getBytes(UTF_8));

        assertThat(broker.vhost("/").queue(QUEUE).ready()).isZero();
        assertThat(cluster.said).isEmpty();
    }

    @Test
    void shouldRefuseAMailboxOfSomebodyElses() {
        Queue queue = declared(QueueOptions.named(QUEUE));

        assertThatThrownBy(() -> cluster.leadIn(Runnable::run, queue))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mailbox=");
    }
}
