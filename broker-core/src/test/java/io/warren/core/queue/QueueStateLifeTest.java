package io.warren.core.queue;

import static io.warren.core.queue.QueueFixture.acknowledging;
import static io.warren.core.queue.QueueSettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.spi.BackingQueue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Declare, purge, delete, auto-delete and the lease of x-expires. */
class QueueStateLifeTest {

    @Test
    void shouldTellReadyAndConsumersWhenDeclaredAgain() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume(acknowledging(queue.a, "c1", 1));
        queue.publish("m1", "m2", "m3");
        queue.forgetEffects();

        queue.state.onDeclare(queue.b, 0);

        assertThat(queue.effects()).containsExactly("declareOk b ready=2 consumers=1");
    }

    @Test
    void shouldForgetOnlyReadyWhenPurged() {
        QueueFixture queue = new QueueFixture(settings().deadLetterExchange("dlx"));
        queue.consume(acknowledging(queue.a, "c1", 1));
        queue.publish("m1", "m2", "m3");
        queue.forgetEffects();

        queue.state.onPurge(queue.b, 0);

        assertThat(queue.effects()).containsExactly("purged b 2");
        assertThat(queue.state.readyCount()).isZero();
        assertThat(queue.state.unackedCount()).isEqualTo(1);
    }

    @Test
    void shouldRefuseDeleteWhenUsedAndAskedForUnused() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume("c1");
        queue.forgetEffects();

        queue.state.onDelete(queue.b, true, false);
        queue.state.onDelete(queue.b, false, false);

        assertThat(queue.effects())
                .containsExactly(
                        "deleteRefused b: PRECONDITION_FAILED - queue 'q' in vhost '/' in use", "deleteGranted b 0");
    }

    @Test
    void shouldRefuseDeleteWhenFilledAndAskedForEmpty() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1");
        queue.forgetEffects();

        queue.state.onDelete(queue.b, true, true);
        queue.state.onDelete(queue.b, true, false);

        assertThat(queue.effects())
                .containsExactly(
                        "deleteRefused b: PRECONDITION_FAILED - queue 'q' in vhost '/' not empty", "deleteGranted b 1");
    }

    @Test
    void shouldGrantDeleteWhenEmptyAndUnused() {
        QueueFixture queue = new QueueFixture(settings());

        queue.state.onDelete(queue.b, true, true);

        assertThat(queue.effects()).containsExactly("deleteGranted b 0");
    }

    @Test
    void shouldTellConsumersAndConfirmWhenDeleted() {
        QueueFixture queue = new QueueFixture(settings());
        queue.log.safeOffset = -1;
        queue.consume(acknowledging(queue.a, "c1", 1));
        queue.consume(acknowledging(queue.b, "c2", 1));
        queue.publish("m1", "m2", "m3");
        queue.forgetEffects();

        queue.state.onDeleted();

        assertThat(queue.effects())
                .containsExactly("confirmed p 1", "confirmed p 2", "confirmed p 3", "cancelled c1", "cancelled c2");
        assertThat(queue.state.consumerCount()).isZero();
        assertThat(queue.state.unackedCount()).isZero();
        assertThat(queue.heldBytes).isZero();
        assertThat(queue.log.takeEntries()).endsWith("delete");
    }

    @Test
    void shouldIgnoreWhatIsSettledLateWhenDeleted() {
        QueueFixture queue = new QueueFixture(settings().deadLetterExchange("dlx"));
        queue.consume("c1");
        queue.publish("m1", "m2", "m3");
        queue.reject("m3");
        queue.state.onDeleted();
        queue.forgetEffects();

        queue.ack("m1");
        queue.requeue("m2");
        queue.state.onDeadLettered(2);
        queue.state.onChannelClosed(queue.a, 0);

        assertThat(queue.effects()).isEmpty();
        assertThat(queue.state.unackedCount()).isZero();
        assertThat(queue.log.settled).isEmpty();
    }

    @Test
    void shouldAnswerEveryRequestWhenDeletedAlready() {
        QueueFixture queue = new QueueFixture(settings().autoDelete(true));
        QueueConsumer consumer = queue.consume("c1");
        queue.publish("m1");
        queue.consume(acknowledging(queue.a, "c2", 1));
        queue.state.onCancel(consumer, 0);
        queue.publish("m2", "m3");
        queue.state.onDeleted();
        queue.forgetEffects();

        queue.publish("m4");
        queue.state.onPublish(null, 0, Messages.message("m5"), 0);
        queue.consume("c3");
        queue.state.onCancel(consumer, 0);
        queue.get(queue.a);
        queue.state.onDeclare(queue.a, 0);
        queue.state.onPurge(queue.a, 0);
        queue.state.onDelete(queue.a, true, true);

        assertThat(queue.effects())
                .containsExactly(
                        "confirmed p 4",
                        "consumeRefused c3: NOT_FOUND - no queue 'q' in vhost '/'",
                        "cancelOk c1",
                        "getEmpty a",
                        "declareOk a ready=0 consumers=0",
                        "purged a 0",
                        "deleteGranted a 0");
        assertThat(queue.state.readyCount()).isZero();
        assertThat(queue.state.peek(10)).isEmpty();
    }

    @Test
    void shouldDoNothingMoreWhenDeleted() {
        QueueFixture queue = new QueueFixture(settings().messageTtlNs(100).expiresNs(200));
        queue.publish("m1");
        queue.state.onDeleted();
        queue.forgetEffects();

        queue.advanceTo(100);
        queue.state.onTimer(300);

        assertThat(queue.effects()).isEmpty();
        assertThat(queue.output.wakeAtNs).isEqualTo(BackingQueue.NEVER);
    }

    @Test
    void shouldAskForDeletionWhenLastConsumerOfAutoDeleteLeaves() {
        QueueFixture queue = new QueueFixture(settings().autoDelete(true));
        QueueConsumer first = queue.consume("c1");
        QueueConsumer second = queue.consume("c2");
        queue.forgetEffects();

        queue.state.onCancel(first, 0);
        assertThat(queue.effects()).containsExactly("cancelOk c1");
        queue.state.onCancel(second, 0);

        assertThat(queue.effects()).containsExactly("deleteUnused", "cancelOk c2");
    }

    @Test
    void shouldAskForDeletionWhenChannelOfLastConsumerCloses() {
        QueueFixture queue = new QueueFixture(settings().autoDelete(true));
        queue.consume(acknowledging(queue.a, "c1", 0));
        queue.consume(acknowledging(queue.a, "c2", 0));
        queue.forgetEffects();

        queue.state.onChannelClosed(queue.b, 0);
        assertThat(queue.effects()).isEmpty();
        queue.state.onChannelClosed(queue.a, 0);
        queue.state.onChannelClosed(queue.a, 0);

        assertThat(queue.effects()).containsExactly("deleteUnused");
    }

    @Test
    void shouldNotAskForDeletionWhenAutoDeleteNeverHadConsumer() {
        QueueFixture queue = new QueueFixture(settings().autoDelete(true));

        queue.publish("m1");
        queue.get(queue.a);
        queue.state.onChannelClosed(queue.a, 0);

        assertThat(queue.effects()).containsExactly("confirmed p 1", "getOk a m1 ready=0");
    }

    @Test
    void shouldStayWhenLastConsumerLeavesPlainQueue() {
        QueueFixture queue = new QueueFixture(settings());
        QueueConsumer consumer = queue.consume("c1");
        queue.forgetEffects();

        queue.state.onCancel(consumer, 0);

        assertThat(queue.effects()).containsExactly("cancelOk c1");
    }

    @Test
    void shouldAskForDeletionWhenUnusedForTooLong() {
        QueueFixture queue = new QueueFixture(settings().expiresNs(100));
        assertThat(queue.output.wakeAtNs).isEqualTo(100);

        queue.advanceTo(99);
        assertThat(queue.effects()).isEmpty();
        queue.advanceTo(100);
        queue.publish("m1");

        assertThat(queue.effects()).containsExactly("deleteUnused", "confirmed p 1");
        assertThat(queue.output.wakeAtNs).isEqualTo(BackingQueue.NEVER);
    }

    @Test
    void shouldNotRenewLeaseWhenPublished() {
        QueueFixture queue = new QueueFixture(settings().expiresNs(100));
        queue.nowNs = 50;

        queue.publish("m1");

        assertThat(queue.output.wakeAtNs).isEqualTo(100);
    }

    @Test
    void shouldRenewLeaseWhenDeclaredOrGot() {
        QueueFixture queue = new QueueFixture(settings().expiresNs(100));

        queue.state.onDeclare(queue.a, 30);
        assertThat(queue.output.wakeAtNs).isEqualTo(130);
        queue.state.onGet(queue.a, true, 60);

        assertThat(queue.output.wakeAtNs).isEqualTo(160);
    }

    @Test
    void shouldHaveNoLeaseWhileSomebodyConsumes() {
        QueueFixture queue = new QueueFixture(settings().expiresNs(100));
        queue.nowNs = 10;
        QueueConsumer consumer = queue.consume("c1");
        QueueConsumer second = queue.consume("c2");
        assertThat(queue.output.wakeAtNs).isEqualTo(BackingQueue.NEVER);

        queue.nowNs = 500;
        queue.state.onCancel(second, 500);
        assertThat(queue.output.wakeAtNs).isEqualTo(BackingQueue.NEVER);
        queue.state.onCancel(consumer, 500);

        assertThat(queue.output.wakeAtNs).isEqualTo(600);
        assertThat(queue.effects()).doesNotContain("deleteUnused");
    }

    @Test
    void shouldStartLeaseWhenChannelOfLastConsumerCloses() {
        QueueFixture queue = new QueueFixture(settings().expiresNs(100));
        queue.consume("c1");

        queue.state.onChannelClosed(queue.a, 70);

        assertThat(queue.output.wakeAtNs).isEqualTo(170);
    }

    @Test
    void shouldWakeForWhateverComesFirstWhenMessageAndQueueExpire() {
        QueueFixture queue = new QueueFixture(settings().expiresNs(100).messageTtlNs(40));

        queue.publish("m1");
        assertThat(queue.output.wakeAtNs).isEqualTo(40);
        queue.advanceTo(40);

        assertThat(queue.output.wakeAtNs).isEqualTo(100);
    }

    @Test
    void shouldStartLeaseWhenPolicyAsksForIt() {
        QueueFixture queue = new QueueFixture(settings());
        queue.nowNs = 20;

        queue.state.onSettings(settings().expiresNs(100).build(), 20);

        assertThat(queue.output.wakeAtNs).isEqualTo(100);
        assertThat(queue.effects()).isEqualTo(List.of());
    }
}
