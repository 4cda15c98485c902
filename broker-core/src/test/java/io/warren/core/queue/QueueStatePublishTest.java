package io.warren.core.queue;

import static io.warren.core.queue.QueueFixture.automatic;
import static io.warren.core.queue.QueueSettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.metadata.DeduplicationLimits;
import io.warren.core.metadata.Overflow;
import io.warren.core.metadata.QueueSettings;
import org.junit.jupiter.api.Test;

class QueueStatePublishTest {

    @Test
    void shouldKeepMessagesInOrderWhenNobodyConsumes() {
        QueueFixture queue = new QueueFixture(settings());

        queue.publish("m1", "m2", "m3");

        assertThat(queue.effects()).containsExactly("confirmed p 1", "confirmed p 2", "confirmed p 3");
        assertThat(queue.ready()).containsExactly("m1", "m2", "m3");
        assertThat(queue.state.readyCount()).isEqualTo(3);
        assertThat(queue.state.unackedCount()).isZero();
    }

    @Test
    void shouldShowOnlySoManyWhenPeeked() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1", "m2", "m3");

        assertThat(queue.state.peek(2)).extracting(Message::routingKey).containsExactly("m1", "m2");
        assertThat(queue.state.readyCount()).isEqualTo(3);
    }

    @Test
    void shouldDeliverAtOnceWhenConsumerWaits() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume("c1");

        queue.publish("m1");

        assertThat(queue.effects()).containsExactly("consumeOk c1", "confirmed p 1", "deliver c1 m1");
        assertThat(queue.state.unackedCount()).isEqualTo(1);
        assertThat(queue.state.readyCount()).isZero();
    }

    @Test
    void shouldConfirmNothingWhenPublisherWantsNoAnswer() {
        QueueFixture queue = new QueueFixture(settings());

        queue.state.onPublish(null, 0, Messages.message("m1"), 0);

        assertThat(queue.effects()).isEmpty();
        assertThat(queue.ready()).containsExactly("m1");
    }

    @Test
    void shouldConfirmInOrderWhenOffsetsBecomeSafe() {
        QueueFixture queue = new QueueFixture(settings());
        queue.log.safeOffset = -1;
        queue.publish("m1", "m2", "m3");
        assertThat(queue.effects()).isEmpty();

        queue.log.safeOffset = 1;
        queue.state.onSafe();

        assertThat(queue.effects()).containsExactly("confirmed p 1", "confirmed p 2");
    }

    @Test
    void shouldConfirmInOrderWhenStoreIsQuickerThanItsWord() {
        QueueFixture queue = new QueueFixture(settings());
        queue.log.safeOffset = -1;
        queue.publish("m1");

        queue.log.safeOffset = 1;
        queue.publish("m2");
        queue.state.onSafe();

        assertThat(queue.effects()).containsExactly("confirmed p 1", "confirmed p 2");
    }

    @Test
    void shouldConfirmWhenBarrierIsPassed() {
        QueueFixture queue = new QueueFixture(settings());
        queue.log.passedBarrier = 0;
        queue.state.onBarrier(queue.a, 7);
        assertThat(queue.effects()).isEmpty();

        queue.log.passedBarrier = 1;
        queue.state.onSafe();

        assertThat(queue.effects()).containsExactly("confirmed a 7");
    }

    @Test
    void shouldConfirmBarrierWhenNothingIsKept() {
        QueueFixture queue = new QueueFixture(settings());
        queue.state.onBarrier(queue.a, 7);

        assertThat(queue.effects()).containsExactly("confirmed a 7");
    }

    @Test
    void shouldExpectHandOutWhenConsumerHasRoomAndNothingWaits() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1");
        queue.consume(automatic(queue.a, "c1"));
        queue.publish("m2");

        assertThat(queue.backing.expected).containsExactly(false, true);
    }

    @Test
    void shouldConfirmAtOnceWhenOffsetIsTheSafeOne() {
        QueueFixture queue = new QueueFixture(settings());
        queue.log.safeOffset = 0;

        queue.publish("m1", "m2");

        assertThat(queue.effects()).containsExactly("confirmed p 1");
    }

    @Test
    void shouldDeliverBeforeConfirmWhenMessageIsNotSafeYet() {
        QueueFixture queue = new QueueFixture(settings());
        queue.log.safeOffset = -1;
        queue.consume(automatic(queue.a, "c1"));

        queue.publish("m1");
        queue.log.safeOffset = 0;
        queue.state.onSafe();

        assertThat(queue.effects()).containsExactly("consumeOk c1", "deliver c1 m1", "confirmed p 1");
    }

    @Test
    void shouldDeliverOnlyToWaitingConsumerWhenTimeToLiveIsZero() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish(Messages.expiring("lost", 0));
        queue.consume(QueueFixture.acknowledging(queue.a, "c1", 1));
        queue.publish(Messages.expiring("taken", 0));

        queue.publish(Messages.expiring("lost too", 0));

        assertThat(queue.effects())
                .containsExactly("confirmed p 1", "consumeOk c1", "confirmed p 2", "deliver c1 taken", "confirmed p 3");
        assertThat(queue.state.readyCount()).isZero();
        assertThat(queue.log.takeEntries()).contains("settle 0 EXPIRED", "settle 2 EXPIRED");
    }

    @Test
    void shouldDeliverTimeToLiveZeroToNobodyWhenOthersAreAhead() {
        QueueFixture queue = new QueueFixture(settings().priorityMax(1));
        queue.consume(QueueFixture.acknowledging(queue.a, "c1", 1));
        queue.publish("m1", "m2");
        queue.forgetEffects();

        queue.publish(Messages.expiring("lost", 0));
        queue.ack("m1");
        queue.ack("m2");

        assertThat(queue.effects()).containsExactly("confirmed p 3", "deliver c1 m2");
        assertThat(queue.state.readyCount()).isZero();
    }

    @Test
    void shouldDeadLetterWhenTimeToLiveIsZeroAndNobodyWaits() {
        QueueFixture queue = new QueueFixture(settings().messageTtlNs(0).deadLetterExchange("dlx"));

        queue.publish("m1");

        assertThat(queue.effects()).containsExactly("confirmed p 1", "deadLetter 0 m1 expired to dlx");
        assertThat(queue.state.readyCount()).isZero();
    }

    @Test
    void shouldConfirmAndForgetWhenIdWasSeenBefore() {
        QueueFixture queue =
                new QueueFixture(settings().deduplication(new DeduplicationLimits(10, QueueSettings.NO_TTL)));

        queue.publish(Messages.identified("m1", "id"));
        queue.publish(Messages.identified("m2", "id"));
        queue.publish(Messages.identified("m3", "other"));

        assertThat(queue.effects()).containsExactly("confirmed p 1", "confirmed p 2", "confirmed p 3");
        assertThat(queue.ready()).containsExactly("m1", "m3");
    }

    @Test
    void shouldNotRememberIdWhenItsMessageWasRefused() {
        QueueFixture queue = new QueueFixture(settings()
                .maxLength(1, Overflow.REJECT_PUBLISH)
                .deduplication(new DeduplicationLimits(10, QueueSettings.NO_TTL)));
        queue.publish("m1");
        queue.publish(Messages.identified("refused", "id"));
        queue.state.onPurge(queue.a, 0);

        queue.publish(Messages.identified("m2", "id"));

        assertThat(queue.ready()).containsExactly("m2");
    }
}
