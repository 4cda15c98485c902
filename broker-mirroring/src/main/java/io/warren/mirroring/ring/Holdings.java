package io.warren.mirroring.ring;

import java.util.Arrays;

/**
 * What the members up to some place of the ring were reported to hold, in one view.
 *
 * <p>Numbers only grow within a view and count for nothing outside it: a member makes a new table for each view.
 */
final class Holdings {
    private final long[] pairs;

    Holdings(int memberCount) {
        pairs = new long[2 * memberCount];
    }

    int memberCount() {
        return pairs.length / 2;
    }

    long received(int place) {
        return pairs[2 * place];
    }

    long durable(int place) {
        return pairs[2 * place + 1];
    }

    /** Raises one member's pair; tells whether anything grew. */
    boolean raise(int place, long received, long durable) {
        boolean grew = received > received(place) || durable > durable(place);
        pairs[2 * place] = Math.max(received, received(place));
        pairs[2 * place + 1] = Math.max(durable, durable(place));
        return grew;
    }

    /** Takes over a neighbour's list; tells whether anything grew. */
    boolean raise(Frame.Have<?> have) {
        boolean grew = false;
        int covered = Math.min(have.memberCount(), pairs.length / 2);
        for (int place = 0; place < covered; place++) {
            grew |= raise(place, have.received(place), have.durable(place));
        }
        return grew;
    }

    /** The list of the first members, as it travels. */
    long[] first(int memberCount) {
        return Arrays.copyOf(pairs, 2 * memberCount);
    }

    long leastReceived() {
        long least = Long.MAX_VALUE;
        for (int place = 0; place < pairs.length / 2; place++) {
            least = Math.min(least, received(place));
        }
        return least;
    }
}
