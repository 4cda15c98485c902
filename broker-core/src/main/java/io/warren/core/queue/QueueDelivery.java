package io.warren.core.queue;

import io.warren.core.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * One message handed out: the channel keeps it and gives it back to have it settled.
 *
 * <p>The channel reads the final fields only; the rest belongs to the queue. A delivery the queue has taken back (its
 * channel ended) is dead: settling it does nothing, so a late acknowledgement never hits another message.
 */
public class QueueDelivery {

    private final QueueRef queue;
    private final long offset;
    private final Message message;
    private final boolean redelivered;
    private final @Nullable QueueConsumer consumer;

    /** Where it is counted as unacknowledged; null once settled or taken back, and for automatic acknowledgement. */
    @Nullable Attachment attachment;

    @Nullable QueueDelivery previous;

    @Nullable QueueDelivery next;

    /** The queue makes it; for a queue at another node, who speaks for that one here. */
    protected QueueDelivery(
            QueueRef queue, long offset, Message message, boolean redelivered, @Nullable QueueConsumer consumer) {
        this.queue = queue;
        this.offset = offset;
        this.message = message;
        this.redelivered = redelivered;
        this.consumer = consumer;
    }

    /** The queue it is settled with. */
    public QueueRef queue() {
        return queue;
    }

    public long offset() {
        return offset;
    }

    public Message message() {
        return message;
    }

    /** Whether it was handed out before. */
    public boolean isRedelivered() {
        return redelivered;
    }

    /** The consumer it was handed to; null if it was got. */
    public @Nullable QueueConsumer consumer() {
        return consumer;
    }
}
