package io.warren.core.spi;

import io.warren.core.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * The order, the bodies and the durability of one queue's messages; the queue above it decides who gets what.
 *
 * <p>Every message has an <em>offset</em>, given by {@link #publish} and growing by one. A message is <em>ready</em>
 * until it is fetched, then <em>out</em> until it is requeued (back to its original place) or settled (gone for good).
 * Ready messages are ordered by priority, highest first, and by offset within a priority.
 *
 * <p>Owned by the queue's mailbox: no method blocks, reads a file or is called by another thread. What comes later comes
 * through {@link BackingQueueListener}, posted to that mailbox: never from within a call to this interface.
 */
public interface BackingQueue {

    /** No offset. */
    long NONE = -1;

    /** The expiry of a message that does not expire. */
    long NEVER = Long.MAX_VALUE;

    /**
     * Appends a message as ready.
     *
     * @param priority 0 to 255; messages of a higher priority are ahead of it
     * @param expiresAtNs when it expires, in the broker's nanoseconds, or {@link #NEVER}
     * @param handOutExpected a consumer has room for it now, so that the mark which tells it from a message nobody has
     *     seen can be kept together with it
     * @return its offset
     */
    long publish(Message message, int priority, long expiresAtNs, boolean handOutExpected);

    /** Every publish up to this offset is as safe as it was promised to be. Never falls; grows with {@code onSafe}. */
    long safeOffset();

    /**
     * Asks that all settlements told so far be made safe.
     *
     * @return a number that {@link #passedBarrier} reaches when they are; {@code onSafe} tells
     */
    long barrier();

    /** The last barrier that was passed. Never falls. */
    long passedBarrier();

    /** Whether bodies are to be kept on disk only, where there is one; may change while messages wait. */
    void lazy(boolean lazy);

    /** Ready messages. */
    long readyCount();

    /** Body bytes of the ready messages. */
    long readyBytes();

    /** The ready message that is next to be handed out, or {@link #NONE}. */
    long head();

    /** A ready message at the head of its priority that has expired by then, or {@link #NONE}. */
    long expiredHead(long nowNs);

    /** When the next head of a priority expires, or {@link #NEVER}. */
    long nextExpiryNs();

    /** When a message that is ready or out expires, or {@link #NEVER}. */
    long expiresAtNs(long offset);

    /** Whether a message that is ready or out was requeued before. */
    boolean isRedelivered(long offset);

    /**
     * Takes the head of a priority out, for a consumer.
     *
     * @return the message, or null if it comes later through {@link BackingQueueListener#onFetched}
     */
    @Nullable Message fetch(long offset);

    /** As {@link #fetch}, but no consumer will see it: it is to be dead-lettered. */
    @Nullable Message take(long offset);

    /** Puts a message that is out back to its place and marks it redelivered. */
    void requeue(long offset);

    /** Puts a message that is out back to its place; nobody has seen it, so its mark stays as it was. */
    void putBack(long offset);

    /** Forgets a message that is out. */
    void settle(long offset, Settlement why);

    /** Takes the head of a priority out and settles it, without its body being asked for. */
    void drop(long offset, Settlement why);

    /** Settles every ready message and returns how many. */
    long purge();

    /** Shows ready messages from the head on, without taking them; bodies that are not in memory end the view. */
    java.util.List<Message> peek(int countMax);

    /**
     * Shows everything that is ready or out, in order of offset, when nothing is published, taken or settled any more.
     *
     * @param except offsets that are left out
     */
    default void read(java.util.Set<Long> except, ReleasedQueue.Reader reader) {
        throw new UnsupportedOperationException("only the backing queue of a queue that is not mirrored yet is read");
    }

    /** The queue is gone: everything of it is forgotten. */
    void delete();
}
