package io.warren.core.internal;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The broker's threads: all daemon and named, so that a JVM ends without the broker being closed. */
final class BrokerThreads {

    private static final long IDLE_SECONDS = 30;

    private BrokerThreads() {}

    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** A pool of as many threads as there are processors; idle ones end. */
    static ExecutorService pool(String name, int threadsMin) {
        AtomicInteger count = new AtomicInteger();
        int threads = Math.max(threadsMin, Runtime.getRuntime().availableProcessors());
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> daemon(task, name + "-" + count.incrementAndGet()));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
