package io.warren.benchmarks;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/** How long a message takes from publish to its consumer and the news of it back, one at a time. */
final class RoundTrip implements Pipe.Listener {

    private static final int BODY_BYTES = 16;
    private static final long ARRIVES_WITHIN_S = 10;

    private final Semaphore arrived = new Semaphore(0);
    private final byte[] body = new byte[BODY_BYTES];

    @Override
    public void onDelivered(int queue, int bodyBytes) {
        arrived.release();
    }

    @Override
    public void onConfirmed() {
        // Nothing is confirmed here.
    }

    private Histogram roundTrips(Pipe pipe, long forMs) throws Exception {
        Histogram times = new Histogram(3);
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(forMs);
        long startNs = System.nanoTime();
        while (startNs < endNs) {
            pipe.publish("", body);
            if (!arrived.tryAcquire(ARRIVES_WITHIN_S, TimeUnit.SECONDS)) {
                throw new TimeoutException("no delivery within " + ARRIVES_WITHIN_S + " s");
            }
            long nowNs = System.nanoTime();
            times.recordValue(nowNs - startNs);
            startNs = nowNs;
        }
        return times;
    }

    /** Microseconds: median and 99th percentile. */
    static Measurement of(Pipe.Factory factory) {
        return effort -> {
            RoundTrip roundTrip = new RoundTrip();
            try (Pipe pipe = factory.open(Pipe.Setup.oneQueue(), roundTrip)) {
                roundTrip.roundTrips(pipe, effort.warmUpMs());
                Histogram times = roundTrip.roundTrips(pipe, effort.measuredMs());
                return new double[] {
                    times.getValueAtPercentile(50) / 1e3, times.getValueAtPercentile(99) / 1e3,
                };
            }
        };
    }
}
