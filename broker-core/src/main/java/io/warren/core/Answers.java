package io.warren.core;

import io.warren.core.error.AmqpError;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The answers a channel or connection still owes, and whether it is open: when the broker closes it, all that wait
 * fail with its reason. Thread-safe.
 */
final class Answers {

    private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();
    private final String owner;
    private volatile boolean closed;
    private volatile @Nullable AmqpError reason;

    /**
     * @param owner what they are the answers of, in the words of an error
     */
    Answers(String owner) {
        this.owner = owner;
    }

    /** An answer without a value. */
    CompletableFuture<Void> run(Consumer<Runnable> method) {
        CompletableFuture<Void> answered = new CompletableFuture<>();
        track(answered);
        method.accept(() -> answered.complete(null));
        return answered;
    }

    <T> CompletableFuture<T> call(Consumer<Consumer<T>> method) {
        CompletableFuture<T> answered = new CompletableFuture<>();
        track(answered);
        method.accept(answered::complete);
        return answered;
    }

    /** The answer fails if the channel is closed before it comes. */
    void track(CompletableFuture<?> answer) {
        open.add(answer);
        var unused = answer.whenComplete((value, failure) -> forget(answer));
        if (closed) {
            answer.completeExceptionally(failureOfLater());
        }
    }

    @SuppressWarnings("CollectionUndefinedEquality") // a future is meant by its identity
    private void forget(CompletableFuture<?> answer) {
        open.remove(answer);
    }

    boolean isOpen() {
        return !closed;
    }

    @Nullable AmqpError closeReason() {
        return reason;
    }

    /** Closed by the user; false if it is closed already. */
    synchronized boolean close() {
        if (closed) {
            return false;
        }
        closed = true;
        open.forEach(this::fail);
        return true;
    }

    /** Closed by the broker. */
    synchronized void closed(AmqpError why) {
        reason = why;
        closed = true;
        open.forEach(this::fail);
    }

    private void fail(CompletableFuture<?> answer) {
        answer.completeExceptionally(failure());
    }

    private RuntimeException failure() {
        AmqpError why = reason;
        return why != null ? why.toException() : closedByUser();
    }

    private RuntimeException failureOfLater() {
        AmqpError why = reason;
        return why != null ? why.toExceptionOfClosed(owner) : closedByUser();
    }

    private IllegalStateException closedByUser() {
        return new IllegalStateException("this " + owner + " is closed: close() was called on it, or on what it is of");
    }

    void checkOpen() {
        if (closed) {
            throw failureOfLater();
        }
    }
}
