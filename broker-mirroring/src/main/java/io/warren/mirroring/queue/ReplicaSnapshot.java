package io.warren.mirroring.queue;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * All that a replica knows: what a member that cannot be brought up to date by the ring takes over, and what a store keeps at the base of
 * its log.
 */
public final class ReplicaSnapshot {

    /** What a queue is before its first entry. */
    public static final ReplicaSnapshot EMPTY =
            new ReplicaSnapshot(0, 0, 0, List.of(), List.of(), List.of(), List.of());

    /** A message on its way to the dead letter exchange. */
    record Dying(long number, QueueEntry.DeadLetter entry) {}

    /** Offset of the next message. */
    final long nextOffset;
    /** Dead letters so far. */
    final long deadLetterCount;
    /** Below this offset messages may be missing; 0 if none is. */
    final long missingBelow;
    /** The publish entries of what is not settled, or what stays in memory of them, by offset. */
    final List<byte[]> messages;

    final List<ChannelTable.Row> channels;
    /** By priority the hand-out limit; -1 where nothing was handed out. */
    final List<Long> limits;

    final List<Dying> dying;
    /** Of what is missing so many are known not to be settled; not written. */
    final long missingCount;

    ReplicaSnapshot(
            long nextOffset,
            long deadLetterCount,
            long missingBelow,
            List<byte[]> messages,
            List<ChannelTable.Row> channels,
            List<Long> limits,
            List<Dying> dying) {
        this(nextOffset, deadLetterCount, missingBelow, messages, channels, limits, dying, 0);
    }

    private ReplicaSnapshot(
            long nextOffset,
            long deadLetterCount,
            long missingBelow,
            List<byte[]> messages,
            List<ChannelTable.Row> channels,
            List<Long> limits,
            List<Dying> dying,
            long missingCount) {
        this.missingCount = missingCount;
        this.nextOffset = nextOffset;
        this.deadLetterCount = deadLetterCount;
        this.missingBelow = missingBelow;
        this.messages = List.copyOf(messages);
        this.channels = List.copyOf(channels);
        this.limits = List.copyOf(limits);
        this.dying = List.copyOf(dying);
    }

    /** Unsettled messages. */
    public int messageCount() {
        return messages.size();
    }

    /** Offset of the next message. */
    public long nextOffset() {
        return nextOffset;
    }

    /** Below this offset messages may be missing; 0 if none is. */
    public long missingBelow() {
        return missingBelow;
    }

    /** The same without its messages: what a member begins with that follows the ring first and is given the messages later. */
    public ReplicaSnapshot withoutMessages() {
        long below = messages.isEmpty() && missingBelow == 0 ? 0 : nextOffset;
        return new ReplicaSnapshot(nextOffset, deadLetterCount, below, List.of(), channels, limits, dying);
    }

    /** The same, of which it is known how many messages are missing. */
    public ReplicaSnapshot lacking(long count) {
        return new ReplicaSnapshot(nextOffset, deadLetterCount, missingBelow, messages, channels, limits, dying, count);
    }

    /** All but the messages, which are kept somewhere else: nothing is missing that was not before. */
    public ReplicaSnapshot tables() {
        return new ReplicaSnapshot(nextOffset, deadLetterCount, missingBelow, List.of(), channels, limits, dying);
    }

    /** The publish entries of the unsettled messages from an offset on, by offset. */
    public List<byte[]> messagesFrom(long offset) {
        int low = 0;
        int high = messages.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (QueueEntryCodec.offset(messages.get(middle)) < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return messages.subList(low, messages.size());
    }

    /** The messages below an offset and nothing else. */
    public ReplicaSnapshot messagesBelow(long offset) {
        List<byte[]> below = messages.stream()
                .filter(entry -> QueueEntryCodec.offset(entry) < offset)
                .toList();
        return new ReplicaSnapshot(nextOffset, 0, missingBelow, below, List.of(), List.of(), List.of());
    }

    /** The same with some of the messages that are missing. More may be. */
    public ReplicaSnapshot with(Iterable<byte[]> missing) {
        TreeMap<Long, byte[]> all = new TreeMap<>();
        missing.forEach(entry -> all.put(QueueEntryCodec.offset(entry), entry));
        messages.forEach(entry -> all.put(QueueEntryCodec.offset(entry), entry));
        return new ReplicaSnapshot(
                nextOffset, deadLetterCount, missingBelow, List.copyOf(all.values()), channels, limits, dying);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReplicaSnapshot that
                && nextOffset == that.nextOffset
                && deadLetterCount == that.deadLetterCount
                && missingBelow == that.missingBelow
                && channels.equals(that.channels)
                && limits.equals(that.limits)
                && dying.equals(that.dying)
                && Arrays.deepEquals(messages.toArray(), that.messages.toArray());
    }

    @Override
    public int hashCode() {
        return Long.hashCode(nextOffset * 31 + messages.size());
    }

    @Override
    public String toString() {
        return "replica: next offset " + nextOffset
                + (missingBelow == 0 ? ", " : " missing below " + missingBelow + ", ")
                + messages.stream()
                        .map(entry -> PagedEntry.publish(entry).toString())
                        .toList()
                + ", channels " + channels + ", limits " + limits + ", dead letters " + deadLetterCount + " of which "
                + dying;
    }
}
