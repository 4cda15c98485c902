package io.warren.core.spi;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;

/**
 * A channel as a queue at another node sees it: what that queue answers. See {@link AttachedQueue}.
 *
 * <p>Called one at a time; must not block.
 */
public interface AttachedChannel {

    /** So many publishes are with the queue: credit for as many more. */
    void onTaken(int publishes);

    /**
     * A large publish counts as so many more, which {@link #onTaken} gives back together with it: what is under way is
     * bounded in bytes too. Said by what stands between the nodes; a queue weighs nothing.
     */
    default void onWeighed(int publishes) {}

    void onConfirmed(long sequence);

    /** A limit refused it, or the queue's node is gone before it had answered. */
    void onRejected(long sequence);

    /**
     * basic.deliver.
     *
     * @param attachment what a settlement has to name
     * @param permitted whether a permit of the channel was used for it
     */
    void onDelivery(
            String consumerTag, int attachment, long offset, boolean redelivered, boolean permitted, Message message);

    void onGetOk(int attachment, long offset, boolean redelivered, Message message, long readyCount);

    void onGetEmpty();

    void onConsumeOk(String consumerTag);

    void onConsumeRefused(String consumerTag, AmqpError error);

    void onCancelOk(String consumerTag);

    /** The queue is gone, or its node, and with it the consumer. */
    void onCancelled(String consumerTag);

    void onDeclareOk(long readyCount, int consumerCount);

    void onPurged(long messageCount);

    /** The queue may be deleted: the topology is to be told. */
    void onDeleteGranted(long messageCount);

    /** What was asked is refused, which closes the channel. */
    void onRefused(AmqpError error);

    /** The queue was deleted and has said all it had to say. */
    void onQueueGone();

    /** The queue has stopped to be one process at its home: it is mirrored now. What it has not answered by now it has not got. */
    default void onMirrored() {}

    /** A consumer waits for a permit of the channel-wide prefetch. */
    void onPermitWanted();

    /** So many permits were not needed, or are lost with the way to the queue. */
    void onPermitsReturned(int permits);
}
