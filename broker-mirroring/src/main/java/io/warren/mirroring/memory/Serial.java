package io.warren.mirroring.memory;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What one node is to hear, in order: posted under the cluster's lock, run outside of it.
 *
 * <p>Whoever drains it first runs everything; who comes meanwhile leaves it to that one and does not wait. What is posted is
 * bounded by the commands that callers wait for.
 */
final class Serial {
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger drains = new AtomicInteger();

    void post(Runnable what) {
        waiting.add(what);
    }

    void drain() {
        if (drains.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        try {
            while (seen != 0) {
                for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
                    next.run();
                }
                seen = drains.addAndGet(-seen);
            }
        } finally {
            // Something threw: the next to drain goes on behind it.
            if (seen != 0) {
                drains.set(0);
            }
        }
    }
}
