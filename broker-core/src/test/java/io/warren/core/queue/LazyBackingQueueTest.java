package io.warren.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.MemoryBudget;
import io.warren.core.spi.Settlement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A backing queue whose log keeps bodies: what is in memory, and what is asked for when. */
class LazyBackingQueueTest {

    private static final int AHEAD = 4;

    private final FakeQueueLog log = new FakeQueueLog();
    private final FakeBackingListener listener = new FakeBackingListener();
    private long heldBytes;
    private boolean memoryShort;
    private LocalBackingQueue queue = open();

    LazyBackingQueueTest() {
        log.keepsBodies = true;
    }

    private LocalBackingQueue open() {
        return new LocalBackingQueue(
                0,
                log,
                new MemoryBudget() {
                    @Override
                    public void held(long changeBytes) {
                        heldBytes += changeBytes;
                    }

                    @Override
                    public boolean mustPage() {
                        return memoryShort;
                    }
                },
                listener,
                AHEAD);
    }

    private void publish(int count) {
        for (int i = 0; i < count; i++) {
            queue.publish(Messages.message("m"), 0, BackingQueue.NEVER, false);
        }
    }

    private void answerStores() {
        List<Long> stored = List.copyOf(log.storing);
        log.storing.clear();
        queue.onStored(stored);
    }

    private void answerReads() {
        List<Long> read = List.copyOf(log.reading);
        log.reading.clear();
        queue.onRead(read, read.stream().map(log.bodies::get).toList());
    }

    private long bytesOf(int messages) {
        return messages * Messages.message("m").memoryBytes();
    }

    @Test
    void shouldKeepOnlyThoseNextInMemoryWhenLazy() {
        queue.lazy(true);

        publish(10);
        assertThat(heldBytes).isEqualTo(bytesOf(10));
        answerStores();

        assertThat(heldBytes).isEqualTo(bytesOf(AHEAD) + 6 * MessageSlots.PAGED_BYTES);
        assertThat(queue.readyCount()).isEqualTo(10);
        assertThat(queue.peek(10)).hasSize(AHEAD);
    }

    @Test
    void shouldReadAheadWhenHalfOfThoseNextAreTaken() {
        queue.lazy(true);
        publish(20);
        answerStores();
        for (long offset = 0; offset < AHEAD; offset++) {
            assertThat(queue.fetch(offset)).isNotNull();
        }

        assertThat(queue.fetch(4)).isNull();
        assertThat(log.reading).containsExactly(4L, 5L, 6L, 7L, 8L);
        answerReads();
        assertThat(listener.heard).containsExactly("fetched 4 m");
        assertThat(queue.fetch(5)).isNotNull();
        assertThat(log.reading).isEmpty();
        assertThat(queue.fetch(6)).isNotNull();

        assertThat(log.reading).containsExactly(9L, 10L);
    }

    @Test
    void shouldStoreWhatWaitsWhenQueueBecomesLazy() {
        publish(10);
        assertThat(log.storing).isEmpty();

        queue.lazy(true);
        assertThat(log.storing).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
        answerStores();

        assertThat(heldBytes).isEqualTo(bytesOf(AHEAD) + 6 * MessageSlots.PAGED_BYTES);
    }

    @Test
    void shouldKeepNewOnesInMemoryWhenQueueIsNotLazyAnyMore() {
        queue.lazy(true);
        publish(10);
        answerStores();

        queue.lazy(false);
        publish(5);

        assertThat(log.storing).isEmpty();
        assertThat(heldBytes).isEqualTo(bytesOf(AHEAD + 5) + 6 * MessageSlots.PAGED_BYTES);
    }

    @Test
    void shouldPageWhatWaitsWhenMemoryGetsShort() {
        publish(10);
        memoryShort = true;

        publish(1);
        answerStores();

        assertThat(heldBytes).isEqualTo(bytesOf(AHEAD) + 7 * MessageSlots.PAGED_BYTES);
    }

    @Test
    void shouldDropAndExpireWithoutBodiesWhenTheyAreOnDisk() {
        queue.lazy(true);
        publish(10);
        answerStores();

        for (long offset = 0; offset < 8; offset++) {
            queue.drop(offset, Settlement.EXPIRED);
        }

        assertThat(queue.readyCount()).isEqualTo(2);
        assertThat(queue.readyBytes()).isEqualTo(2L * Messages.message("m").bodyBytes());
        assertThat(heldBytes).isEqualTo(2 * MessageSlots.PAGED_BYTES);
    }

    @Test
    void shouldAnswerBodyThatWasAskedForWhenQueueIsPurgedMeanwhile() {
        queue.lazy(true);
        publish(6);
        answerStores();
        for (long offset = 0; offset < AHEAD; offset++) {
            queue.drop(offset, Settlement.ACKNOWLEDGED);
        }
        assertThat(queue.fetch(4)).isNull();

        assertThat(queue.purge()).isEqualTo(1);
        answerReads();

        assertThat(listener.heard).containsExactly("fetched 4 m");
    }

    @Test
    void shouldWaitForTheMarkWhenMessageWasNotExpectedToBeHandedOut() {
        log.handOutLimit = -1;
        publish(2);

        assertThat(queue.fetch(0)).isNull();
        assertThat(log.askedHandOuts).containsExactly(0L);
        log.handOutLimit = 0;
        queue.onHandOutAllowed();

        assertThat(listener.heard).containsExactly("fetched 0 m");
    }

    @Test
    void shouldNotWaitForTheMarkWhenMessageDies() {
        log.handOutLimit = -1;
        publish(1);

        Message dead = queue.take(0);

        assertThat(dead).isNotNull();
    }

    @Test
    void shouldHoldWhatWasKeptWhenOpened() {
        log.recoveredNextOffset = 12;
        log.kept = to -> {
            to.message(3, 100, 0, BackingQueue.NEVER, true);
            to.message(11, 50, 0, 77, false);
        };

        queue = open();

        assertThat(queue.readyCount()).isEqualTo(2);
        assertThat(queue.readyBytes()).isEqualTo(150);
        assertThat(queue.isRedelivered(3)).isTrue();
        assertThat(queue.isRedelivered(11)).isFalse();
        assertThat(queue.expiresAtNs(11)).isEqualTo(77);
        assertThat(queue.fetch(3)).isNull();
        assertThat(log.reading).containsExactly(3L, 11L);
        assertThat(queue.publish(Messages.message("next"), 0, BackingQueue.NEVER, false))
                .isEqualTo(12);
    }

    @Test
    void shouldHoldNothingWhenDeleted() {
        queue.lazy(true);
        publish(10);
        answerStores();
        queue.fetch(0);

        queue.delete();

        assertThat(heldBytes).isZero();
        assertThat(queue.readyCount()).isZero();
        assertThat(queue.head()).isEqualTo(BackingQueue.NONE);
    }
}
