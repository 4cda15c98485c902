package io.warren.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueMemoryTest {

    private static final long LIMIT_BYTES = 1_000_000;
    private static final long SHARE_OF_ONE = LIMIT_BYTES / 4;

    private final MemoryAccount account = new MemoryAccount(LIMIT_BYTES, on -> {});
    private final QueueMemory queue = new QueueMemory(account);
    private final QueueMemory other = new QueueMemory(account);

    @Test
    void shouldTellStepsAndNothingBelowThem() {
        queue.held(QueueMemory.STEP_BYTES - 1);
        long below = account.bytes();

        queue.held(1);

        assertThat(below).isZero();
        assertThat(account.bytes()).isEqualTo(QueueMemory.STEP_BYTES);
    }

    @Test
    void shouldTellNothingWhenEmptyAgainBelowStep() {
        queue.held(100);

        queue.held(-100);

        assertThat(account.bytes()).isZero();
        assertThat(account.shareBytes()).isEqualTo(SHARE_OF_ONE);
    }

    @Test
    void shouldLeaveNothingBehindWhenEmptyAgain() {
        queue.held(QueueMemory.STEP_BYTES);
        queue.held(10);

        queue.held(-QueueMemory.STEP_BYTES - 10);

        assertThat(account.bytes()).isZero();
    }

    @Test
    void shouldShareAmongQueuesThatHoldAStep() {
        queue.held(QueueMemory.STEP_BYTES);
        other.held(QueueMemory.STEP_BYTES);
        long shareOfTwo = account.shareBytes();

        other.held(-QueueMemory.STEP_BYTES);

        assertThat(shareOfTwo).isEqualTo(SHARE_OF_ONE / 2);
        assertThat(account.shareBytes()).isEqualTo(SHARE_OF_ONE);
    }
}
