package io.warren.core.store.format;

import io.warren.core.queue.OffsetBits;

/**
 * A segment as it is known in memory: which messages it holds and which of them still wait. Owned by its queue's table.
 *
 * <p>One bit a message; where a message stands in the file, the file's own index says.
 */
public final class Segment {

    private final long number;
    private final long first;
    private final long last;
    private final int count;
    private final OffsetBits unsettled;

    /**
     * A segment.
     *
     * @param number its file, unique in the store
     * @param first least offset it was written with
     * @param last greatest offset it was written with
     * @param count messages it was written with
     * @param unsettled those that still wait
     */
    public Segment(long number, long first, long last, int count, OffsetBits unsettled) {
        this.number = number;
        this.first = first;
        this.last = last;
        this.count = count;
        this.unsettled = unsettled;
    }

    public long number() {
        return number;
    }

    public long first() {
        return first;
    }

    public long last() {
        return last;
    }

    public int count() {
        return count;
    }

    public OffsetBits unsettled() {
        return unsettled;
    }

    /** Whether a message that waits is in it. */
    public boolean holds(long offset) {
        return offset >= first && offset <= last && unsettled.contains(offset);
    }

    /** Whether so little of it waits that copying that is cheaper than keeping the file. */
    public boolean isSparse() {
        return unsettled.size() * 4 < count;
    }
}
