package io.warren.core.internal;

import io.warren.core.spi.Scheduler;
import io.warren.core.spi.Ticker;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The machine's time, and one daemon thread for timers. */
final class SystemClock implements Ticker, Scheduler, AutoCloseable {

    private final ScheduledThreadPoolExecutor timers;

    SystemClock(String brokerName) {
        timers = new ScheduledThreadPoolExecutor(1, task -> BrokerThreads.daemon(task, brokerName + "-timer"));
        timers.setRemoveOnCancelPolicy(true);
        timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Timer at(long atNs, Runnable task) {
        if (timers.isShutdown()) {
            return () -> {};
        }
        ScheduledFuture<?> scheduled = timers.schedule(task, atNs - nowNs(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }
}
