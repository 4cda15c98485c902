package io.warren.core.queue;

/** A queue as a channel sees it: an identity to send to. */
public interface QueueRef {

    /** The queue's name, for texts. */
    String name();
}
