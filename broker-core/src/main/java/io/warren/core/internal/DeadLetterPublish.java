package io.warren.core.internal;

import io.warren.core.queue.ChannelRef;

/**
 * One dead message on its way through the dead letter exchange: when every queue it goes to has answered, taken or
 * refused, its old queue forgets it. Until then it is in one of them at least.
 */
final class DeadLetterPublish implements ChannelRef {

    private final QueueProcess source;
    private final long number;
    private final long offset;
    private final java.util.concurrent.atomic.AtomicInteger missing;

    /** @param number of a mirrored queue's dead letter; else 0 */
    DeadLetterPublish(QueueProcess source, long number, long offset, int queueCount) {
        this.source = source;
        this.number = number;
        this.offset = offset;
        this.missing = new java.util.concurrent.atomic.AtomicInteger(queueCount);
    }

    /** Under which mirrored queues recognise it; 0 if nobody would publish it again. */
    long number() {
        return number;
    }

    void answered() {
        if (missing.decrementAndGet() == 0) {
            source.deadLettered(offset);
        }
    }

    @Override
    public boolean takePermit() {
        throw new UnsupportedOperationException("a dead letter consumes nothing");
    }

    @Override
    public boolean hasPermit() {
        throw new UnsupportedOperationException("a dead letter consumes nothing");
    }

    @Override
    public void returnPermit() {
        throw new UnsupportedOperationException("a dead letter consumes nothing");
    }
}
