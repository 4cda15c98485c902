package io.warren.core.queue;

import io.warren.core.spi.BackingQueue;
import java.util.PriorityQueue;

/**
 * The ready messages of one priority, by offset.
 *
 * <p>Whatever was ever taken out stood before all that was not: so those that came back are always ahead of the fresh
 * ones, and two structures, each cheap, keep the whole order.
 */
final class ReadyOrder {

    private final LongFifo fresh = new LongFifo();
    private final PriorityQueue<Long> returned = new PriorityQueue<>();

    void add(long offset) {
        fresh.add(offset);
    }

    /** A message that was taken comes back to its place. */
    void putBack(long offset) {
        returned.add(offset);
    }

    /** The first, or {@link BackingQueue#NONE}. */
    long head() {
        Long first = returned.peek();
        if (first != null) {
            return first;
        }
        return fresh.size() == 0 ? BackingQueue.NONE : fresh.peek();
    }

    /** Takes the first; only where there is one. */
    long poll() {
        Long first = returned.poll();
        return first != null ? first : fresh.poll();
    }

    int size() {
        return fresh.size() + returned.size();
    }

    /** At most so many offsets from the head on. */
    long[] first(int countMax) {
        return java.util.stream.LongStream.concat(
                        returned.stream().mapToLong(Long::longValue).sorted(),
                        java.util.stream.IntStream.range(0, fresh.size()).mapToLong(fresh::get))
                .limit(countMax)
                .toArray();
    }
}
