package io.warren.test.rounds;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What clients of a mirrored queue were told, and what of it cannot be.
 *
 * <p>A message is named by its publisher and its number. A publisher whose connection ends publishes again what was not confirmed; that is another
 * attempt, and each attempt may be in the queue. Any thread.
 */
final class Ledger {

    /** A message as it travels: who published it, over which of its connections, its number, and when. */
    record Copy(int publisher, int connection, long number, long publishedNs) {

        byte[] bytes() {
            return (publisher + " " + connection + " " + number + " " + publishedNs).getBytes(US_ASCII);
        }

        static Copy of(byte[] body) {
            String[] words = new String(body, US_ASCII).split(" ", -1);
            return new Copy(
                    Integer.parseInt(words[0]),
                    Integer.parseInt(words[1]),
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]));
        }
    }

    private record Name(int publisher, long number) {}

    private record Stream(String consumer, int publisher, int connection) {}

    private static final class Known {
        int attempts;
        boolean confirmed;
        int fresh;
        int received;
        /** By which connection of its publisher, and to whom; for whoever reads what went wrong. */
        final StringBuilder told = new StringBuilder();
    }

    private final Map<Name, Known> messages = new HashMap<>();
    private final Map<Stream, Long> lasts = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private long faultNs;
    private int victim;
    private long firstConfirmNs;
    private long firstDeliveryNs;
    private long confirmedCount;
    private long doubledCount;
    private long redeliveredCount;
    private long nackCount;

    synchronized void published(Copy copy) {
        known(copy).attempts++;
    }

    private Known known(Copy copy) {
        return messages.computeIfAbsent(new Name(copy.publisher, copy.number), fresh -> new Known());
    }

    synchronized void confirmed(Copy copy) {
        known(copy).confirmed = true;
        confirmedCount++;
        if (firstConfirmNs == 0 && isAfterFault(copy)) {
            firstConfirmNs = System.nanoTime();
        }
    }

    synchronized void refused() {
        nackCount++;
    }

    private boolean isAfterFault(Copy copy) {
        return faultNs != 0 && copy.publishedNs > faultNs && copy.publisher != victim;
    }

    /** @param consumer one of its connections */
    synchronized void received(String consumer, Copy copy, boolean redelivered) {
        Known known = known(copy);
        known.received++;
        known.told
                .append(copy.connection)
                .append(redelivered ? " again to " : " to ")
                .append(consumer)
                .append("; ");
        if (known.received == 2) {
            doubledCount++;
        }
        if (firstDeliveryNs == 0 && isAfterFault(copy)) {
            firstDeliveryNs = System.nanoTime();
        }
        if (redelivered) {
            redeliveredCount++;
            return;
        }
        known.fresh++;
        if (known.fresh > known.attempts) {
            wrong.add("doubled: " + copy + " was received more often, not marked, than it was published, "
                    + known.attempts + " times: by connection " + known.told);
        }
        Long last = lasts.put(new Stream(consumer, copy.publisher, copy.connection), copy.number);
        if (last != null && last >= copy.number) {
            wrong.add("out of order: " + copy + " behind " + last + " at " + consumer);
        }
    }

    /** Something befalls a node now: times are taken of what is published elsewhere from now on. */
    synchronized void fault(int publisherAtNode) {
        faultNs = System.nanoTime();
        victim = publisherAtNode;
        firstConfirmNs = 0;
        firstDeliveryNs = 0;
    }

    /** Milliseconds from the fault to the first confirm of what was published elsewhere since, or -1. */
    synchronized long confirmMs() {
        return firstConfirmNs == 0 ? -1 : (firstConfirmNs - faultNs) / 1_000_000;
    }

    /** As {@link #confirmMs}, to the first delivery. */
    synchronized long deliveryMs() {
        return firstDeliveryNs == 0 ? -1 : (firstDeliveryNs - faultNs) / 1_000_000;
    }

    /** Whether all that was confirmed has been received. */
    synchronized boolean isReceived() {
        return messages.values().stream().allMatch(known -> !known.confirmed || known.received > 0);
    }

    /** Nobody publishes any more and the queue is empty: what was confirmed and did not come is lost. Forgets the round. */
    synchronized void endRound() {
        messages.forEach((name, known) -> {
            if (known.confirmed && known.received == 0) {
                wrong.add("lost: " + name);
            }
        });
        messages.clear();
        lasts.clear();
        faultNs = 0;
    }

    synchronized void wrong(String what) {
        wrong.add(what);
    }

    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    @Override
    public synchronized String toString() {
        return "confirmed " + confirmedCount + ", received twice " + doubledCount + ", redelivered " + redeliveredCount
                + ", refused " + nackCount + ", wrong " + wrong.size();
    }
}
