package io.warren.core.internal;

/** Decides where and when a mailbox that has something to do is drained. */
interface MailboxRunner {

    /** The mailbox has gone from idle to busy: it must be drained once, by somebody, soon. */
    void runnable(Mailbox mailbox);

    /** Whether the calling thread is inside a drain: waiting there would wait for itself. */
    boolean isDraining();

    /** Runs whatever can run without another thread; does nothing where other threads do that. */
    void runDue();
}
