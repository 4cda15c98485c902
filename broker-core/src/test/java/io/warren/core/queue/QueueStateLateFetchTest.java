package io.warren.core.queue;

import static io.warren.core.queue.QueueFixture.acknowledging;
import static io.warren.core.queue.QueueFixture.automatic;
import static io.warren.core.queue.QueueSettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.metadata.Overflow;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.Settlement;
import org.junit.jupiter.api.Test;

/** Bodies that come later, and what may have happened meanwhile. */
class QueueStateLateFetchTest {

    private static QueueFixture late(QueueSettingsBuilder settings) {
        QueueFixture queue = new QueueFixture(settings);
        queue.backing.late = true;
        return queue;
    }

    @Test
    void shouldDeliverWhenBodyHasCome() {
        QueueFixture queue = late(settings());
        queue.consume("c1");

        queue.publish("m1");
        assertThat(queue.effects()).containsExactly("consumeOk c1", "confirmed p 1");
        queue.answer();

        assertThat(queue.effects()).containsExactly("deliver c1 m1");
        assertThat(queue.backing.asked).isEqualTo(BackingQueue.NONE);
    }

    @Test
    void shouldAskForNextWhenBodyHasCome() {
        QueueFixture queue = late(settings());
        queue.publish("m1", "m2");
        queue.consume("c1");
        queue.consume("c2");
        queue.forgetEffects();

        queue.answer();
        queue.answer();

        assertThat(queue.effects()).containsExactly("deliver c1 m1", "deliver c2 m2");
    }

    @Test
    void shouldHoldNoPermitWhileBodyIsUnderWay() {
        QueueFixture queue = late(settings());
        queue.a.limit = 1;
        queue.consume("c1");
        queue.publish("m1");

        assertThat(queue.a.taken).isZero();
        queue.answer();

        assertThat(queue.a.taken).isEqualTo(1);
        assertThat(queue.state.unackedCount()).isEqualTo(1);
    }

    @Test
    void shouldReturnNoPermitWhenConsumerTookNone() {
        QueueFixture queue = late(settings());
        queue.consume(automatic(queue.a, "c1"));

        queue.publish("m1");

        assertThat(queue.a.taken).isZero();
    }

    @Test
    void shouldServeAnotherWhenConsumerHasLeft() {
        QueueFixture queue = late(settings());
        QueueConsumer first = queue.consume("c1");
        queue.publish("m1");
        queue.consume(acknowledging(queue.b, "c2", 0));
        queue.state.onCancel(first, 0);
        queue.forgetEffects();

        queue.answer();

        assertThat(queue.effects()).containsExactly("deliver c2 m1");
    }

    @Test
    void shouldPutBackUnmarkedWhenNoConsumerIsLeft() {
        QueueFixture queue = late(settings());
        queue.consume("c1");
        queue.publish("m1", "m2");
        queue.state.onChannelClosed(queue.a, 0);

        queue.answer();

        assertThat(queue.ready()).containsExactly("m1", "m2");
        queue.forgetEffects();
        queue.get(queue.b);
        queue.answer();
        assertThat(queue.effects()).containsExactly("getOk b m1 ready=1");
    }

    @Test
    void shouldPutBackWhenPermitsAreGone() {
        QueueFixture queue = late(settings());
        queue.a.limit = 1;
        queue.consume("c1");
        queue.publish("m1");
        queue.a.taken = 1;
        queue.forgetEffects();

        queue.answer();
        assertThat(queue.effects()).isEmpty();
        assertThat(queue.ready()).containsExactly("m1");
        queue.a.taken = 0;
        queue.state.onPermits(queue.a, 0);
        queue.answer();

        assertThat(queue.effects()).containsExactly("deliver c1 m1");
    }

    @Test
    void shouldExpireInsteadOfDeliverWhenTimeHasComeMeanwhile() {
        QueueFixture queue = late(settings().messageTtlNs(100));
        queue.consume("c1");
        queue.publish("m1");
        queue.nowNs = 100;
        queue.forgetEffects();

        queue.answer();

        assertThat(queue.effects()).isEmpty();
        assertThat(queue.log.settled).containsExactly(new FakeQueueLog.Settled(0, Settlement.EXPIRED));
    }

    @Test
    void shouldDeliverWhenTimeHasAlmostCome() {
        QueueFixture queue = late(settings().messageTtlNs(100));
        queue.consume("c1");
        queue.publish("m1");
        queue.nowNs = 99;
        queue.forgetEffects();

        queue.answer();

        assertThat(queue.effects()).containsExactly("deliver c1 m1");
    }

    @Test
    void shouldAnswerGetWhenBodyHasCome() {
        QueueFixture queue = late(settings());
        queue.publish("m1", "m2");
        queue.forgetEffects();

        queue.get(queue.a);
        queue.get(queue.b);
        assertThat(queue.effects()).isEmpty();
        queue.answer();
        queue.answer();

        assertThat(queue.effects()).containsExactly("getOk a m1 ready=1", "getOk b m2 ready=0");
    }

    @Test
    void shouldAnswerGetWithNextWhenBodyExpiredMeanwhile() {
        QueueFixture queue = late(settings());
        queue.publish(Messages.expiring("m1", 1));
        queue.publish("m2");
        queue.get(queue.a);
        queue.get(queue.b);
        queue.nowNs = 1_000_000;
        queue.forgetEffects();

        queue.answer();
        queue.answer();

        assertThat(queue.effects()).containsExactly("getOk a m2 ready=0", "getEmpty b");
    }

