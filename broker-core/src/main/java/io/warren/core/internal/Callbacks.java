package io.warren.core.internal;

import java.util.concurrent.Executor;

/** Runs the callbacks of one channel one after the other, in order. */
public final class Callbacks {

    private static final class Callback extends Mailbox.Entry {

        private final Executor how;
        private final Runnable callback;

        Callback(Executor how, Runnable callback) {
            this.how = how;
            this.callback = callback;
        }

        @Override
        void run() {
            how.execute(callback);
        }
    }

    private final Mailbox mailbox;
    private final Executor how;

    /**
     * Callbacks that nothing is posted to yet.
     *
     * @param how runs a callback within the mailbox's entry
     */
    Callbacks(Mailbox mailbox, Executor how) {
        this.mailbox = mailbox;
        this.how = how;
    }

    /** Adds a callback behind those that wait. */
    public void post(Runnable callback) {
        mailbox.post(new Callback(how, callback));
    }
}
