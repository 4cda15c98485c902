package io.warren.amqp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes from one side to the other, where one side waits and the other does not. */
@Timeout(30)
class ByteQueueTest {

    private final AtomicInteger wakeUps = new AtomicInteger();
    private final ByteQueue queue = new ByteQueue(wakeUps::incrementAndGet);

    private static ByteBuf part(int bytes) {
        return Unpooled.buffer(bytes).writeZero(bytes);
    }

    private CompletableFuture<Void> putting(ByteBuf part) {
        return CompletableFuture.runAsync(() -> {
            try {
                queue.put(part);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
    }

    @Test
    void shouldGiveBytesInOrderWhenReadInPieces() throws Exception {
        byte[] target = new byte[4];
        queue.offer(Unpooled.wrappedBuffer(new byte[] {1, 2, 3}));
        queue.offer(Unpooled.wrappedBuffer(new byte[] {4}));

        assertThat(queue.read(target, 1, 2, 0)).isEqualTo(2);
        assertThat(target).containsExactly(0, 1, 2, 0);
        assertThat(queue.available()).isEqualTo(2);
        assertThat(queue.read(target, 0, 4, 0)).isEqualTo(1);
        assertThat(queue.read(target, 1, 3, 0)).isEqualTo(1);
        assertThat(target).containsExactly(3, 4, 2, 0);
    }

    @Test
    void shouldSayThatNothingCameWhenTimeIsOver() {
        assertThatThrownBy(() -> queue.read(new byte[1], 0, 1, 1)).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void shouldTakeNoMoreFromLoopWhenItIsFull() throws Exception {
        ByteBuf refused = part(1);
        queue.offer(part(ByteQueue.CAPACITY_BYTES));

        assertThat(queue.offer(refused)).isFalse();
        assertThat(wakeUps).hasValue(0);
        queue.read(new byte[1], 0, 1, 0);
        assertThat(wakeUps).as("told that there is room").hasValue(1);
        assertThat(queue.offer(refused)).isTrue();
    }

    @Test
    void shouldHoldWriterBackWhenItIsFull() throws Exception {
        queue.put(part(ByteQueue.CAPACITY_BYTES));

        CompletableFuture<Void> put = putting(part(1));
        boolean waited = !put.isDone();
        queue.poll().release();
        put.get(20, TimeUnit.SECONDS);

        assertThat(waited).isTrue();
        assertThat(queue.available()).isEqualTo(1);
    }

    @Test
    void shouldFailWriterWhenItEndsMeanwhile() throws Exception {
        ByteBuf late = part(1);
        queue.put(part(ByteQueue.CAPACITY_BYTES));
        CompletableFuture<Void> put = putting(late);

        queue.end();

        assertThatThrownBy(() -> put.get(20, TimeUnit.SECONDS)).hasRootCauseInstanceOf(SocketException.class);
        assertThat(late.refCnt()).isZero();
    }

    @Test
    void shouldGiveWhatIsThereAndThenTheEndWhenItEnded() throws Exception {
        queue.offer(part(2));
        queue.end();

        assertThat(queue.isOver()).isFalse();
        assertThat(queue.read(new byte[5], 0, 5, 0)).isEqualTo(2);
        assertThat(queue.isOver()).isTrue();
        assertThat(queue.read(new byte[5], 0, 5, 0)).isEqualTo(-1);
    }

    @Test
    void shouldReleaseAllWhenNobodyReadsAnyMore() {
        ByteBuf before = part(2);
        ByteBuf after = part(2);
        queue.offer(before);

        queue.discard();
        boolean taken = queue.offer(after);

        assertThat(taken).as("so that the loop does not wait for room").isTrue();
        assertThat(before.refCnt()).isZero();
        assertThat(after.refCnt()).isZero();
    }
}
