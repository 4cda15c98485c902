package io.warren.core.queue;

/** A channel as a queue sees it: an identity, and the permits of its channel-wide prefetch. */
public interface ChannelRef {

    /**
     * Takes one permit of the channel-wide prefetch.
     *
     * @return false if none is left; the channel tells its queues when there are permits again
     */
    boolean takePermit();

    /**
     * Whether a permit is left, without taking it: what is acknowledged automatically counts for nothing, and yet waits
     * while the channel has all it may have.
     */
    boolean hasPermit();

    /** Gives back a permit whose message was not handed out after all. */
    void returnPermit();
}
