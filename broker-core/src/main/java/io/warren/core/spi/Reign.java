package io.warren.core.spi;

/**
 * What a mirrored queue asks of the cluster while this node leads it, besides its backing queue.
 *
 * <p>Called in the queue's mailbox, until {@link LedQueue#end}.
 */
public interface Reign {

    /** What is to be done with a publish. */
    enum Verdict {
        /** It is new: the queue gets it, and then {@link #published} is called. */
        TAKE,
        /** It came before, to this master or an earlier one: it is confirmed when everything settled and published before is safe. */
        CONFIRM,
        /** It came before and was refused, or there are too few copies to take it. */
        REFUSE,
        /** Its attachment is over: nothing is answered. */
        DROP
    }

    /**
     * A publish has come.
     *
     * @param publisher as it was attached
     * @param sequence its number among those of the publisher
     * @param firstOpen below it the publisher was answered everything
     */
    Verdict onPublish(AttachedChannel publisher, long sequence, long firstOpen);

    /** The queue was given the publish that was to be taken, whatever it did with it. */
    void published();

    /**
     * A message that is out is to be dead-lettered. The other copies have to know before it is published: then
     * {@link LedQueue#deadLetter} is called.
     *
     * @param reason as what it would be settled without an exchange to go to
     */
    void deadLetter(long offset, Settlement reason);
}
