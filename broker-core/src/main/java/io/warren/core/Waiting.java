package io.warren.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a verb waits for its answer: on another thread's work, or by doing the work itself where one thread does all.
 */
final class Waiting {

    /** An answer that takes longer is given up: RabbitMQ's channel_operation_timeout. */
    static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final BooleanSupplier insideDrain;
    private final Runnable runDue;
    private final boolean singleThread;

    Waiting(BooleanSupplier insideDrain, Runnable runDue, boolean singleThread) {
        this.insideDrain = insideDrain;
        this.runDue = runDue;
        this.singleThread = singleThread;
    }

    /**
     * The answer, or what was thrown in its place.
     *
     * @throws IllegalStateException inside a drain, where waiting would wait for itself; or when time runs out
     */
    <T> T on(CompletableFuture<T> answer, String asyncName) {
        runDue.run();
        if (!answer.isDone()) {
            checkMayWait(asyncName);
        }
        try {
            return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw rethrown(failed.getCause());
        } catch (TimeoutException late) {
            throw new IllegalStateException("no answer within " + TIMEOUT.toSeconds() + " s", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for an answer", interrupted);
        }
    }

    void checkMayWait(String asyncName) {
        if (insideDrain.getAsBoolean()) {
            throw new IllegalStateException(
                    "called from a callback that runs inside the broker, where waiting would wait for itself: call "
                            + asyncName);
        }
        if (singleThread) {
            throw new IllegalStateException(
                    "everything has run and the answer did not come; with a manual clock, time must be advanced first");
        }
    }

    void runDue() {
        runDue.run();
    }

    private static RuntimeException rethrown(@Nullable Throwable cause) {
        // The caller's own stack trace is the useful one; the cause keeps the other.
        if (cause instanceof io.warren.core.error.AmqpException refused) {
            return refused.again();
        }
        return cause instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(cause);
    }
}
