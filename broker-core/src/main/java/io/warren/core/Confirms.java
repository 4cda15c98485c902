package io.warren.core;

import io.warren.core.error.AmqpError;
import io.warren.core.internal.Callbacks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The publisher's side of confirms: counts, listeners and futures. Thread-safe. */
final class Confirms {

    /** Somebody waits until so many publishes are answered. */
    private record Waiter(long target, CompletableFuture<Void> reached) {}

    private final Waiting waiting;
    private final Callbacks callbacks;
    private final List<ConfirmListener> listeners = new CopyOnWriteArrayList<>();
    private final Map<Long, CompletableFuture<Boolean>> expected = new ConcurrentHashMap<>();
    private volatile boolean selected;
    private boolean closed;
    private long published;
    private long answered;
    private boolean refused;
    private final List<Waiter> waiters = new ArrayList<>();

    /** Posted to the callbacks and not begun: what is answered next joins it. */
    private @Nullable ConfirmBatch batch;

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
            join(sequence, confirmed);
        }
        // Last: who waits for all answers finds the listeners' callbacks posted.
        synchronized (this) {
            answered++;
            refused |= !confirmed;
            if (!waiters.isEmpty()) {
                release();
            }
        }
    }

    /** Adds an answer to the batch that waits, or posts a new one. */
    private void join(long sequence, boolean confirmed) {
        ConfirmBatch begun = null;
        synchronized (this) {
            if (batch == null) {
                begun = new ConfirmBatch();
                batch = begun;
            }
            batch.add(sequence, confirmed);
        }
        if (begun != null) {
            ConfirmBatch posted = begun;
            callbacks.post(() -> tell(posted));
        }
    }

    private void tell(ConfirmBatch posted) {
        synchronized (this) {
            if (batch == posted) {
                batch = null;
            }
        }
        posted.tell(listeners);
    }

    /** What is answered from now on is told behind what is posted now, such as a return before its confirm. */
    synchronized void seal() {
        batch = null;
    }

    void add(ConfirmListener listener) {
        listeners.add(listener);
    }

    synchronized void closed() {
        closed = true;
        release();
    }

    boolean await(Duration timeout, Supplier<@Nullable AmqpError> closeReason) {
        checkSelected();
        waiting.runDue();
        CompletableFuture<Void> allAnswered = new CompletableFuture<>();
        synchronized (this) {
            waiters.add(new Waiter(published, allAnswered));
            release();
        }
        if (!allAnswered.isDone()) {
            waiting.checkMayWait("publishAsync");
        }
        waitFor(allAnswered, timeout);
        synchronized (this) {
            if (closed && answered < published) {
                AmqpError reason = closeReason.get();
                throw reason != null
                        ? reason.toExceptionOfClosed("channel")
                        : new IllegalStateException(
                                "this channel was closed with " + (published - answered) + " publishes unanswered");
            }
            boolean allConfirmed = !refused;
            refused = false;
            return allConfirmed;
        }
    }

    private void waitFor(CompletableFuture<Void> allAnswered, Duration timeout) {
        try {
            allAnswered.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new IllegalStateException("not all publishes were answered within " + timeout, late);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for confirms", interrupted);
        }
    }

    private void release() {
        for (Iterator<Waiter> each = waiters.iterator(); each.hasNext(); ) {
            Waiter waiter = each.next();
            if (closed || answered >= waiter.target) {
                each.remove();
                waiter.reached.complete(null);
            }
        }
    }
}
