package io.warren.core.queue;

import static io.warren.core.queue.QueueSettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.spi.Settlement;
import org.junit.jupiter.api.Test;

class QueueStateGetTest {

    @Test
    void shouldAnswerEmptyWhenNothingIsReady() {
        QueueFixture queue = new QueueFixture(settings());

        queue.get(queue.a);

        assertThat(queue.effects()).containsExactly("getEmpty a");
    }

    @Test
    void shouldTakeHeadAndTellWhatIsBehindWhenGot() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1", "m2", "m3");
        queue.forgetEffects();

        queue.get(queue.a);

        assertThat(queue.effects()).containsExactly("getOk a m1 ready=2");
        assertThat(queue.state.unackedCount()).isEqualTo(1);
        assertThat(queue.delivery("m1").consumer()).isNull();
        assertThat(queue.a.taken).isZero();
    }

    @Test
    void shouldForgetWhenGotWithoutAcknowledgement() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1");

        queue.state.onGet(queue.a, false, 0);

        assertThat(queue.state.unackedCount()).isZero();
        assertThat(queue.log.settled).containsExactly(new FakeQueueLog.Settled(0, Settlement.ACKNOWLEDGED));
    }

    @Test
    void shouldExpireFirstWhenHeadIsTooOldToBeGot() {
        QueueFixture queue = new QueueFixture(settings().messageTtlNs(100));
        queue.publish("m1");
        queue.nowNs = 60;
        queue.publish("m2");
        queue.nowNs = 100;
        queue.forgetEffects();

        queue.get(queue.a);

        assertThat(queue.effects()).containsExactly("getOk a m2 ready=0");
    }

    @Test
    void shouldTellRedeliveredWhenGotAgain() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1");
        queue.get(queue.a);
        queue.state.onChannelClosed(queue.a, 0);
        queue.forgetEffects();

        queue.get(queue.b);

        assertThat(queue.effects()).containsExactly("getOk b m1 redelivered ready=0");
    }
}
