package io.warren.mirroring.mirror;

import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.ReleasedQueue;
import io.warren.core.spi.Ticker;
import io.warren.core.store.format.Records;
import io.warren.mirroring.queue.PlainContent;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reads what a queue held that ran by itself, as that with which its group begins. One thread at a time.
 *
 * <p>All of it is in memory then, as in any mirrored queue.
 */
final class PlainStart implements ReleasedQueue.Reader {
    private final boolean isDurable;
    private final PlainContent content;
    private final Consumer<Mirror.Start> then;
    private final long reign;
    private final long nowNs;
    private final long nowMs;

    /**
     * @param reign the one in which the group begins
     * @param then given the whole
     */
    PlainStart(Queue queue, long reign, Ticker ticker, Consumer<Mirror.Start> then) {
        this.isDurable = queue.definition().durable();
        this.content = new PlainContent(reign, queue.id());
        this.then = then;
        this.reign = reign;
        nowNs = ticker.nowNs();
        nowMs = ticker.now().toEpochMilli();
    }

    @Override
    public void message(long offset, Message message, int priority, long expiresAtNs, boolean wasHandedOut) {
        boolean persistent = isDurable && message.properties().isPersistent();
        content.add(offset, message, priority, expiresAtMs(expiresAtNs), persistent, wasHandedOut);
    }

    /** Rounded up: nothing expires before its time. */
    private long expiresAtMs(long atNs) {
        return atNs == BackingQueue.NEVER
                ? Records.NEVER_MS
                : nowMs - Math.floorDiv(nowNs - atNs, TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Override
    public void end(long nextOffset) {
        then.accept(new Mirror.Start(content.snapshot(nextOffset), PlainContent.position(reign)));
    }
}
