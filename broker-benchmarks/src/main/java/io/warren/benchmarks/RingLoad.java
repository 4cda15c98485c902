package io.warren.benchmarks;

import io.warren.mirroring.group.Group;
import io.warren.mirroring.group.GroupOptions;
import io.warren.mirroring.group.GroupOutput;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * Stable broadcasts on three nodes: the master keeps so many in flight, over one group or many in turn, and counts what is delivered to it,
 * which every member holds by then. No disk: what a member has is durable.
 *
 * <p>All nodes are in one JVM, each with one thread; nothing else runs, for whoever hears a delivery broadcasts the next.
 */
final class RingLoad implements AutoCloseable {

    static final int LARGE_BYTES = 1_024;
    static final int SMALL_BYTES = 100;
    static final int METRICS = 4;

    private static final long ENDS_WITHIN_S = 10;

    private final RingCluster cluster;
    private final List<Group<byte[]>> masters = new ArrayList<>();
    private final AtomicLong[] delivered = {new AtomicLong(), new AtomicLong(), new AtomicLong()};
    private final AtomicInteger nextGroup = new AtomicInteger();

    /** One measurement; what happens on the master's thread. */
    private volatile Run run = new Run(new byte[0], 0, 0, new Histogram(3));

    private static final class Run {
        final byte[] payload;
        final long endNs;
        final Histogram times;
        final CountDownLatch over;
        long broadcastNs;
        /** Until the time is up; what comes afterwards only ends the run. */
        long count;

        long lastNs;

        Run(byte[] payload, int window, long endNs, Histogram times) {
            this.payload = payload;
            this.endNs = endNs;
            this.times = times;
            over = new CountDownLatch(window);
        }
    }

    private RingLoad(RingCluster cluster, int groups) {
        this.cluster = cluster;
        List<Member> ring = cluster.members();
        View view = new View(1, 1, 1, 0, 0, 2, true, ring, List.of(), List.of());
        for (int number = 0; number < groups; number++) {
            for (int node = 0; node < ring.size(); node++) {
                Group<byte[]> group = cluster.groups(node)
                        .open("group-" + number, 1, GroupOptions.inMemory(), new Log<>(), new Output(node));
                group.onView(view);
                if (node == 0) {
                    masters.add(group);
                }
            }
        }
    }

    private void broadcast(byte[] payload) {
        int number = masters.size() == 1 ? 0 : Math.floorMod(nextGroup.getAndIncrement(), masters.size());
        if (!masters.get(number).broadcast(payload, true, payload.length)) {
            throw new IllegalStateException("a window larger than the ring's");
        }
    }

    /** Broadcasts a second. */
    private double measure(int window, int bytes, long forMs, Histogram times) throws Exception {
        long beganNs = System.nanoTime();
        Run next = new Run(new byte[bytes], window, beganNs + forMs * 1_000_000, times);
        next.broadcastNs = beganNs;
        run = next;
        for (int sent = 0; sent < window; sent++) {
            broadcast(next.payload);
        }
        if (!next.over.await(forMs + ENDS_WITHIN_S * 1_000, TimeUnit.MILLISECONDS)) {
            throw new TimeoutException("not everything that was broadcast was delivered: " + next.over.getCount()
                    + " of " + window + " are missing");
        }
        return next.count / ((next.lastNs - beganNs) / 1e9);
    }

    /** A master has delivered: broadcasts the next, until the time is up. */
    private void onDelivered() {
        Run current = run;
        long nowNs = System.nanoTime();
        current.times.recordValue(nowNs - current.broadcastNs);
        if (nowNs >= current.endNs) {
            current.over.countDown();
            return;
        }
        current.broadcastNs = nowNs;
        current.count++;
        current.lastNs = nowNs;
        broadcast(current.payload);
    }

    /** What all threads together have allocated. */
    private static long allocatedBytes() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = 0;
        for (long each : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            bytes += Math.max(0, each);
        }
        return bytes;
    }

    private void checkThatAllDelivered() throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(ENDS_WITHIN_S);
        while (delivered[1].get() != delivered[0].get() || delivered[2].get() != delivered[0].get()) {
            if (System.nanoTime() > endNs) {
                throw new IllegalStateException(
                        "delivered " + delivered[0] + ", " + delivered[1] + " and " + delivered[2]);
            }
            Thread.sleep(1);
        }
    }

    @Override
    public void close() {
        cluster.close();
    }

    /** A second of 1 KiB and of 100 B; microseconds of a lap, the median; bytes allocated for a broadcast of 1 KiB at all nodes together. */
    static Measurement of(RingCluster.Factory factory, int groups, int window) {
        return effort -> {
            try (RingLoad load = new RingLoad(factory.open(), effort.count(groups))) {
                Histogram ignored = new Histogram(3);
                load.measure(window, LARGE_BYTES, effort.warmUpMs(), ignored);
                long allocated = allocatedBytes();
                long before = load.delivered[0].get();
                double large = load.measure(window, LARGE_BYTES, effort.measuredMs(), ignored);
                double each = (allocatedBytes() - allocated) / (double) (load.delivered[0].get() - before);
                double small = load.measure(window, SMALL_BYTES, effort.measuredMs(), ignored);
                Histogram times = new Histogram(3);
                load.measure(1, LARGE_BYTES, effort.measuredMs(), times);
                load.checkThatAllDelivered();
                return new double[] {large, small, times.getValueAtPercentile(50) / 1e3, each};
            }
        };
    }

    private final class Output implements GroupOutput<byte[]> {
        private final int node;

        Output(int node) {
            this.node = node;
        }

        @Override
        public void deliver(Entry<byte[]> entry) {
            delivered[node].lazySet(delivered[node].getPlain() + 1);
            if (node == 0) {
                onDelivered();
            }
        }

        @Override
        public void append(Entry<byte[]> entry) {}

        @Override
        public void cut(long fromOffset) {}

        @Override
        public void viewInstalled(View view, long offset) {}

        @Override
        public void stable(long offset) {}

        @Override
        public void forget(long offset) {}

        @Override
        public void proposeInSync(long epoch, Member member) {}

        @Override
        public void proposeLagging(long epoch, Member member) {}

        @Override
        public void lost(Position leftBegins) {
            throw new IllegalStateException("nobody is lost here");
        }

        @Override
        public void failed(Throwable failure) {
            failure.printStackTrace();
        }
    }
}
