package io.warren.core.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The bytes of messages that wait in queues, and the alarm that blocks publishers while they are too many.
 *
 * <p>Counts what the broker itself holds, never the heap of the application around it. Thread-safe.
 */
final class MemoryAccount {

    /** Part of the limit from which on queues with more than their share are to page, as RabbitMQ's paging ratio. */
    private static final double SHORT_FROM = 0.5;

    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger holders = new AtomicInteger();
    private final Consumer<Boolean> onAlarm;
    private volatile long limitBytes;
    private volatile boolean forced;
    private boolean alarm;

    /**
     * An account without bytes.
     *
     * @param onAlarm told when the alarm goes on or off
     */
    MemoryAccount(long limitBytes, Consumer<Boolean> onAlarm) {
        this.limitBytes = limitBytes;
        this.onAlarm = onAlarm;
    }

    void add(long change) {
        long before = bytes.getAndAdd(change);
        long limit = limitBytes;
        if ((before >= limit) != (before + change >= limit)) {
            check();
        }
    }

    /** So many more queues hold something. */
    void holders(int change) {
        holders.addAndGet(change);
    }

    /** Whether memory is getting short, long before publishers are blocked. */
    boolean isShort() {
        return bytes.get() > limitBytes * SHORT_FROM;
    }

    /** What each queue may hold while memory is short: together half of what makes it short. */
    long shareBytes() {
        return (long) (limitBytes * SHORT_FROM / 2 / Math.max(1, holders.get()));
    }

    long bytes() {
        return bytes.get();
    }

    void limit(long newLimitBytes) {
        limitBytes = newLimitBytes;
        check();
    }

    /** Sets the alarm whatever the bytes are, or lets the bytes decide again. */
    void force(boolean on) {
        forced = on;
        check();
    }

    private synchronized void check() {
        boolean now = forced || bytes.get() >= limitBytes;
        if (now != alarm) {
            alarm = now;
            onAlarm.accept(now);
        }
    }
}
