package io.warren.core.channel;

import io.warren.core.message.Message;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.queue.QueueRef;
import io.warren.core.spi.SettleVerb;
import java.util.List;

/** What a channel wants done: towards queues, and towards its client. The shell obeys and answers nothing. */
public interface ChannelOutput {

    // ---- towards queues

    /**
     * A message goes to one of the queues it was routed to.
     *
     * @param sequence number to answer with, or 0 if no answer is wanted
     */
    void publish(QueueRef queue, long sequence, Message message);

    /** Deliveries of one queue, in order of their tags. */
    void settle(QueueRef queue, SettleVerb verb, List<QueueDelivery> deliveries);

    /** The queue is asked to answer when all that was settled before is safe. */
    void barrier(QueueRef queue, long sequence);

    /** So many of the deliveries that were counted by the channel-wide prefetch are settled. */
    void returnPermits(int count);

    /** The channel-wide prefetch is now this, 0 for no limit. */
    void permitLimit(int prefetchCount);

    // ---- towards the client

    void deliver(String consumerTag, long deliveryTag, boolean redelivered, Message message);

    void getOk(long deliveryTag, boolean redelivered, Message message, long readyCount);

    /** A mandatory message had nowhere to go; comes before its confirm. */
    void returned(Message message);

    void confirmed(long sequence);

    void rejected(long sequence);

    /** Every publish of the transaction is safe. */
    void commitOk();

    /** A queue refused a publish of the transaction: the commit failed, and the channel with it. */
    void commitFailed();
}
