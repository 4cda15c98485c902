package io.warren.core.spi;

import io.warren.core.message.Message;
import java.util.function.Supplier;

/**
 * A mirrored queue that this node leads, for one reign: consumers, dispatch and answers above a backing queue of the cluster's.
 *
 * <p>It runs in the mailbox it was given, in which the backing queue lives too; what the backing queue says through this listener is
 * posted there. Deletion and changed settings reach it through the topology.
 */
public interface LedQueue extends BackingQueueListener {

    /**
     * A channel uses it, of whatever node.
     *
     * @param attachment number its deliveries carry
     * @param channel hears the answers, in the queue's mailbox, until the reign ends; {@link Reign#onPublish} names it
     */
    AttachedQueue attach(int attachment, AttachedChannel channel);

    /**
     * The other copies know of a dead letter: it is published. In the mailbox.
     *
     * @param number under which the queues it goes to recognise it
     * @param reason as what it would have been settled without an exchange to go to
     * @param inherited its message, where an earlier master had begun with it
     */
    void deadLetter(long number, long offset, Settlement reason, Supplier<Message> inherited);

    /**
     * This node leads it no more. In the mailbox, and the last thing that is done there for it: nobody who used it is told anything
     * any more, and what is still posted changes nothing.
     */
    void end();
}
