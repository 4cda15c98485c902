package io.warren.benchmarks;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what a load has under way, and so how much more may be published.
 *
 * <p>Limits: {@value #UNDELIVERED_MAX} deliveries that have not arrived, {@value #UNCONFIRMED_MAX} publishes that are not
 * confirmed. The publisher's counts belong to its thread; each other counter has one writer at a time.
 */
final class Flow implements Pipe.Listener {

    /** Deep enough that no consumer starves, shallow enough that nothing measures the garbage collector. */
    private static final int UNDELIVERED_MAX = 20_000;

    private static final int UNCONFIRMED_MAX = 1_000;

    private final boolean acknowledged;
    private final AtomicLong[] delivered;
    private final AtomicLong confirmed = new AtomicLong();
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong expected = new AtomicLong();

    Flow(Pipe.Setup setup) {
        acknowledged = setup.acknowledged();
        delivered = new AtomicLong[setup.queues()];
        for (int queue = 0; queue < delivered.length; queue++) {
            delivered[queue] = new AtomicLong();
        }
    }

    private static void add(AtomicLong counter, long count) {
        counter.setRelease(counter.getPlain() + count);
    }

    /** A message was published that so many queues get. */
    void onPublished(int deliveries) {
        add(published, 1);
        add(expected, deliveries);
    }

    @Override
    public void onDelivered(int queue, int bodyBytes) {
        add(delivered[queue], 1);
    }

    @Override
    public void onConfirmed() {
        add(confirmed, 1);
    }

    /** Deliveries that may be published now; 0 or less for none. */
    long room() {
        long undelivered = UNDELIVERED_MAX - (expected.get() - delivered());
        return acknowledged
                ? Math.min(undelivered, UNCONFIRMED_MAX - (published.get() - confirmed.get()))
                : undelivered;
    }

    long published() {
        return published.get();
    }

    long delivered() {
        long sum = 0;
        for (AtomicLong queue : delivered) {
            sum += queue.get();
        }
        return sum;
    }

    /** Whether all that was published has arrived, as often as it had to, and is confirmed. */
    boolean isComplete() {
        return delivered() == expected.get() && (!acknowledged || confirmed.get() == published.get());
    }

    @Override
    public String toString() {
        return "published=" + published + " expected=" + expected + " delivered=" + delivered()
                + (acknowledged ? " confirmed=" + confirmed : "");
    }
}
