package io.warren.mirroring.raft;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's own threads: one that tells listeners and keeps time, one that sees to the votes and may wait for others, and
 * as many as there are other nodes to wait for connections, which end when idle.
 */
final class StoreThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreThreads.class);
    private static final long CLOSE_SECONDS = 5;

    private final String node;
    private final ScheduledThreadPoolExecutor telling;
    private final ScheduledThreadPoolExecutor voting;
    private final ExecutorService calls;

    StoreThreads(String node) {
        this.node = node;
        telling = scheduler("tell");
        voting = scheduler("vote");
        calls = Executors.newCachedThreadPool(named("call"));
    }

    private ScheduledThreadPoolExecutor scheduler(String name) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, named(name));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRemoveOnCancelPolicy(true);
        // What comes after the end has nobody to hear it.
        executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        return executor;
    }

    private ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, node + "-metadata-" + name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Runs what listeners or callers are told. */
    void tell(Runnable what) {
        telling.execute(logged(what));
    }

    void tellLater(Runnable what, long delayNs) {
        var unused = telling.schedule(logged(what), delayNs, TimeUnit.NANOSECONDS);
    }

    /** Runs what may have to wait for other nodes, one after the other. */
    void vote(Runnable what) {
        voting.execute(logged(what));
    }

    void voteLater(Runnable what, long delayNs) {
        var unused = voting.schedule(logged(what), delayNs, TimeUnit.NANOSECONDS);
    }

    /** For what waits for one other node. */
    ExecutorService calls() {
        return calls;
    }

    private Runnable logged(Runnable what) {
        return () -> {
            try {
                what.run();
            } catch (RuntimeException failed) {
                LOG.error("{}: metadata log: a listener or a step failed", node, failed);
            }
        };
    }

    /** What was to be told still is. */
    @Override
    public void close() {
        voting.shutdownNow();
        calls.shutdown();
        telling.shutdown();
        try {
            if (!Thread.currentThread().getName().startsWith(node + "-metadata-tell")) {
                telling.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            }
            voting.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
