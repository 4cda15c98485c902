package io.warren.core.queue;

import static io.warren.core.queue.QueueFixture.acknowledging;
import static io.warren.core.queue.QueueSettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.queue.FakeQueueLog.Settled;
import io.warren.core.spi.Settlement;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueStateSettleTest {

    @Test
    void shouldForgetWhenAcknowledged() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume("c1");
        queue.publish("m1", "m2");

        queue.ack("m2", "m1");

        assertThat(queue.state.unackedCount()).isZero();
        assertThat(queue.log.settled)
                .containsExactly(new Settled(1, Settlement.ACKNOWLEDGED), new Settled(0, Settlement.ACKNOWLEDGED));
        assertThat(queue.heldBytes).isZero();
    }

    @Test
    void shouldDoNothingWhenSettledTwice() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume("c1");
        queue.publish("m1", "m2");
        queue.ack("m1");
        queue.forgetEffects();

        queue.ack("m1");
        queue.reject("m1");
        queue.requeue("m1");

        assertThat(queue.effects()).isEmpty();
        assertThat(queue.state.unackedCount()).isEqualTo(1);
        assertThat(queue.log.settled).hasSize(1);
    }

    @Test
    void shouldForgetWhenRejectedWithoutDeadLetterExchange() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume("c1");
        queue.publish("m1");

        queue.reject("m1");

        assertThat(queue.log.settled).containsExactly(new Settled(0, Settlement.REJECTED));
        assertThat(queue.state.unackedCount()).isZero();
    }

    @Test
    void shouldKeepDeadLetterUntilItsQueuesHaveAnswered() {
        QueueFixture queue =
                new QueueFixture(settings().deadLetterExchange("dlx").deadLetterRoutingKey("dead"));
        queue.consume("c1");
        queue.publish("m1");
        queue.forgetEffects();

        queue.reject("m1");
        assertThat(queue.effects()).containsExactly("deadLetter 0 m1 rejected to dlx key=dead");
        assertThat(queue.log.settled).isEmpty();
        assertThat(queue.heldBytes).isPositive();
        queue.state.onDeadLettered(0);

        assertThat(queue.log.settled).containsExactly(new Settled(0, Settlement.DEAD_LETTERED));
        assertThat(queue.heldBytes).isZero();
    }

    @Test
    void shouldServeAnotherWhenRejectedMakesRoom() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume(acknowledging(queue.a, "c1", 1));
        queue.publish("m1", "m2");
        queue.forgetEffects();

        queue.reject("m1");

        assertThat(queue.effects()).containsExactly("deliver c1 m2");
    }

    @Test
    void shouldReturnToOriginalPlaceWhenRequeued() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1", "m2", "m3", "m4");
        queue.get(queue.a);
        queue.get(queue.a);
        queue.get(queue.a);

        queue.requeue("m3", "m1");

        assertThat(queue.ready()).containsExactly("m1", "m3", "m4");
        assertThat(queue.state.unackedCount()).isEqualTo(1);
    }

    @Test
    void shouldMarkRedeliveredWhenRequeued() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume(acknowledging(queue.a, "c1", 1));
        queue.publish("m1", "m2");
        queue.forgetEffects();

        queue.requeue("m1");
        queue.ack("m1");

        assertThat(queue.effects()).containsExactly("deliver c1 m1 redelivered", "deliver c1 m2");
    }

    @Test
    void shouldReturnEverythingToItsPlaceWhenChannelCloses() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume(acknowledging(queue.a, "c1", 2));
        queue.publish("m1", "m2", "m3", "m4");
        queue.get(queue.a);
        queue.get(queue.b);
        queue.forgetEffects();

        queue.state.onChannelClosed(queue.a, 0);

        assertThat(queue.effects()).isEmpty();
        assertThat(queue.ready()).containsExactly("m1", "m2", "m3");
        assertThat(queue.state.unackedCount()).isEqualTo(1);
        assertThat(queue.state.consumerCount()).isZero();
    }

    @Test
    void shouldIgnoreLateAcknowledgementWhenChannelHasClosed() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume(acknowledging(queue.a, "c1", 0));
        queue.publish("m1");
        QueueDelivery taken = queue.delivery("m1");
        queue.state.onChannelClosed(queue.a, 0);
        queue.consume(acknowledging(queue.b, "c2", 0));

        queue.state.onAck(List.of(taken), 0);

        assertThat(queue.state.unackedCount()).isEqualTo(1);
        assertThat(queue.log.settled).isEmpty();
    }

    @Test
    void shouldServeConsumerOfOtherChannelWhenOneCloses() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume(acknowledging(queue.a, "c1", 1));
        queue.consume(acknowledging(queue.b, "c2", 1));
        queue.publish("m1", "m2", "m3");
        queue.forgetEffects();

        queue.state.onChannelClosed(queue.a, 0);
        queue.ack("m2");

        assertThat(queue.effects()).containsExactly("deliver c2 m1 redelivered");
    }

    @Test
    void shouldDeliverByPriorityWhenMessagesWait() {
        QueueFixture queue = new QueueFixture(settings().priorityMax(5));
        queue.publish("none");
        queue.publish(Messages.ofPriority("three", 3));
        queue.publish(Messages.ofPriority("nine", 9));
        queue.publish(Messages.ofPriority("five", 5));
        queue.publish(Messages.ofPriority("zero", 0));
        queue.forgetEffects();

        queue.consume("c1");

        assertThat(queue.effects())
                .containsExactly(
                        "consumeOk c1",
                        "deliver c1 nine",
                        "deliver c1 five",
                        "deliver c1 three",
                        "deliver c1 none",
                        "deliver c1 zero");
    }

    @Test
    void shouldReturnWithinItsPriorityWhenRequeued() {
        QueueFixture queue = new QueueFixture(settings().priorityMax(5));
        queue.publish(Messages.ofPriority("low", 1));
        queue.publish(Messages.ofPriority("high1", 4));
        queue.publish(Messages.ofPriority("high2", 4));
        queue.get(queue.a);
        queue.get(queue.a);

        queue.requeue("high2");
        queue.requeue("high1");

        assertThat(queue.ready()).containsExactly("high1", "high2", "low");
    }

    @Test
    void shouldCarryWhatChannelNeedsWhenDelivered() {
        QueueFixture queue = new QueueFixture(settings());
        QueueConsumer consumer = queue.consume("c1");
        queue.publish("m0", "m1");

        QueueDelivery delivery = queue.delivery("m1");

        assertThat(delivery.queue().name()).isEqualTo("q");
        assertThat(delivery.offset()).isEqualTo(1);
        assertThat(delivery.consumer()).isSameAs(consumer);
        assertThat(delivery.isRedelivered()).isFalse();
        assertThat(delivery.message().routingKey()).isEqualTo("m1");
    }
}
