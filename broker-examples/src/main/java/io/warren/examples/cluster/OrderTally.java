package io.warren.examples.cluster;

import java.util.BitSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What became of numbered orders: published, confirmed, received, and how often. Thread-safe. */
public final class OrderTally {
    /** Publishes without an answer, at most. */
    private static final int WINDOW = 200;

    private static final long WAIT_MS = 50;
    private static final long PATIENCE_NS = 20_000_000_000L;

    private final TreeSet<Integer> toSend = new TreeSet<>();
    private final TreeSet<Integer> unanswered = new TreeSet<>();
    private final BitSet confirmed = new BitSet();
    private final BitSet received = new BitSet();
    private final BitSet publishedAgain = new BitSet();
    private int next;
    private int doubled;
    private int unexplained;
    private boolean isOver;
    private long lastConfirmNs;
    private long longestGapNs;

    /** The next order to publish, or null if for a moment there is none. */
    synchronized @Nullable Integer next() throws InterruptedException {
        long endNs = System.nanoTime() + WAIT_MS * 1_000_000;
        while (unanswered.size() >= WINDOW || (isOver && toSend.isEmpty())) {
            if (System.nanoTime() > endNs) {
                return null;
            }
            wait(WAIT_MS);
        }
        Integer order = toSend.isEmpty() ? Integer.valueOf(next++) : toSend.pollFirst();
        unanswered.add(order);
        return order;
    }

    /** The broker has answered for an order: refused ones are published again. */
    synchronized void onAnswer(int order, boolean isConfirmed) {
        unanswered.remove(order);
        if (isConfirmed) {
            long nowNs = System.nanoTime();
            longestGapNs = confirmed.isEmpty() ? 0 : Math.max(longestGapNs, nowNs - lastConfirmNs);
            lastConfirmNs = nowNs;
            confirmed.set(order);
        } else {
            sendAgain(order);
        }
        notifyAll();
    }

    /** Nobody answers any more for what was published: it is published again, though it may have arrived. */
    synchronized void onConnectionLost() {
        unanswered.forEach(this::sendAgain);
        unanswered.clear();
    }

    private void sendAgain(int order) {
        toSend.add(order);
        publishedAgain.set(order);
    }

    synchronized void onReceived(int order, boolean isMarked) {
        if (received.get(order)) {
            doubled++;
            unexplained += isMarked || publishedAgain.get(order) ? 0 : 1;
        }
        received.set(order);
        notifyAll();
    }

    /** How many were confirmed so far. */
    public synchronized int confirmed() {
        return confirmed.cardinality();
    }

    /** Waits for so many confirms more. */
    public synchronized void awaitConfirms(int more) throws InterruptedException {
        int enough = confirmed.cardinality() + more;
        await("confirms", () -> confirmed.cardinality() >= enough);
    }

    /** Nothing new is published from now on; waits until all is answered, and what was confirmed has come. */
    synchronized void end() throws InterruptedException {
        isOver = true;
        await("what was confirmed", this::isComplete);
    }

    private boolean isComplete() {
        return unanswered.isEmpty() && toSend.isEmpty() && missing() == 0;
    }

    private synchronized void await(String what, BooleanSupplier isThere) throws InterruptedException {
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (!isThere.getAsBoolean()) {
            if (System.nanoTime() > endNs) {
                throw new IllegalStateException("waited in vain for " + what + ":\n" + this);
            }
            wait(WAIT_MS);
        }
    }

    private int missing() {
        BitSet missing = (BitSet) confirmed.clone();
        missing.andNot(received);
        return missing.cardinality();
    }

    /** The table. */
    @Override
    public synchronized String toString() {
        return String.format(
                """
                confirmed          %7d
                received           %7d
                missing            %7d  confirmed and never received
                published again    %7d  nobody had answered, or it was refused
                doubled            %7d  received twice
                  without a reason %7d  neither marked redelivered nor published again
                longest time without a confirm: %d ms""",
                confirmed.cardinality(),
                received.cardinality(),
                missing(),
                publishedAgain.cardinality(),
                doubled,
                unexplained,
                longestGapNs / 1_000_000);
    }
}
