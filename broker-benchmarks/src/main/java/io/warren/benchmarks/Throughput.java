package io.warren.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * How many messages go through a pipe a second: one thread publishes as fast as {@link Flow} lets it, while this thread
 * looks at the depth of the queue ten times a second.
 *
 * <p>A run ends with a check: every message arrived as often as it had to.
 */
final class Throughput {

    private static final long LOOK_MS = 100;
    private static final long PAUSE_NS = 20_000;
    private static final long COMPLETE_WITHIN_MS = 30_000;

    private final Pipe pipe;
    private final Flow flow;
    private final Load load;
    private volatile boolean stopped;
    private volatile @Nullable Exception failure;
    private long depthMax;

    Throughput(Pipe pipe, Flow flow, Load load) {
        this.pipe = pipe;
        this.flow = flow;
        this.load = load;
    }

    /**
     * What was measured.
     *
     * @param depthMax most ready messages seen in the first queue
     */
    record Rates(double publishedPerSecond, double deliveredPerSecond, double depthMax) {}

    Rates measure(Effort effort) throws Exception {
        Thread publisher = new Thread(this::publish, "publisher");
        publisher.setDaemon(true);
        publisher.start();
        watch(effort.warmUpMs());
        depthMax = 0;
        long publishedBefore = flow.published();
        long deliveredBefore = flow.delivered();
        long startNs = System.nanoTime();
        watch(effort.measuredMs());
        double seconds = (System.nanoTime() - startNs) / 1e9;
        double published = flow.published() - publishedBefore;
        double delivered = flow.delivered() - deliveredBefore;
        stopped = true;
        publisher.join();
        complete();
        return new Rates(published / seconds, delivered / seconds, depthMax);
    }

    private void publish() {
        try {
            long room = 0;
            while (!stopped) {
                if (room <= 0) {
                    room = flow.room();
                }
                if (room > 0) {
                    int deliveries = load.publishNext(pipe);
                    flow.onPublished(deliveries);
                    room -= deliveries;
                } else {
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        } catch (Exception failed) {
            failure = failed;
        }
    }

    private void watch(long forMs) throws Exception {
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(forMs);
        for (long left = forMs; left > 0; left = TimeUnit.NANOSECONDS.toMillis(untilNs - System.nanoTime())) {
            Thread.sleep(Math.min(left, LOOK_MS));
            depthMax = Math.max(depthMax, pipe.depth());
            throwFailure();
        }
    }

    private void complete() throws Exception {
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(COMPLETE_WITHIN_MS);
        while (!flow.isComplete()) {
            throwFailure();
            if (System.nanoTime() > untilNs) {
                throw new TimeoutException("not all arrived: " + flow);
            }
            Thread.sleep(1);
        }
    }

    private void throwFailure() throws Exception {
        Exception failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    /** Messages delivered a second, and most that were seen waiting. */
    static Measurement of(Pipe.Factory factory, Pipe.Setup setup, int bodyBytes) {
        return effort -> {
            Flow flow = new Flow(setup);
            try (Pipe pipe = factory.open(setup, flow)) {
                Rates rates = new Throughput(pipe, flow, Load.of(bodyBytes, setup.queues())).measure(effort);
                return new double[] {rates.deliveredPerSecond(), rates.depthMax()};
            }
        };
    }
}
