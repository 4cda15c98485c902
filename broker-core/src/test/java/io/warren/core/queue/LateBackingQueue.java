package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.Settlement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A backing queue whose bodies are asked for and come later, when a test says so; the order is a real one's. */
final class LateBackingQueue implements BackingQueue {

    private final BackingQueue order;

    /** Whether bodies come later. */
    boolean late;

    /** The offset that was asked for last, or {@link #NONE}. */
    long asked = NONE;

    private @Nullable Message body;

    /** Of each publish, whether a consumer was said to have room. */
    final List<Boolean> expected = new ArrayList<>();

    boolean lazy;

    LateBackingQueue(BackingQueue order) {
        this.order = order;
    }

    /** The body that was asked for. */
    Message takeBody() {
        Message taken = body;
        if (taken == null) {
            throw new IllegalStateException("no body was asked for");
        }
        body = null;
        asked = NONE;
        return taken;
    }

    @Override
    public @Nullable Message fetch(long offset) {
        return later(offset, order.fetch(offset));
    }

    @Override
    public @Nullable Message take(long offset) {
        return later(offset, order.take(offset));
    }

    private @Nullable Message later(long offset, @Nullable Message message) {
        if (!late) {
            return message;
        }
        if (asked != NONE) {
            throw new IllegalStateException("asked for " + offset + " while " + asked + " is under way");
        }
        asked = offset;
        body = message;
        return null;
    }

    @Override
    public long publish(Message message, int priority, long expiresAtNs, boolean handOutExpected) {
        expected.add(handOutExpected);
        return order.publish(message, priority, expiresAtNs, handOutExpected);
    }

    @Override
    public long barrier() {
        return order.barrier();
    }

    @Override
    public long passedBarrier() {
        return order.passedBarrier();
    }

    @Override
    public void lazy(boolean isLazy) {
        lazy = isLazy;
        order.lazy(isLazy);
    }

    @Override
    public long safeOffset() {
        return order.safeOffset();
    }

    @Override
    public long readyCount() {
        return order.readyCount();
    }

    @Override
    public long readyBytes() {
        return order.readyBytes();
    }

    @Override
    public long head() {
        return order.head();
    }

    @Override
    public long expiredHead(long nowNs) {
        return order.expiredHead(nowNs);
    }

    @Override
    public long nextExpiryNs() {
        return order.nextExpiryNs();
    }

    @Override
    public long expiresAtNs(long offset) {
        return order.expiresAtNs(offset);
    }

    @Override
    public boolean isRedelivered(long offset) {
        return order.isRedelivered(offset);
    }

    @Override
    public void requeue(long offset) {
        order.requeue(offset);
    }

    @Override
    public void putBack(long offset) {
        order.putBack(offset);
    }

    @Override
    public void settle(long offset, Settlement why) {
        order.settle(offset, why);
    }

    @Override
    public void drop(long offset, Settlement why) {
        order.drop(offset, why);
    }

    @Override
    public long purge() {
        return order.purge();
    }

    @Override
    public List<Message> peek(int countMax) {
        return order.peek(countMax);
    }

    @Override
    public void delete() {
        order.delete();
    }
}
