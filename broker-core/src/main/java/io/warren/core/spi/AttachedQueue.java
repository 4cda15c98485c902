package io.warren.core.spi;

import io.warren.core.message.Message;
import java.util.List;

/**
 * A queue as one channel at another node uses it: what that channel says. The answers come through {@link
 * AttachedChannel}.
 *
 * <p>At the channel's node a cluster implements it, at the queue's node the core does; between them the words travel.
 * Every method returns at once, and they take effect in the order they were called.
 */
public interface AttachedQueue {

    /**
     * basic.consume.
     *
     * @param credit deliveries the channel's side can buffer
     * @param cancelledByFailover whether it ends when a mirrored queue moves, instead of going on at the next master
     */
    record Consumer(
            String tag,
            boolean acknowledges,
            boolean exclusive,
            int priority,
            int prefetchCount,
            int credit,
            boolean cancelledByFailover) {}

    /**
     * A message.
     *
     * @param sequence number to answer with, growing; 0 if nothing but {@link AttachedChannel#onTaken} is wanted
     */
    void publish(long sequence, Message message);

    /**
     * A message that may have come before: a mirrored queue recognises it by its number, any other takes it.
     *
     * @param sequence number to answer with, growing
     * @param firstOpen below it everything was answered
     */
    default void publish(long sequence, long firstOpen, Message message) {
        publish(sequence, message);
    }

    /** Asks for an answer when everything settled before is safe, by a number of the same row as publishes. */
    void barrier(long sequence);

    /**
     * basic.consume.
     *
     * @param permits of the channel-wide prefetch that go with it, so that its first deliveries wait for none
     */
    void consume(Consumer consumer, int permits);

    void cancel(String consumerTag);

    /** The channel's side has dealt with so many deliveries. */
    void credit(String consumerTag, int deliveries);

    /** Whether the channel-wide prefetch has a limit, so that each delivery needs a permit. */
    void limitPermits(boolean limited);

    /** Answer to {@link AttachedChannel#onPermitWanted}. Those that are not used at once come back. */
    void permit(int permits);

    void get(boolean acknowledges);

    /**
     * Deliveries are settled.
     *
     * @param attachment the number they came with; if it is not the present one, they are back in the queue already
     */
    void settle(SettleVerb verb, int attachment, List<Long> offsets);

    /** queue.declare of a queue that is there: asks what it holds. */
    void declare();

    void purge();

    void delete(boolean ifUnused, boolean ifEmpty);

    /**
     * The channel has ended.
     *
     * @param done run when the queue has back what the channel held, or never will
     */
    void close(Runnable done);
}
