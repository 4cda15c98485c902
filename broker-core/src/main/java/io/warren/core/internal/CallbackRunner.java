package io.warren.core.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Drains a mailbox of callbacks on an executor, a batch at a time, so that one busy channel does not keep a thread. */
final class CallbackRunner implements MailboxRunner {

    private static final int ENTRIES_PER_TURN = 256;

    private final Executor executor;
    private final Runnable onRejected;

    CallbackRunner(Executor executor, Runnable onRejected) {
        this.executor = executor;
        this.onRejected = onRejected;
    }

    @Override
    public void runnable(Mailbox mailbox) {
        try {
            executor.execute(() -> drain(mailbox));
        } catch (RejectedExecutionException rejected) {
            onRejected.run();
        }
    }

    private void drain(Mailbox mailbox) {
        if (mailbox.drain(ENTRIES_PER_TURN) == Mailbox.OWED) {
            runnable(mailbox);
        }
    }

    @Override
    public boolean isDraining() {
        return false;
    }

    @Override
    public void runDue() {
        // The executor does.
    }
}
