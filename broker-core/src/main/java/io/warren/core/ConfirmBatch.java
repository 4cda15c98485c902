package io.warren.core;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Answers to publishes on their way to the listeners: all that come before the callback runs travel with it, so that a
 * busy publisher is not told one by one through the executor. Owned by whoever holds the lock of {@link Confirms} until it
 * is sealed, then by the callback.
 */
final class ConfirmBatch {

    private static final int COUNT_MIN = 16;

    private long[] sequences = new long[COUNT_MIN];
    private int count;
    private final BitSet refused = new BitSet();

    void add(long sequence, boolean confirmed) {
        if (count == sequences.length) {
            sequences = Arrays.copyOf(sequences, 2 * count);
        }
        refused.set(count, !confirmed);
        sequences[count++] = sequence;
    }

    /** In the order they came. */
    void tell(List<ConfirmListener> listeners) {
        for (int i = 0; i < count; i++) {
            for (ConfirmListener listener : listeners) {
                listener.onConfirm(sequences[i], !refused.get(i));
            }
        }
    }
}
