package io.warren.core.queue;

/** A channel as a queue sees it: an identity, and the permits of its channel-wide prefetch. */
public interface ChannelRef {

    /**
     * Takes one permit of the channel-wide prefetch.
     *
     * @return false if none is left; the channel tells its queues when there are permits again
     */
    boolean takePermit();

    /** Gives back a permit whose message was not handed out after all. */
    void returnPermit();
}
