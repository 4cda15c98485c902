package io.warren.core.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until it is told to go on: ticker and scheduler of tests that wait for nothing.
 *
 * <p>{@link #advance} goes through all that falls due, each at its own time, before it returns. Thread-safe, but only
 * one thread should advance.
 */
public final class ManualClock implements Ticker, Scheduler {

    private static final class Task implements Timer {

        final long atNs;
        final long sequence;
        final Runnable action;
        volatile boolean cancelled;

        Task(long atNs, long sequence, Runnable action) {
            this.atNs = atNs;
            this.sequence = sequence;
            this.action = action;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    private final Instant start;
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(
            Comparator.<Task>comparingLong(task -> task.atNs).thenComparingLong(task -> task.sequence));
    private final List<Runnable> afterEach = new CopyOnWriteArrayList<>();
    private volatile long nowNs;
    private long lastSequence;

    /** A clock that stands at the first second of 2024. */
    public ManualClock() {
        this(Instant.parse("2024-01-01T00:00:00Z"));
    }

    /** A clock that stands at that time. */
    public ManualClock(Instant start) {
        this.start = start;
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public Instant now() {
        return start.plusNanos(nowNs);
    }

    @Override
    public Timer at(long atNs, Runnable action) {
        synchronized (tasks) {
            Task task = new Task(atNs, ++lastSequence, action);
            tasks.add(task);
            return task;
        }
    }

    /** Runs the action after every task, so that what the task set off is done before time goes on. */
    public void afterEachTask(Runnable action) {
        afterEach.add(action);
    }

    /** Lets so much time pass, and runs all that falls due meanwhile, in order. */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration=" + duration + " is negative");
        }
        long endNs = nowNs + duration.toNanos();
        afterEach.forEach(Runnable::run);
        for (Task task = nextUntil(endNs); task != null; task = nextUntil(endNs)) {
            nowNs = Math.max(nowNs, task.atNs);
            task.action.run();
            afterEach.forEach(Runnable::run);
        }
        nowNs = endNs;
    }

    private @Nullable Task nextUntil(long endNs) {
        synchronized (tasks) {
            Task next = tasks.peek();
            while (next != null && next.cancelled) {
                tasks.remove();
                next = tasks.peek();
            }
            return next == null || next.atNs > endNs ? null : tasks.remove();
        }
    }
}
