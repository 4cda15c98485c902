package io.warren.core.spi;

import io.warren.core.message.Message;
import java.util.List;

/**
 * What happens to one queue's messages, for a store to keep, and the way back to bodies that are kept there only. Called
 * by the queue's mailbox only; never blocks. Answers come through {@link QueueLogListener}.
 */
public interface QueueLog {

    /** What was kept of a queue, when it is opened again. */
    @FunctionalInterface
    interface Recovered {

        /** A message that waits; its body is in the store. */
        void message(long offset, int bodyBytes, int priority, long expiresAtNs, boolean redelivered);
    }

    /**
     * Tells all that was kept, once, before anything else is called.
     *
     * @return the offset the next message gets
     */
    long recover(Recovered to);

    /** Whether bodies can be read back: where not, nothing is ever stored and the queue keeps them. */
    boolean keepsBodies();

    /**
     * A message was appended.
     *
     * @param handOutExpected it may be handed out without asking {@link #mayHandOut}
     * @param store its body will be wanted from here: {@link QueueLogListener#onStored} tells when it can be had
     */
    void publish(long offset, Message message, int priority, long expiresAtNs, boolean handOutExpected, boolean store);

    /** The body of a message that was appended before will be wanted from here; as with {@link #publish}. */
    void store(long offset, Message message, int priority, long expiresAtNs);

    /** Asks for stored bodies; {@link QueueLogListener#onRead} brings them, all or some at a time. */
    void read(List<Long> offsets);

    /**
     * Whether a consumer may see a message now. If not, the mark that makes it a redelivered one after a crash is
     * written first, and {@link QueueLogListener#onHandOutAllowed} tells.
     *
     * @param survives false for a message that would not survive a crash anyway
     */
    boolean mayHandOut(int priority, long offset, boolean survives);

    /** A message is gone for good. */
    void settle(long offset, Settlement why);

    /** All messages below an offset are gone for good, but for those. */
    void purge(long endOffset, List<Long> except);

    /** Every publish up to this offset is kept as promised; {@code Long.MAX_VALUE} where nothing is promised. */
    long safeOffset();

    /** As {@link BackingQueue#barrier}. */
    long barrier();

    /** As {@link BackingQueue#passedBarrier}. */
    long passedBarrier();

    /** The queue is gone. */
    void delete();
}
