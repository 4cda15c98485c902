package io.warren.core.spi;

import io.warren.core.message.Message;
import java.util.List;

/** What a {@link QueueLog} says later, on a thread of the store: who listens posts it to the queue's mailbox. */
public interface QueueLogListener {

    /** {@link QueueLog#safeOffset} or {@link QueueLog#passedBarrier} has grown. */
    void onSafe();

    /** The bodies of these messages can be read from now on. */
    void onStored(List<Long> offsets);

    /** {@link QueueLog#mayHandOut} may be true now where it was not. */
    void onHandOutAllowed();

    /** Bodies that were asked for; both lists have one length. */
    void onRead(List<Long> offsets, List<Message> messages);
}
