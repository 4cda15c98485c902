package io.warren.test.contract.invm;

import io.warren.core.error.AmqpError;
import io.warren.test.contract.Closure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Warren's errors in the contracts' words. */
final class Closures {

    /** Generous: reached only by a contract that fails. */
    private static final int DEADLINE_SECONDS = 10;

    private Closures() {}

    static Closure of(AmqpError error) {
        return switch (error.scope()) {
            case CHANNEL -> Closure.channel(error.code().code(), error.text());
            case CONNECTION -> Closure.connection(error.code().code(), error.text());
        };
    }

    static <T> T await(CompletableFuture<T> future, String what) {
        try {
            return future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        } catch (ExecutionException | TimeoutException failed) {
            throw new AssertionError("did not happen: " + what, failed);
        }
    }
}