    @Test
    void shouldNotAnswerWhenGetterIsGoneAndBodyExpired() {
        QueueFixture queue = late(settings().messageTtlNs(100));
        queue.publish("m1");
        queue.get(queue.a);
        queue.state.onChannelClosed(queue.a, 0);
        queue.nowNs = 100;
        queue.forgetEffects();

        queue.answer();

        assertThat(queue.effects()).isEmpty();
        assertThat(queue.state.readyCount()).isZero();
    }

    @Test
    void shouldPutBackWhenGetterIsGone() {
        QueueFixture queue = late(settings());
        queue.publish("m1");
        queue.get(queue.a);
        queue.get(queue.a);
        queue.get(queue.b);
        queue.state.onChannelClosed(queue.a, 0);
        queue.forgetEffects();

        queue.answer();
        queue.answer();

        assertThat(queue.effects()).containsExactly("getOk b m1 ready=0");
    }

    @Test
    void shouldKeepGetterWhenAnotherChannelCloses() {
        QueueFixture queue = late(settings());
        queue.publish("m1");
        queue.get(queue.a);
        queue.state.onChannelClosed(queue.b, 0);
        queue.forgetEffects();

        queue.answer();

        assertThat(queue.effects()).containsExactly("getOk a m1 ready=0");
    }

    @Test
    void shouldDeadLetterWhenBodyOfExpiredHasCome() {
        QueueFixture queue = late(settings().messageTtlNs(100).deadLetterExchange("dlx"));
        queue.publish("m1", "m2");
        queue.forgetEffects();
        queue.advanceTo(100);
        assertThat(queue.effects()).isEmpty();

        queue.answer();
        queue.answer();

        assertThat(queue.effects()).containsExactly("deadLetter 0 m1 expired to dlx", "deadLetter 1 m2 expired to dlx");
    }

    @Test
    void shouldForgetWhenExchangeWasTakenAwayMeanwhile() {
        QueueFixture queue = late(settings().maxLength(0, Overflow.DROP_HEAD).deadLetterExchange("dlx"));
        queue.publish("m1");
        queue.state.onSettings(settings().build(), 0);
        queue.forgetEffects();

        queue.answer();

        assertThat(queue.effects()).isEmpty();
        assertThat(queue.log.settled).containsExactly(new FakeQueueLog.Settled(0, Settlement.MAXLEN));
    }

    @Test
    void shouldDropWithoutBodyWhenNoExchangeIsSet() {
        QueueFixture queue = late(settings().maxLength(0, Overflow.DROP_HEAD));

        queue.publish("m1");

        assertThat(queue.backing.asked).isEqualTo(BackingQueue.NONE);
        assertThat(queue.log.settled).containsExactly(new FakeQueueLog.Settled(0, Settlement.MAXLEN));
    }

    @Test
    void shouldTouchNothingElseWhileBodyIsUnderWay() {
        QueueFixture queue = late(settings());
        queue.publish(Messages.expiring("m1", 1));
        queue.publish(Messages.expiring("m2", 1));
        queue.get(queue.a);
        assertThat(queue.output.wakeAtNs).isEqualTo(BackingQueue.NEVER);

        queue.advanceTo(1_000_000);
        assertThat(queue.ready()).containsExactly("m2");
        queue.answer();

        assertThat(queue.ready()).isEmpty();
        assertThat(queue.effects()).containsExactly("confirmed p 1", "confirmed p 2", "getEmpty a");
    }

    @Test
    void shouldIgnoreBodyWhenItIsNotTheOneAskedFor() {
        QueueFixture queue = late(settings());
        queue.publish("m1", "m2");
        queue.get(queue.a);
        queue.forgetEffects();

        queue.state.onFetched(1, Messages.message("stray"), 0);
        assertThat(queue.effects()).isEmpty();
        queue.answer();

        assertThat(queue.effects()).containsExactly("getOk a m1 ready=1");
    }

    @Test
    void shouldIgnoreBodyWhenNoneWasAskedFor() {
        QueueFixture queue = late(settings());

        queue.state.onFetched(0, Messages.message("stray"), 0);

        assertThat(queue.effects()).isEmpty();
    }

    @Test
    void shouldExpireTimeToLiveZeroWhenBodyComesLater() {
        QueueFixture queue = late(settings());
        queue.publish("m0");
        queue.consume("c1");
        queue.publish(Messages.expiring("m1", 0));
        queue.forgetEffects();

        queue.answer();

        assertThat(queue.effects()).containsExactly("deliver c1 m0");
        assertThat(queue.state.readyCount()).isZero();
    }

    @Test
    void shouldAnswerEveryGetterWhenQueueIsDeleted() {
        QueueFixture queue = late(settings());
        queue.publish("m1");
        queue.get(queue.a);
        queue.get(queue.b);
        queue.forgetEffects();

        queue.state.onDeleted();
        queue.state.onFetched(queue.backing.asked, queue.backing.takeBody(), 0);

        assertThat(queue.effects()).containsExactly("getEmpty b", "getEmpty a");
    }

    @Test
    void shouldAnswerNobodyWhenQueueIsDeletedAndGetterIsGone() {
        QueueFixture queue = late(settings());
        queue.publish("m1");
        queue.get(queue.a);
        queue.state.onChannelClosed(queue.a, 0);
        queue.forgetEffects();

        queue.state.onDeleted();

        assertThat(queue.effects()).isEmpty();
    }
}
