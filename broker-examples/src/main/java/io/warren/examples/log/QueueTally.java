package io.warren.examples.log;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What became of the lines in one queue. Counted by its consumer, read by whoever waits for the end. */
public final class QueueTally {

    /** Sent behind the last line: as queues keep the order, nothing comes after it. */
    public static final String END = "end";

    private final String queue;
    private final AtomicInteger lines = new AtomicInteger();
    private final AtomicInteger retries = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);

    public QueueTally(String queue) {
        this.queue = queue;
    }

    /** A line was dealt with, at the first try or at a later one; {@link #END} is none. */
    public void onLine(String line, boolean isFirstTry) {
        if (line.equals(END)) {
            ended.countDown();
            return;
        }
        lines.incrementAndGet();
        if (!isFirstTry) {
            retries.incrementAndGet();
        }
    }

    /** Waits for the end and tells what was counted. */
    public String awaitEnd() throws InterruptedException {
        ended.await();
        return String.format("%-11s %5d lines, %d of them at the second try", queue, lines.get(), retries.get());
    }
}
