package io.warren.core.queue;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import org.jspecify.annotations.Nullable;

/** What a queue wants done; the shell obeys and answers nothing. */
public interface QueueOutput {

    /** A message goes to a consumer. */
    void deliver(QueueConsumer consumer, QueueDelivery delivery);

    /** Answer to a get: the message and how many are ready behind it. */
    void getOk(ChannelRef channel, QueueDelivery delivery, long readyCount);

    /** Answer to a get: nothing is ready. */
    void getEmpty(ChannelRef channel);

    /** Answer to a consume: from now on messages may come. */
    void consumeOk(QueueConsumer consumer);

    /** Answer to a consume: no. */
    void consumeRefused(QueueConsumer consumer, AmqpError error);

    /** Answer to a cancel: nothing comes after this. */
    void cancelOk(QueueConsumer consumer);

    /** The queue is gone and with it the consumer. */
    void cancelled(QueueConsumer consumer);

    /** Publish number {@code sequence} of the channel is as safe as it was promised to be. */
    void confirmed(ChannelRef publisher, long sequence);

    /** Publish number {@code sequence} of the channel was refused by a length limit. */
    void rejected(ChannelRef publisher, long sequence);

    /**
     * A dead message is to be published to the dead letter exchange; its offset is answered with
     * {@link QueueState#onDeadLettered}, unless it is {@link io.warren.core.spi.BackingQueue#NONE}.
     */
    void deadLetter(long offset, Message message, DeathReason reason, String exchange, @Nullable String routingKey);

    /** Answer to a declare: what the queue holds. */
    void declareOk(ChannelRef channel, long readyCount, int consumerCount);

    /** Answer to a purge. */
    void purged(ChannelRef channel, long messageCount);

    /** Answer to a delete: it may go; the queue waits for {@link QueueState#onDeleted}. */
    void deleteGranted(ChannelRef channel, long messageCount);

    /** Answer to a delete: no. */
    void deleteRefused(ChannelRef channel, AmqpError error);

    /** The queue should be deleted: its last consumer left, or it was unused for too long. */
    void deleteUnused();

    /** {@link QueueState#onTimer} is to be called then; replaces the time said before. */
    void wakeAt(long atNs);
}
