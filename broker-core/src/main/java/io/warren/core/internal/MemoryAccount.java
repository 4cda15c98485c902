package io.warren.core.internal;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The bytes of messages that wait in queues, and the alarm that blocks publishers while they are too many.
 *
 * <p>Counts what the broker itself holds, never the heap of the application around it. Thread-safe.
 */
final class MemoryAccount {

    private final AtomicLong bytes = new AtomicLong();
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
