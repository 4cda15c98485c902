package io.warren.core.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Runs everything on one thread, in an order that one seed decides: each step picks a runnable mailbox and runs one
 * entry of it. The same seed gives the same interleaving.
 *
 * <p>Not for several threads; the broker of a seeded test is used by one.
 */
final class SeededRunner implements MailboxRunner {

    private final RandomGenerator random;
    private final List<Mailbox> runnable = new ArrayList<>();
    private boolean draining;

    SeededRunner(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public void runnable(Mailbox mailbox) {
        runnable.add(mailbox);
    }

    @Override
    public boolean isDraining() {
        return draining;
    }

    @Override
    public void runDue() {
        while (!draining && !runnable.isEmpty()) {
            runOne();
        }
    }

    /** Runs a user's callback: it is no part of the broker, so it may wait, and what it waits for runs meanwhile. */
    void runUserCode(Runnable callback) {
        boolean before = draining;
        draining = false;
        try {
            callback.run();
        } finally {
            draining = before;
        }
    }

    private void runOne() {
        int pick = random.nextInt(runnable.size());
        Mailbox mailbox = runnable.get(pick);
        runnable.set(pick, runnable.get(runnable.size() - 1));
        runnable.remove(runnable.size() - 1);
        draining = true;
        try {
            if (mailbox.drain(1) == Mailbox.OWED) {
                runnable.add(mailbox);
            }
        } finally {
            draining = false;
        }
    }
}
