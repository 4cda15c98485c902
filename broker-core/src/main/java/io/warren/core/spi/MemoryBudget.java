package io.warren.core.spi;

/** What a queue may hold in memory. Called by the queue's owner. */
@FunctionalInterface
public interface MemoryBudget {

    /** The queue holds so many bytes more, or less. */
    void held(long changeBytes);

    /** Whether memory is short and this queue has more than its share: what it can keep on disk, it should. */
    default boolean mustPage() {
        return false;
    }
}
