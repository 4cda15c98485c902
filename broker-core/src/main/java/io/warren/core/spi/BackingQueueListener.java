package io.warren.core.spi;

import io.warren.core.message.Message;

/** What a {@link BackingQueue} says later; each call is posted to the queue's mailbox. */
public interface BackingQueueListener {

    /** {@link BackingQueue#safeOffset()} has grown. */
    void onSafe();

    /** {@link BackingQueue#head()} may have changed by itself. */
    void onReady();

    /** The body of a message that {@link BackingQueue#fetch} had to ask for. */
    void onFetched(long offset, Message message);
}
