package io.warren.core.queue;

import static io.warren.core.queue.QueueFixture.acknowledging;
import static io.warren.core.queue.QueueFixture.automatic;
import static io.warren.core.queue.QueueFixture.exclusive;
import static io.warren.core.queue.QueueFixture.prioritised;
import static io.warren.core.queue.QueueFixture.withCredit;
import static io.warren.core.queue.QueueSettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueStateConsumerTest {

    private static final String IN_EXCLUSIVE_USE = "ACCESS_REFUSED - queue 'q' in vhost '/' in exclusive use";

    @Test
    void shouldDeliverWhatIsReadyWhenConsumerComes() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1", "m2");
        queue.forgetEffects();

        queue.consume("c1");

        assertThat(queue.effects()).containsExactly("consumeOk c1", "deliver c1 m1", "deliver c1 m2");
        assertThat(queue.state.consumerCount()).isEqualTo(1);
    }

    @Test
    void shouldTakeTurnsWhenSeveralConsume() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume("c1");
        queue.consume("c2");
        queue.consume("c3");
        queue.forgetEffects();

        queue.state.onPublish(null, 0, Messages.message("m1"), 0);
        queue.state.onPublish(null, 0, Messages.message("m2"), 0);
        queue.state.onPublish(null, 0, Messages.message("m3"), 0);
        queue.state.onPublish(null, 0, Messages.message("m4"), 0);

        assertThat(queue.effects()).containsExactly("deliver c1 m1", "deliver c2 m2", "deliver c3 m3", "deliver c1 m4");
    }

    @Test
    void shouldHoldBackWhenPrefetchIsReached() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1", "m2", "m3");
        queue.forgetEffects();

        queue.consume(acknowledging(queue.a, "c1", 2));

        assertThat(queue.effects()).containsExactly("consumeOk c1", "deliver c1 m1", "deliver c1 m2");
        assertThat(queue.ready()).containsExactly("m3");
    }

    @Test
    void shouldGoOnWhenPrefetchedOneIsAcknowledged() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1", "m2", "m3");
        queue.consume(acknowledging(queue.a, "c1", 2));
        queue.forgetEffects();

        queue.ack("m1");

        assertThat(queue.effects()).containsExactly("deliver c1 m3");
    }

    @Test
    void shouldGoToEndOfTurnWhenConsumerHasRoomAgain() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume(acknowledging(queue.a, "c1", 1));
        queue.consume("c2");
        queue.publish("m1");
        queue.forgetEffects();

        queue.ack("m1");
        queue.publish("m2", "m3");

        assertThat(queue.effects()).containsExactly("confirmed p 2", "deliver c2 m2", "confirmed p 3", "deliver c1 m3");
    }

    @Test
    void shouldNotLimitWhenConsumerAcknowledgesAutomatically() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1", "m2");
        queue.forgetEffects();

        queue.consume(new QueueConsumer(queue.a, "c1", false, false, 0, 1, QueueFixture.AMPLE_CREDIT));

        assertThat(queue.effects()).containsExactly("consumeOk c1", "deliver c1 m1", "deliver c1 m2");
        assertThat(queue.state.unackedCount()).isZero();
        assertThat(queue.log.settled).hasSize(2);
    }

    @Test
    void shouldHoldBackWhenCreditIsUsedUp() {
        QueueFixture queue = new QueueFixture(settings());
        QueueConsumer consumer = queue.consume(withCredit(queue.a, "c1", 2));
        queue.publish("m1", "m2", "m3", "m4", "m5");
        assertThat(queue.ready()).containsExactly("m3", "m4", "m5");
        queue.forgetEffects();

        queue.state.onCredit(consumer, 2, 0);

        assertThat(queue.effects()).containsExactly("deliver c1 m3", "deliver c1 m4");
    }

    @Test
    void shouldServeHigherPriorityWhenItHasRoom() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume(prioritised(queue.a, "low", 0, 1));
        queue.consume(prioritised(queue.a, "high", 7, 2));
        queue.consume(prioritised(queue.a, "lowest", -3, 0));
        queue.forgetEffects();

        queue.publish("m1", "m2", "m3", "m4");

        assertThat(queue.effects())
                .containsExactly(
                        "confirmed p 1",
                        "deliver high m1",
                        "confirmed p 2",
                        "deliver high m2",
                        "confirmed p 3",
                        "deliver low m3",
                        "confirmed p 4",
                        "deliver lowest m4");
    }

    @Test
    void shouldReturnToHigherPriorityWhenItHasRoomAgain() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume(prioritised(queue.a, "high", 7, 1));
        queue.consume(prioritised(queue.a, "low", 0, 0));
        queue.publish("m1", "m2");
        queue.ack("m1");
        queue.forgetEffects();

        queue.publish("m3");

        assertThat(queue.effects()).containsExactly("confirmed p 3", "deliver high m3");
    }

    @Test
    void shouldDeliverNothingWhenChannelHasNoPermit() {
        QueueFixture queue = new QueueFixture(settings());
        queue.a.limit = 1;
        queue.consume("c1");

        queue.publish("m1", "m2");

        assertThat(queue.effects()).containsExactly("consumeOk c1", "confirmed p 1", "deliver c1 m1", "confirmed p 2");
    }

    @Test
    void shouldGoOnWhenChannelHasPermitsAgain() {
        QueueFixture queue = new QueueFixture(settings());
        queue.a.limit = 1;
        queue.consume("c1");
        queue.publish("m1", "m2", "m3");
        queue.forgetEffects();

        queue.ack("m1");
        assertThat(queue.effects()).isEmpty();
        queue.a.returnPermit();
        queue.state.onPermits(queue.a, 0);

        assertThat(queue.effects()).containsExactly("deliver c1 m2");
    }

    @Test
    void shouldServeOtherChannelWhenOneHasNoPermit() {
        QueueFixture queue = new QueueFixture(settings());
        queue.a.limit = 1;
        queue.consume(acknowledging(queue.a, "c1", 0));
        queue.consume(acknowledging(queue.b, "c2", 0));
        queue.publish("m1", "m2", "m3", "m4");
        queue.forgetEffects();

        queue.a.returnPermit();
        queue.state.onPermits(queue.b, 0);
        queue.publish("m5");

        assertThat(queue.effects()).containsExactly("confirmed p 5", "deliver c2 m5");
    }

    @Test
    void shouldTakeNoPermitWhenConsumerAcknowledgesAutomatically() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume(automatic(queue.a, "c1"));

        queue.publish("m1");

        assertThat(queue.a.taken).isZero();
    }

    @Test
    void shouldWaitForPermitWhenConsumerAcknowledgesAutomatically() {
        QueueFixture queue = new QueueFixture(settings());
        queue.a.limit = 1;
        queue.a.taken = 1;
        queue.publish("m1", "m2");
        queue.consume(automatic(queue.a, "c1"));
        assertThat(queue.ready()).containsExactly("m1", "m2");
        queue.forgetEffects();

        queue.a.taken = 0;
        queue.state.onPermits(queue.a, 0);

        assertThat(queue.effects()).containsExactly("deliver c1 m1", "deliver c1 m2");
        assertThat(queue.a.taken).isZero();
    }

    @Test
    void shouldNotServeWhenConsumerWasCancelledWaitingForPermit() {
        QueueFixture queue = new QueueFixture(settings());
        queue.a.limit = 1;
        QueueConsumer consumer = queue.consume("c1");
        queue.publish("m1", "m2");
        queue.state.onCancel(consumer, 0);
        queue.forgetEffects();

        queue.a.returnPermit();
        queue.state.onPermits(queue.a, 0);
        queue.state.onCredit(consumer, 5, 0);

        assertThat(queue.effects()).isEmpty();
        assertThat(queue.ready()).containsExactly("m2");
    }

    @Test
    void shouldLeaveHeldMessagesWhenConsumerIsCancelled() {
        QueueFixture queue = new QueueFixture(settings());
        QueueConsumer consumer = queue.consume("c1");
        queue.publish("m1");

        queue.state.onCancel(consumer, 0);
        queue.publish("m2");

        assertThat(queue.effects())
                .containsExactly("consumeOk c1", "confirmed p 1", "deliver c1 m1", "cancelOk c1", "confirmed p 2");
        assertThat(queue.state.unackedCount()).isEqualTo(1);
        assertThat(queue.state.consumerCount()).isZero();
        assertThat(queue.ready()).containsExactly("m2");
    }

    @Test
    void shouldAnswerCancelWhenConsumerIsGoneAlready() {
        QueueFixture queue = new QueueFixture(settings().autoDelete(true));
        QueueConsumer stranger = acknowledging(queue.a, "c1", 0);

        queue.state.onCancel(stranger, 0);

        assertThat(queue.effects()).containsExactly("cancelOk c1");
    }

    @Test
    void shouldRefuseEverybodyWhenConsumerIsExclusive() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume(exclusive(queue.a, "c1"));

        queue.consume("c2");
        queue.consume(exclusive(queue.b, "c3"));

        assertThat(queue.effects())
                .containsExactly(
                        "consumeOk c1",
                        "consumeRefused c2: " + IN_EXCLUSIVE_USE,
                        "consumeRefused c3: " + IN_EXCLUSIVE_USE);
        assertThat(queue.state.consumerCount()).isEqualTo(1);
    }

    @Test
    void shouldRefuseExclusiveWhenSomebodyConsumes() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume("c1");

        queue.consume(exclusive(queue.b, "c2"));
        queue.consume("c3");

        assertThat(queue.effects())
                .containsExactly("consumeOk c1", "consumeRefused c2: " + IN_EXCLUSIVE_USE, "consumeOk c3");
    }

    @Test
    void shouldAdmitOthersWhenExclusiveConsumerHasLeft() {
        QueueFixture queue = new QueueFixture(settings());
        QueueConsumer first = queue.consume(exclusive(queue.a, "c1"));
        queue.state.onCancel(first, 0);

        queue.consume(exclusive(queue.a, "c2"));

        assertThat(queue.effects()).containsExactly("consumeOk c1", "cancelOk c1", "consumeOk c2");
    }

    @Test
    void shouldRefuseExclusiveWhenQueueHasSingleActiveConsumer() {
        QueueFixture queue = new QueueFixture(settings().singleActiveConsumer(true));

        queue.consume(exclusive(queue.a, "c1"));

        assertThat(queue.effects()).containsExactly("consumeRefused c1: " + IN_EXCLUSIVE_USE);
    }

    @Test
    void shouldServeOnlyTheFirstWhenOneIsActive() {
        QueueFixture queue = new QueueFixture(settings().singleActiveConsumer(true));
        queue.consume(acknowledging(queue.a, "c1", 1));
        queue.consume(prioritised(queue.b, "c2", 9, 0));
        queue.forgetEffects();

        queue.publish("m1", "m2");

        assertThat(queue.effects()).containsExactly("confirmed p 1", "deliver c1 m1", "confirmed p 2");
    }

    @Test
    void shouldActivateNextByPriorityThenArrivalWhenActiveOneLeaves() {
        QueueFixture queue = new QueueFixture(settings().singleActiveConsumer(true));
        QueueConsumer first = queue.consume(acknowledging(queue.a, "c1", 1));
        queue.consume(prioritised(queue.b, "c2", 1, 0));
        queue.consume(prioritised(queue.b, "c3", 2, 0));
        queue.consume(prioritised(queue.b, "c4", 2, 0));
        queue.publish("m1", "m2", "m3");
        queue.forgetEffects();

        queue.state.onCancel(first, 0);

        assertThat(queue.effects()).containsExactly("cancelOk c1", "deliver c3 m2", "deliver c3 m3");
    }

    @Test
    void shouldStayActiveWhenAnInactiveOneLeaves() {
        QueueFixture queue = new QueueFixture(settings().singleActiveConsumer(true));
        queue.consume("c1");
        QueueConsumer second = queue.consume("c2");
        queue.consume(prioritised(queue.a, "c3", 5, 0));
        queue.state.onCancel(second, 0);
        queue.forgetEffects();

        queue.publish("m1", "m2");

        assertThat(queue.effects()).containsExactly("confirmed p 1", "deliver c1 m1", "confirmed p 2", "deliver c1 m2");
    }

    @Test
    void shouldActivateNextWhenChannelOfActiveOneCloses() {
        QueueFixture queue = new QueueFixture(settings().singleActiveConsumer(true));
        queue.consume(acknowledging(queue.a, "c1", 0));
        queue.consume(acknowledging(queue.b, "c2", 0));
        queue.publish("m1");
        queue.forgetEffects();

        queue.state.onChannelClosed(queue.a, 0);

        assertThat(queue.effects()).containsExactly("deliver c2 m1 redelivered");
    }
}
