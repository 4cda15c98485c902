package io.warren.core.queue;

import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;

/** {@link QueueState} on a {@link LocalBackingQueue} against a model of plain lists, over random histories. */
class QueueStatePropertyTest {

    private static final int SEED_COUNT = 200;
    private static final int OPERATION_COUNT = 10_000;

    @Test
    void shouldAgreeWithModelWhateverTheHistory() {
        for (long seed = 1; seed <= SEED_COUNT; seed++) {
            try {
                new QueueHistory(seed, false).run(OPERATION_COUNT);
            } catch (AssertionError | RuntimeException failure) {
                explain(seed, failure);
            }
        }
    }

    /** The same history again, this time with what led to the failure. */
    private static void explain(long seed, Throwable failure) {
        try {
            new QueueHistory(seed, true).run(OPERATION_COUNT);
        } catch (AssertionError | RuntimeException traced) {
            fail("seed " + seed + ", " + traced.getMessage(), traced);
        }
        fail("seed " + seed + " failed once and not again", failure);
    }
}
