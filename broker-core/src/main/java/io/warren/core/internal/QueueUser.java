package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.queue.ChannelRef;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueDelivery;

/** A channel as queues answer it: one of this broker, or one of another node. Called by any thread. */
abstract class QueueUser implements ChannelRef {

    /** The queue has taken a publish, or refused it. */
    abstract void publishTaken();

    abstract void publishConfirmed(long sequence);

    abstract void publishRejected(long sequence);

    abstract void delivered(QueueConsumer consumer, QueueDelivery delivery);

    abstract void got(QueueDelivery delivery, long readyCount);

    abstract void gotNothing();

    abstract void consumeAccepted(QueueConsumer consumer);

    abstract void consumeRefused(QueueConsumer consumer, AmqpError error);

    abstract void cancelAccepted(QueueConsumer consumer);

    abstract void cancelledByQueue(QueueConsumer consumer);

    abstract void declareAnswered(String queue, long readyCount, int consumerCount);

    abstract void countAnswered(long messageCount);

    abstract void deleteGranted(QueueAddress queue, long messageCount);

    abstract void refused(AmqpError error);
}
