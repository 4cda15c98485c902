package io.warren.core.queue;

/** The ready messages of one priority, by offset: what comes back is at its old place again. */
final class ReadyOrder {

    private final OffsetBits ready = new OffsetBits();

    void add(long offset) {
        ready.add(offset);
    }

    /** A message that was taken comes back to its place. */
    void putBack(long offset) {
        ready.add(offset);
    }

    boolean contains(long offset) {
        return ready.contains(offset);
    }

    /** The first, or {@link io.warren.core.spi.BackingQueue#NONE}. */
    long head() {
        return ready.first();
    }

    /** Takes the first; only where there is one. */
    long poll() {
        long first = ready.first();
        ready.remove(first);
        return first;
    }

    /** Takes all, and calls for each. */
    void drain(java.util.function.LongConsumer action) {
        ready.forEach(action);
        ready.clear();
    }

    /** The first that is not below that offset, or {@link io.warren.core.spi.BackingQueue#NONE}. */
    long next(long from) {
        return ready.next(from);
    }

    long size() {
        return ready.size();
    }

    /** At most so many offsets from the head on. */
    long[] first(int countMax) {
        long[] first = new long[(int) Math.min(Math.max(countMax, 0), size())];
        long from = 0;
        for (int i = 0; i < first.length; i++) {
            first[i] = ready.next(from);
            from = first[i] + 1;
        }
        return first;
    }
}
