package io.warren.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeoutException;

/** What a message that waits takes of the heap: the heap after a full collection, with and without them. */
final class Backlog implements Pipe.Listener {

    /** Enough that what a broker takes besides does not show. */
    static final int MESSAGES = 500_000;

    /** For a broker whose publish adds up the sizes of all that wait: it would take hours for more. */
    static final int FEW_MESSAGES = 20_000;

    private static final int BODY_BYTES = 100;
    private static final int COLLECTIONS = 3;
    private static final int LOOKS_MAX = 10_000;

    @Override
    public void onDelivered(int queue, int bodyBytes) {
        throw new IllegalStateException("queue=" + queue + " has no consumer");
    }

    @Override
    public void onConfirmed() {
        // Nothing is confirmed here.
    }

    private static double usedBytes() throws InterruptedException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(20); // what waits for a collection, such as cleaners, has its turn
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void awaitDepth(Pipe pipe, int messages) throws Exception {
        for (int look = 0; pipe.depth() < messages; look++) {
            if (look == LOOKS_MAX) {
                throw new TimeoutException(pipe.depth() + " of " + messages + " messages wait");
            }
            Thread.sleep(1);
        }
    }

    /** Bytes of heap for each message of 100 bytes. */
    static Measurement of(Pipe.Factory factory, int fullCount) {
        return effort -> {
            int messages = effort.count(fullCount);
            try (Pipe pipe = factory.open(Pipe.Setup.oneQueue().withoutConsumers(), new Backlog())) {
                byte[] body = new byte[BODY_BYTES];
                pipe.publish("", body);
                awaitDepth(pipe, 1);
                double before = usedBytes();
                for (int i = 0; i < messages; i++) {
                    pipe.publish("", body);
                }
                awaitDepth(pipe, messages + 1);
                return new double[] {(usedBytes() - before) / messages};
            }
        };
    }
}
