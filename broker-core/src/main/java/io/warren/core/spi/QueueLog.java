package io.warren.core.spi;

import io.warren.core.message.Message;

/** What happens to one queue's messages, for a store to keep. Called by the queue's mailbox only; never blocks. */
public interface QueueLog {

    /** A message was appended. */
    void publish(long offset, Message message, int priority, long expiresAtNs);

    /** A message was handed out. */
    void handedOut(long offset);

    /** A message is gone for good. */
    void settle(long offset, Settlement why);

    /** Every publish up to this offset is kept as promised; {@code Long.MAX_VALUE} where nothing is promised. */
    long safeOffset();

    /** The queue is gone. */
    void delete();
}
