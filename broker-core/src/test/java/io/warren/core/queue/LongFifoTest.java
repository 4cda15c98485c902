package io.warren.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LongFifoTest {

    @Test
    void shouldPollInOrderOfAddWhenItHasGrown() {
        LongFifo fifo = new LongFifo();
        for (int i = 0; i < 100; i++) {
            fifo.add(i);
        }

        for (int i = 0; i < 100; i++) {
            assertThat(fifo.peek()).isEqualTo(i);
            assertThat(fifo.poll()).isEqualTo(i);
        }

        assertThat(fifo.size()).isZero();
    }

    @Test
    void shouldKeepOrderWhenItGrowsWithTheOldestInTheMiddle() {
        LongFifo fifo = new LongFifo();
        for (int i = 0; i < 16; i++) {
            fifo.add(i);
        }
        for (int i = 0; i < 5; i++) {
            fifo.poll();
        }

        for (int i = 16; i < 40; i++) {
            fifo.add(i);
        }

        assertThat(fifo.size()).isEqualTo(35);
        for (int i = 0; i < 35; i++) {
            assertThat(fifo.get(i)).isEqualTo(5 + i);
        }
    }

    @Test
    void shouldBeSmallAgainWhenALargeOneEmpties() {
        LongFifo fifo = new LongFifo();
        for (int i = 0; i < 1_025; i++) {
            fifo.add(i);
        }
        assertThat(fifo.capacity()).isEqualTo(2_048);

        for (int i = 0; i < 1_025; i++) {
            fifo.poll();
        }

        assertThat(fifo.capacity()).isEqualTo(16);
        fifo.add(7);
        assertThat(fifo.poll()).isEqualTo(7);
    }

    @Test
    void shouldKeepItsRoomWhenASmallOneEmpties() {
        LongFifo fifo = new LongFifo();
        for (int i = 0; i < 1_024; i++) {
            fifo.add(i);
        }

        for (int i = 0; i < 1_024; i++) {
            fifo.poll();
        }

        assertThat(fifo.capacity()).isEqualTo(1_024);
    }

    @Test
    void shouldAgreeWithDequeWhenUsedAtRandom() {
        SplittableRandom random = new SplittableRandom(1);
        LongFifo fifo = new LongFifo();
        ArrayDeque<Long> deque = new ArrayDeque<>();

        for (int i = 0; i < 20_000; i++) {
            if (deque.isEmpty() || random.nextInt(100) < (i / 5_000 % 2 == 0 ? 60 : 35)) {
                fifo.add(i);
                deque.addLast((long) i);
            } else {
                assertThat(fifo.poll()).isEqualTo(deque.pollFirst());
            }
            assertThat(fifo.size()).isEqualTo(deque.size());
        }
    }
}
