package io.warren.core;

import io.warren.core.error.AmqpError;
import io.warren.core.internal.Callbacks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The publisher's side of confirms: counts, listeners and futures. Thread-safe. */
final class Confirms {

    private final Waiting waiting;
    private final Callbacks callbacks;
    private final List<ConfirmListener> listeners = new CopyOnWriteArrayList<>();
    private final Map<Long, CompletableFuture<Boolean>> expected = new ConcurrentHashMap<>();
    private volatile boolean selected;
    private boolean closed;
    private long published;
    private long answered;
    private boolean refused;
    private int waiters;

    Confirms(Waiting waiting, Callbacks callbacks) {
        this.waiting = waiting;
        this.callbacks = callbacks;
    }

    void selected() {
        selected = true;
    }

    void checkSelected() {
        if (!selected) {
            throw new IllegalStateException("confirms are not on: call confirmSelect first");
        }
    }

    void published() {
        if (selected) {
            synchronized (this) {
                published++;
            }
        }
    }

    synchronized long nextSequence() {
        return selected ? published + 1 : 0;
    }

    /** The publish with that sequence has a future; called in the channel's mailbox, before its answer. */
    void expect(long sequence, CompletableFuture<Boolean> answer) {
        expected.put(sequence, answer);
    }

    /** A publish is answered; called in the channel's mailbox. */
    void answered(long sequence, boolean confirmed) {
        CompletableFuture<Boolean> future = expected.isEmpty() ? null : expected.remove(sequence);
        if (future != null) {
            callbacks.post(() -> future.complete(confirmed));
        }
        if (!listeners.isEmpty()) {
            callbacks.post(() -> listeners.forEach(listener -> listener.onConfirm(sequence, confirmed)));
        }
        synchronized (this) {
            answered++;
            refused |= !confirmed;
            if (waiters > 0) {
                notifyAll();
            }
        }
    }

    void add(ConfirmListener listener) {
        listeners.add(listener);
    }

    synchronized void closed() {
        closed = true;
        notifyAll();
    }

    boolean await(Duration timeout, Supplier<@Nullable AmqpError> closeReason) {
        checkSelected();
        waiting.runDue();
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        synchronized (this) {
            long target = published;
            while (answered < target && !closed) {
                waiting.checkMayWait("publishAsync");
                waitUntil(deadlineNs, target);
            }
            if (answered < target) {
                AmqpError reason = closeReason.get();
                throw reason == null ? new IllegalStateException("closed") : reason.toException();
            }
            boolean allConfirmed = !refused;
            refused = false;
            return allConfirmed;
        }
    }

    private void waitUntil(long deadlineNs, long target) {
        long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
        if (leftMs <= 0) {
            throw new IllegalStateException((target - answered) + " publishes are not confirmed in time");
        }
        waiters++;
        try {
            wait(leftMs);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for confirms", interrupted);
        } finally {
            waiters--;
        }
    }
}
