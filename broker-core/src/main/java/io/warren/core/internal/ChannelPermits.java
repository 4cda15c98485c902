package io.warren.core.internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The channel-wide prefetch: how many unacknowledged deliveries its consumers may hold together.
 *
 * <p>Queues take permits, each on its own thread; the channel gives them back. Thread-safe.
 */
final class ChannelPermits {

    private final AtomicInteger taken = new AtomicInteger();
    private volatile int limit;

    boolean take() {
        int max = limit;
        if (max == 0) {
            taken.incrementAndGet();
            return true;
        }
        int now = taken.get();
        while (now < max) {
            if (taken.compareAndSet(now, now + 1)) {
                return true;
            }
            now = taken.get();
        }
        return false;
    }

    boolean isLimited() {
        return limit != 0;
    }

    /** Takes one, left or not. */
    void count() {
        taken.incrementAndGet();
    }

    boolean isLeft() {
        int max = limit;
        return max == 0 || taken.get() < max;
    }

    /** True if somebody may have been refused before and may try again. */
    boolean giveBack(int count) {
        int before = taken.getAndAdd(-count);
        int max = limit;
        return max != 0 && before >= max && before - count < max;
    }

    /** 0 for no limit. */
    void limit(int max) {
        limit = max;
    }
}
