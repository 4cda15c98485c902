package io.warren.core.internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much of a channel's publishing is under way: handed in, and not yet taken by every queue it goes to.
 *
 * <p>When {@value #UNDER_WAY_MAX} are, the publisher waits until half of them are done, so that a queue that falls
 * behind slows who fills it, and mailboxes stay short. Taken by the publisher, given back by queues: thread-safe.
 */
final class PublishCredit {

    /** Deep enough that a drain on another thread never starves, shallow enough to stay in a cache. */
    static final int UNDER_WAY_MAX = 2_048;

    private final AtomicInteger underWay = new AtomicInteger();
    private final Runnable onAvailable;
    private volatile boolean exhausted;

    /** @param onAvailable run, on any thread, when a publisher that found it exhausted may go on */
    PublishCredit(Runnable onAvailable) {
        this.onAvailable = onAvailable;
    }

    /** Whether one more publish may start; false promises a call of {@code onAvailable}. */
    boolean isAvailable() {
        if (underWay.get() < UNDER_WAY_MAX) {
            return true;
        }
        exhausted = true;
        // Between the look and the mark the queues may have caught up.
        return underWay.get() <= UNDER_WAY_MAX / 2;
    }

    void take(int count) {
        underWay.addAndGet(count);
    }

    void giveBack(int count) {
        int left = underWay.addAndGet(-count);
        if (exhausted && left <= UNDER_WAY_MAX / 2) {
            exhausted = false;
            onAvailable.run();
        }
    }
}
