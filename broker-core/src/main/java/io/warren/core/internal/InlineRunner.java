package io.warren.core.internal;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains a mailbox on the thread that found it idle, and hands what is left after {@value #ENTRIES_PER_CALL} entries to
 * the pool.
 *
 * <p>One trampoline per thread: what becomes runnable during a drain waits in the thread's list until that drain ends,
 * so the stack never grows with the length of a chain, and no mailbox is entered while another is held.
 */
final class InlineRunner implements MailboxRunner {

    /** Entries a post may run on its caller's thread in all, so that a publish is not made to work for everyone. */
    static final int ENTRIES_PER_CALL = 64;

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.broker");

    private final Executor pool;
    private final ThreadLocal<Trampoline> trampolines = ThreadLocal.withInitial(Trampoline::new);

    InlineRunner(Executor pool) {
        this.pool = pool;
    }

    @Override
    public void runnable(Mailbox mailbox) {
        Trampoline trampoline = trampolines.get();
        trampoline.runnable.addLast(mailbox);
        if (!trampoline.draining) {
            drainAll(trampoline);
        }
    }

    @Override
    public boolean isDraining() {
        return trampolines.get().draining;
    }

    @Override
    public void runDue() {
        // The pool's threads do.
    }

    private void drainAll(Trampoline trampoline) {
        trampoline.draining = true;
        try {
            int budget = ENTRIES_PER_CALL;
            for (Mailbox mailbox = trampoline.runnable.pollFirst();
                    mailbox != null;
                    mailbox = trampoline.runnable.pollFirst()) {
                budget = mailbox.drain(budget);
                if (budget == Mailbox.OWED) {
                    trampoline.runnable.addLast(mailbox);
                }
                if (budget <= 0) {
                    handOver(trampoline);
                    return;
                }
            }
        } finally {
            trampoline.draining = false;
        }
    }

    private void handOver(Trampoline trampoline) {
        for (Mailbox mailbox = trampoline.runnable.pollFirst();
                mailbox != null;
                mailbox = trampoline.runnable.pollFirst()) {
            Mailbox left = mailbox;
            try {
                pool.execute(() -> runnable(left));
            } catch (RejectedExecutionException ended) {
                LOG.debug("the broker has ended: what is left is not run", ended);
            }
        }
    }

    private static final class Trampoline {

        final ArrayDeque<Mailbox> runnable = new ArrayDeque<>();
        boolean draining;
    }
}
