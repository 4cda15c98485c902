package io.warren.core.queue;

/** A queue of longs without boxing: eight bytes a waiting message. Grows by doubling, shrinks when it empties. */
final class LongFifo {

    private static final int CAPACITY_MIN = 16;

    private long[] ring = new long[CAPACITY_MIN];
    private int first;
    private int size;

    void add(long value) {
        if (size == ring.length) {
            grow();
        }
        ring[(first + size) & (ring.length - 1)] = value;
        size++;
    }

    /** The oldest; only of a fifo that is not empty. */
    long peek() {
        return ring[first];
    }

    long poll() {
        long value = ring[first];
        first = (first + 1) & (ring.length - 1);
        size--;
        if (size == 0 && ring.length > CAPACITY_MIN * 64) {
            ring = new long[CAPACITY_MIN];
            first = 0;
        }
        return value;
    }

    /** The value {@code index} places behind the oldest. */
    long get(int index) {
        return ring[(first + index) & (ring.length - 1)];
    }

    int size() {
        return size;
    }

    /** For tests: how many values it has room for. */
    int capacity() {
        return ring.length;
    }

    private void grow() {
        long[] larger = new long[ring.length * 2];
        int toEnd = ring.length - first;
        System.arraycopy(ring, first, larger, 0, toEnd);
        System.arraycopy(ring, 0, larger, toEnd, first);
        ring = larger;
        first = 0;
    }
}
