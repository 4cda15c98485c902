package io.warren.core;

import java.util.function.BooleanSupplier;

/** Where a publisher waits while an alarm or its own credit holds it back. */
final class PublishGate {

    private final BooleanSupplier mayPublish;
    private final Waiting waiting;
    private boolean closed;

    PublishGate(BooleanSupplier mayPublish, Waiting waiting) {
        this.mayPublish = mayPublish;
        this.waiting = waiting;
    }

    void await() {
        if (mayPublish.getAsBoolean()) {
            return;
        }
        waiting.runDue();
        synchronized (this) {
            while (!closed && !mayPublish.getAsBoolean()) {
                waiting.checkMayWait("tryPublish");
                try {
                    wait();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted while publishers are held back", interrupted);
                }
            }
        }
    }

    /** Those who wait look again. */
    synchronized void open() {
        notifyAll();
    }

    /** Nobody waits any more: the channel is closed. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
