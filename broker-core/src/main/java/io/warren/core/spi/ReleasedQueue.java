package io.warren.core.spi;

import io.warren.core.message.Message;

/**
 * A queue that ran here by itself and has stopped, because it is mirrored from now on: what it held. Its messages stay what they were, and where they
 * were, until {@link #taken}.
 */
public interface ReleasedQueue {

    /** Hears of the messages. */
    interface Reader {

        /**
         * The next one: ready, or out and not settled.
         *
         * @param offset above that of the one before
         * @param expiresAtNs in the broker's nanoseconds; {@link BackingQueue#NEVER} if never
         * @param wasHandedOut whether a consumer may have seen it
         */
        void message(long offset, Message message, int priority, long expiresAtNs, boolean wasHandedOut);

        /**
         * That was all.
         *
         * @param nextOffset what the next message would have got
         */
        void end(long nextOffset);
    }

    /** Reads all messages in order of their offsets, once. The reader is called by one thread at a time, later and in pieces where bodies are on disk. */
    void read(Reader reader);

    /** The group holds all of it: publishers are answered, and the queue's own log is deleted. Any thread. */
    void taken();
}
