package io.warren.mirroring.cluster;

import io.warren.core.spi.Scheduler;
import io.warren.core.spi.Ticker;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine's time, and one daemon thread for a node's own timers: its ticks do not wait behind a broker's. What a node draws at random comes
 * from here too.
 */
final class NodeClock implements Ticker, Scheduler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeClock.class);

    private static final int SECRET_BYTES = 32;

    private final ScheduledThreadPoolExecutor timers;

    NodeClock(String node) {
        timers = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "warren-" + node + "-tick");
            thread.setDaemon(true);
            return thread;
        });
        timers.setRemoveOnCancelPolicy(true);
    }

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    /** A number for a new metadata log; never 0. */
    long drawLogId() {
        return new SecureRandom().nextLong() | 1;
    }

    /** A secret that nobody else knows. */
    byte[] drawSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return secret;
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
        ScheduledFuture<?> scheduled = timers.schedule(() -> run(task), atNs - nowNs(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error failure) {
            LOG.error("a node's timer failed", failure);
            throw failure;
        }
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }
}
