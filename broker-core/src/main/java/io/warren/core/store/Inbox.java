package io.warren.core.store;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Entries of any thread for one thread, which takes all there are at once: that is what groups a commit. */
final class Inbox {

    /** Newest first: a push is one swap. */
    private final AtomicReference<@Nullable LogEntry> newest = new AtomicReference<>();

    private volatile @Nullable Thread waiting;

    void add(LogEntry entry) {
        LogEntry before;
        do {
            before = newest.get();
            entry.next = before;
        } while (!newest.compareAndSet(before, entry));
        if (before == null) {
            Thread taker = waiting;
            if (taker != null) {
                LockSupport.unpark(taker);
            }
        }
    }

    boolean isEmpty() {
        return newest.get() == null;
    }

    /** All entries, the oldest first, or null. */
    @Nullable LogEntry takeAll() {
        LogEntry entry = newest.getAndSet(null);
        LogEntry oldest = null;
        while (entry != null) {
            LogEntry next = entry.next;
            entry.next = oldest;
            oldest = entry;
            entry = next;
        }
        return oldest;
    }

    /** Waits until there is an entry, or so long; its one taker only. */
    void await(long timeoutNs) {
        waiting = Thread.currentThread();
        if (newest.get() == null) {
            LockSupport.parkNanos(this, timeoutNs);
        }
        waiting = null;
    }
}
