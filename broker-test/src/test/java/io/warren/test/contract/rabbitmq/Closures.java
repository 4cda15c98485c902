package io.warren.test.contract.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import io.warren.test.contract.ClosedException;
import io.warren.test.contract.Closure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Turns the Java client's ways of saying "closed" into one. */
final class Closures {
    static final int DEADLINE_SECONDS = 10;

    private Closures() {}

    static Closure of(ShutdownSignalException signal) {
        Object reason = signal.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return Closure.channel(close.getReplyCode(), close.getReplyText());
        }
        if (reason instanceof AMQP.Connection.Close close) {
            return Closure.connection(close.getReplyCode(), close.getReplyText());
        }
        return Closure.connection(0, String.valueOf(signal.getMessage()));
    }

    static RuntimeException rethrow(IOException failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShutdownSignalException signal) {
                return new ClosedException(of(signal), failed);
            }
        }
        return new UncheckedIOException(failed);
    }

    static Closure await(CompletableFuture<Closure> closed) {
        try {
            return closed.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        } catch (ExecutionException | TimeoutException stillOpen) {
            throw new AssertionError("not closed by the broker", stillOpen);
        }
    }
}
