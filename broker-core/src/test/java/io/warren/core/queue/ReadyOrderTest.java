package io.warren.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.spi.BackingQueue;
import org.junit.jupiter.api.Test;

class ReadyOrderTest {

    private final ReadyOrder order = new ReadyOrder();

    private void add(int count) {
        for (int offset = 0; offset < count; offset++) {
            order.add(offset);
        }
    }

    @Test
    void shouldHaveNoHeadWhenEmpty() {
        assertThat(order.head()).isEqualTo(BackingQueue.NONE);
        assertThat(order.size()).isZero();
    }

    @Test
    void shouldPutReturnedOnesAheadInTheirOrderWhenTheyComeBack() {
        add(4);
        order.poll();
        order.poll();
        order.poll();

        order.putBack(2);
        order.putBack(0);

        assertThat(order.size()).isEqualTo(3);
        assertThat(order.head()).isZero();
        assertThat(order.first(10)).containsExactly(0, 2, 3);
        assertThat(order.poll()).isZero();
        assertThat(order.head()).isEqualTo(2);
        assertThat(order.poll()).isEqualTo(2);
        assertThat(order.poll()).isEqualTo(3);
    }

    @Test
    void shouldShowOnlySoManyWhenAskedForTheFirst() {
        add(3);
        order.poll();
        order.putBack(0);

        assertThat(order.first(2)).containsExactly(0, 1);
        assertThat(order.first(0)).isEmpty();
        assertThat(order.head()).isZero();
    }

    @Test
    void shouldShowReturnedOnesSortedWhenMany() {
        add(20);
        for (int i = 0; i < 20; i++) {
            order.poll();
        }

        for (int i = 19; i >= 0; i--) {
            order.putBack(i);
        }

        assertThat(order.first(5)).containsExactly(0, 1, 2, 3, 4);
    }
}
