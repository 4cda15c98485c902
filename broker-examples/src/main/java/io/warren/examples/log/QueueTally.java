package io.warren.examples.log;

/** What became of the lines in one queue. Counted by its consumer, read by whoever waits for the end. */
public final class QueueTally {

    /** Sent behind the last line: as queues keep the order, no first try comes after it. */
    public static final String END = "end";

    /** Above the lines of {@link #awaitEnd}. */
    public static final String HEADER = String.format("%-11s %6s %6s", "queue", "lines", "second");

    private final String queue;
    private int lines;
    private int failures;
    private int secondTries;
    private boolean endSeen;

    public QueueTally(String queue) {
        this.queue = queue;
    }

    /** A line was sent back; it comes again. */
    public synchronized void onFailure() {
        failures++;
    }

    /** A line was dealt with, at the first try or at the second; {@link #END} is none. */
    public synchronized void onLine(String line, boolean isFirstTry) {
        if (line.equals(END)) {
            endSeen = true;
        } else {
            lines++;
            secondTries += isFirstTry ? 0 : 1;
        }
        notifyAll();
    }

    /** Waits for the end and everything that was sent back, and tells what was counted. */
    public synchronized String awaitEnd() throws InterruptedException {
        while (!endSeen || secondTries < failures) {
            wait();
        }
        return String.format("%-11s %6d %6d", queue, lines, secondTries);
    }
}
