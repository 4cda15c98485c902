package io.warren.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import org.junit.jupiter.api.Test;

class MessageSlotsTest {

    private final MessageSlots slots = new MessageSlots();

    private void put(long offset) {
        slots.put(offset, Messages.message("m" + offset), 0, BackingQueue.NEVER);
    }

    @Test
    void shouldGiveBackWhatWasPutWhenAskedByOffset() {
        Message plain = Messages.message("plain");
        Message special = Messages.message("special");

        slots.put(0, plain, 0, BackingQueue.NEVER);
        slots.put(1, special, 255, 77);
        slots.put(2, plain, 0, BackingQueue.NEVER);

        assertThat(slots.message(1)).isSameAs(special);
        assertThat(slots.priority(1)).isEqualTo(255);
        assertThat(slots.expiresAtNs(1)).isEqualTo(77);
        assertThat(slots.message(0)).isSameAs(plain);
        assertThat(slots.priority(0)).isZero();
        assertThat(slots.priority(2)).isZero();
        assertThat(slots.expiresAtNs(0)).isEqualTo(BackingQueue.NEVER);
        assertThat(slots.expiresAtNs(2)).isEqualTo(BackingQueue.NEVER);
    }

    @Test
    void shouldKeepEarlierOnesWhenChunkGetsExpiryAndPriorityLater() {
        slots.put(0, Messages.message("a"), 1, 10);
        slots.put(1, Messages.message("b"), 2, 20);

        assertThat(slots.priority(0)).isEqualTo(1);
        assertThat(slots.priority(1)).isEqualTo(2);
        assertThat(slots.expiresAtNs(0)).isEqualTo(10);
        assertThat(slots.expiresAtNs(1)).isEqualTo(20);
    }

    @Test
    void shouldMarkOnlyThatOneWhenRedelivered() {
        put(0);
        put(1);
        put(2);
        assertThat(slots.isRedelivered(1)).isFalse();

        slots.markRedelivered(1);
        slots.markRedelivered(2);

        assertThat(slots.isRedelivered(0)).isFalse();
        assertThat(slots.isRedelivered(1)).isTrue();
        assertThat(slots.isRedelivered(2)).isTrue();
    }

    @Test
    void shouldFindMessagesOfEveryChunkWhenThereAreMany() {
        for (long offset = 0; offset < 1_000; offset++) {
            put(offset);
        }

        for (long offset = 0; offset < 1_000; offset += 100) {
            assertThat(slots.message(offset).routingKey()).isEqualTo("m" + offset);
            assertThat(slots.message(999 - offset).routingKey()).isEqualTo("m" + (999 - offset));
        }
        assertThat(slots.chunkCount()).isEqualTo(4);
    }

    @Test
    void shouldReleaseChunkWhenAllOfItIsGone() {
        for (long offset = 0; offset < 600; offset++) {
            put(offset);
        }

        for (long offset = 0; offset < 256; offset++) {
            slots.remove(offset);
        }

        assertThat(slots.chunkCount()).isEqualTo(2);
        assertThatThrownBy(() -> slots.message(5)).hasMessageContaining("no message at that offset");
    }

    @Test
    void shouldKeepChunkWhenOneOfItStays() {
        for (long offset = 0; offset < 600; offset++) {
            put(offset);
        }

        for (long offset = 0; offset < 600; offset++) {
            if (offset != 100) {
                slots.remove(offset);
            }
        }

        assertThat(slots.chunkCount()).isEqualTo(2);
        assertThat(slots.message(100).routingKey()).isEqualTo("m100");
    }

    @Test
    void shouldKeepOnlyNewestChunkWhenEachMessageGoesBeforeTheNextComes() {
        for (long offset = 0; offset < 10_000; offset++) {
            put(offset);
            slots.remove(offset);
        }

        assertThat(slots.chunkCount()).isEqualTo(1);
    }

    @Test
    void shouldHoldNothingWhenCleared() {
        put(0);
        slots.message(0);

        slots.clear();

        assertThat(slots.chunkCount()).isZero();
        assertThatThrownBy(() -> slots.message(0)).isInstanceOf(NullPointerException.class);
        put(0);
        assertThat(slots.message(0).routingKey()).isEqualTo("m0");
    }
}
