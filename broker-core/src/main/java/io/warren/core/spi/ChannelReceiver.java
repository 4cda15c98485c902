package io.warren.core.spi;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;

/**
 * What a channel tells its client without being asked. Called in the channel's mailbox, one call at a time and in the
 * order a client must see: it must not block.
 */
public interface ChannelReceiver {

    /** basic.deliver. {@link ChannelSession#credit} is owed for each once the client's side has dealt with it. */
    void onDelivery(String consumerTag, long deliveryTag, boolean redelivered, Message message);

    /** basic.return of a mandatory message that had nowhere to go (312 NO_ROUTE). */
    void onReturn(Message message);

    /** basic.ack of a publish. */
    void onConfirmed(long sequence);

    /** basic.nack of a publish. */
    void onRejected(long sequence);

    /** basic.cancel from the broker: the consumer's queue is gone. */
    void onCancel(String consumerTag);

    /** The broker closed the channel; nothing comes after this. */
    void onClosed(AmqpError reason);

    /** As {@link #onClosed}, where no method of the client is to blame. */
    default void onClosedUnasked(AmqpError reason) {
        onClosed(reason);
    }

    /** {@link ChannelSession#mayPublish} was false and may be true now; on any thread. */
    void onPublishable();
}
