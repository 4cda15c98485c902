package io.warren.core.store;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Callable;

/**
 * What a thread of a store would do, done by the test's: in the same order, and without a hundred thousand wake-ups in a test that lives a
 * store's life once for each of its operations.
 */
public final class StoreTasks extends StoreThread {

    private final boolean isPrompt;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean isRunning;
    private boolean isOver;

    /** @param isPrompt whether tasks run when they come; otherwise when somebody waits for what is behind them */
    private StoreTasks(String name, boolean isPrompt) {
        super(name);
        this.isPrompt = isPrompt;
    }

    /** Changes of the topology are waited for at once, copies and reads are not. */
    public static StoreTasks named(String name) {
        return new StoreTasks(name, name.endsWith("-topology"));
    }

    @Override
    public void execute(Runnable task) {
        if (!isOver) {
            waiting.add(task);
        }
        if (isPrompt) {
            runWaiting();
        }
    }

    @Override
    public <T> T call(Callable<T> task) throws IOException {
        runWaiting();
        try {
            return task.call();
        } catch (IOException | RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new IOException(failed);
        }
    }

    @Override
    public void end(long seconds) {
        runWaiting();
        isOver = true;
    }

    private void runWaiting() {
        if (isRunning) {
            return;
        }
        isRunning = true;
        try {
            for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
                next.run();
            }
        } finally {
            isRunning = false;
        }
    }
}
