package io.warren.core.queue;

import static io.warren.core.queue.QueueSettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.metadata.LengthLimit;
import io.warren.core.metadata.Overflow;
import org.junit.jupiter.api.Test;

class QueueStateLimitTest {

    @Test
    void shouldDropOldestWhenOneIsTooMany() {
        QueueFixture queue = new QueueFixture(settings().maxLength(2, Overflow.DROP_HEAD));

        queue.publish("m1", "m2", "m3");

        assertThat(queue.effects()).containsExactly("confirmed p 1", "confirmed p 2", "confirmed p 3");
        assertThat(queue.ready()).containsExactly("m2", "m3");
        assertThat(queue.log.takeEntries()).contains("settle 0 MAXLEN");
    }

    @Test
    void shouldDeadLetterOldestWhenOneIsTooManyAndExchangeIsSet() {
        QueueFixture queue = new QueueFixture(settings()
                .maxLength(1, Overflow.DROP_HEAD)
                .deadLetterExchange("dlx")
                .deadLetterRoutingKey("dead"));

        queue.publish("m1", "m2");

        assertThat(queue.effects())
                .containsExactly("confirmed p 1", "confirmed p 2", "deadLetter 0 m1 maxlen to dlx key=dead");
    }

    @Test
    void shouldDropAsManyAsNeededWhenBytesAreTooMany() {
        QueueFixture queue = new QueueFixture(settings().limit(new LengthLimit(100, 30, Overflow.DROP_HEAD)));
        queue.publish("m1", "m2", "m3");

        queue.publish(Messages.ofBytes("m4", 15));

        assertThat(queue.ready()).containsExactly("m3", "m4");
    }

    @Test
    void shouldDropTheNewOneTooWhenItAloneIsTooBig() {
        QueueFixture queue = new QueueFixture(settings().limit(new LengthLimit(100, 30, Overflow.DROP_HEAD)));
        queue.publish("m1");

        queue.publish(Messages.ofBytes("m2", 31));

        assertThat(queue.effects()).containsExactly("confirmed p 1", "confirmed p 2");
        assertThat(queue.ready()).isEmpty();
    }

    @Test
    void shouldNotCountUnacknowledgedWhenMeasured() {
        QueueFixture queue = new QueueFixture(settings().maxLength(1, Overflow.DROP_HEAD));
        queue.consume(QueueFixture.acknowledging(queue.a, "c1", 2));

        queue.publish("m1", "m2", "m3");

        assertThat(queue.ready()).containsExactly("m3");
        assertThat(queue.state.unackedCount()).isEqualTo(2);
    }

    @Test
    void shouldDropWhenRequeuedOnesAreTooMany() {
        QueueFixture queue = new QueueFixture(settings().maxLength(1, Overflow.DROP_HEAD));
        queue.get(queue.a);
        queue.publish("m1");
        queue.get(queue.a);
        queue.publish("m2");

        queue.requeue("m1");

        assertThat(queue.ready()).containsExactly("m2");
    }

    @Test
    void shouldDeliverWhenLimitIsZeroAndConsumerWaits() {
        QueueFixture queue = new QueueFixture(settings().maxLength(0, Overflow.DROP_HEAD));
        queue.consume(QueueFixture.acknowledging(queue.a, "c1", 1));

        queue.publish("m1", "m2");

        assertThat(queue.effects()).containsExactly("consumeOk c1", "confirmed p 1", "deliver c1 m1", "confirmed p 2");
        assertThat(queue.ready()).isEmpty();
    }

    @Test
    void shouldRefusePublishWhenQueueIsFull() {
        QueueFixture queue = new QueueFixture(
                settings().maxLength(1, Overflow.REJECT_PUBLISH).deadLetterExchange("dlx"));

        queue.publish("m1", "m2");

        assertThat(queue.effects()).containsExactly("confirmed p 1", "rejected p 2");
        assertThat(queue.ready()).containsExactly("m1");
    }

    @Test
    void shouldRefusePublishWhenItsBytesAreTooMany() {
        QueueFixture queue = new QueueFixture(settings().limit(new LengthLimit(100, 25, Overflow.REJECT_PUBLISH)));
        queue.publish("m1", "m2");

        queue.publish("m3");
        queue.publish(Messages.ofBytes("m4", 5));

        assertThat(queue.effects()).containsExactly("confirmed p 1", "confirmed p 2", "rejected p 3", "confirmed p 4");
    }

    @Test
    void shouldDeadLetterTheRefusedOneWhenOverflowSaysSo() {
        QueueFixture queue = new QueueFixture(settings()
                .maxLength(1, Overflow.REJECT_PUBLISH_DLX)
                .deadLetterExchange("dlx")
                .deadLetterRoutingKey("dead"));

        queue.publish("m1", "m2");

        assertThat(queue.effects())
                .containsExactly("confirmed p 1", "deadLetter unanswered m2 maxlen to dlx key=dead", "rejected p 2");
        assertThat(queue.ready()).containsExactly("m1");
    }

    @Test
    void shouldOnlyRefuseWhenOverflowSaysDeadLetterAndNoExchangeIsSet() {
        QueueFixture queue = new QueueFixture(settings().maxLength(0, Overflow.REJECT_PUBLISH_DLX));

        queue.publish("m1");
        queue.state.onPublish(null, 0, Messages.message("m2"), 0);

        assertThat(queue.effects()).containsExactly("rejected p 1");
        assertThat(queue.ready()).isEmpty();
    }

    @Test
    void shouldNotDropWhatIsThereWhenOverflowRefusesAndLimitShrinks() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1", "m2");
        queue.forgetEffects();

        queue.state.onSettings(settings().maxLength(1, Overflow.REJECT_PUBLISH).build(), 0);
        queue.publish("m3");

        assertThat(queue.effects()).containsExactly("rejected p 3");
        assertThat(queue.ready()).containsExactly("m1", "m2");
    }

    @Test
    void shouldDropHighestPriorityFirstWhenOneIsTooMany() {
        QueueFixture queue = new QueueFixture(settings().priorityMax(5).maxLength(1, Overflow.DROP_HEAD));
        queue.publish("low");

        queue.publish(Messages.ofPriority("high", 5));

        assertThat(queue.ready()).containsExactly("low");
    }
}
