package io.warren.core.store;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One daemon thread of a store. Files are touched on such threads only, because an interrupt closes the file its thread
 * is busy with, and users interrupt their threads.
 */
public class StoreThread implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.store");

    private final String name;
    private final ExecutorService service;

    /** It runs from its first task on. */
    public StoreThread(String name) {
        this.name = name;
        this.service = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void execute(Runnable task) {
        if (!service.isShutdown()) {
            service.execute(task);
        }
    }

    /** Runs a task and waits for it, interrupted or not; an interrupt is there again afterwards. */
    public <T> T call(Callable<T> task) throws IOException {
        Future<T> answer = service.submit(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            throw rethrown(failed.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IOException rethrown(@Nullable Throwable cause) {
        if (cause instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof IOException failed ? failed : new IOException(cause);
    }

    /** Ends the thread when it has done what it was given, or after so long. */
    public void end(long seconds) throws IOException {
        Future<?> last = service.submit(() -> {});
        service.shutdown();
        boolean interrupted = false;
        long deadline = seconds;
        try {
            while (deadline > 0) {
                try {
                    last.get(1, TimeUnit.SECONDS);
                    return;
                } catch (InterruptedException later) {
                    interrupted = true;
                } catch (TimeoutException slow) {
                    deadline--;
                } catch (ExecutionException failed) {
                    throw rethrown(failed.getCause());
                }
            }
            LOG.warn("thread '{}' has not ended within {} s", name, seconds);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
