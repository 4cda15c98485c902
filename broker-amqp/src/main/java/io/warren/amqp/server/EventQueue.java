package io.warren.amqp.server;

import io.warren.amqp.session.Inbox;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the broker's threads have for one connection, carried to its event loop with at most one wake-up outstanding.
 *
 * <p>Bounded by where it comes from: deliveries by consumer credit, answers by one method a channel, confirms by publish
 * credit.
 */
final class EventQueue implements Inbox {

    /** Other connections of the loop get their turn after so many. */
    private static final int BATCH_MAX = 2_048;

    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean turnIsDue = new AtomicBoolean();
    private final Executor loop;
    private final Runnable turn;

    /** @param turn run on the loop; it calls {@link #run} */
    EventQueue(Executor loop, Runnable turn) {
        this.loop = loop;
        this.turn = turn;
    }

    @Override
    public void post(Runnable event) {
        events.add(event);
        wake();
    }

    private void wake() {
        if (!turnIsDue.get() && turnIsDue.compareAndSet(false, true)) {
            try {
                loop.execute(turn);
            } catch (RejectedExecutionException ended) {
                // The loop is gone and the connection with it: there is nobody left to tell.
                events.clear();
            }
        }
    }

    /** The loop will take a turn without being woken: it is reading. */
    void expectTurn() {
        turnIsDue.set(true);
    }

    /** Runs what is there, on the loop; what is too much for one turn gets another. */
    void run() {
        turnIsDue.set(false);
        for (int i = 0; i < BATCH_MAX; i++) {
            Runnable event = events.poll();
            if (event == null) {
                return;
            }
            event.run();
        }
        wake();
    }
}
