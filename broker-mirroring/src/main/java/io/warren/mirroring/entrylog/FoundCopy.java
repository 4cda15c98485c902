package io.warren.mirroring.entrylog;

import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.queue.StoredEntry;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.Senders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A copy as an earlier process has left it.
 *
 * @param queueId its queue
 * @param logId metadata log whose views it followed
 * @param base the last entry that is not there any more
 * @param senders the ring's table up to the base
 * @param entries what lies behind the base
 * @param applied the firm entry up to which the snapshot goes; not below the base
 * @param snapshot the queue as of there
 */
public record FoundCopy(
        long queueId,
        long logId,
        Position base,
        Map<Member, Long> senders,
        List<Entry<byte[]>> entries,
        Position applied,
        ReplicaSnapshot snapshot) {
    public FoundCopy {
        senders = Map.copyOf(senders);
        entries = List.copyOf(entries);
    }

    /** A copy that holds nothing. */
    static FoundCopy empty(long queueId, long logId) {
        return new FoundCopy(
                queueId, logId, Position.START, Map.of(), List.of(), Position.START, ReplicaSnapshot.EMPTY);
    }

    /** The ring's log, all of which has to be reported durable again. */
    public Log<byte[]> log() {
        return new Log<>(base, Senders.of(senders), entries);
    }

    /** Whether it holds a state of the queue from which nothing is missing. */
    public boolean isWhole() {
        boolean isEmpty = applied.equals(Position.START) && entries.isEmpty();
        return !isEmpty && snapshot.missingBelow() == 0;
    }

    /** The offset of the last entry. */
    public long last() {
        return base.offset() + entries.size();
    }

    /** Its last entry. */
    public Position end() {
        return entries.isEmpty() ? base : entries.get(entries.size() - 1).position();
    }

    /** Whether a message is in it, settled since or not. */
    public boolean hasMessages() {
        return snapshot.messageCount() > 0 || !publishes().isEmpty();
    }

    /** The publishes among the entries that are not in the snapshot, by the offsets of their messages. */
    public Map<Long, byte[]> publishes() {
        Map<Long, byte[]> publishes = new HashMap<>();
        for (Entry<byte[]> entry : entries) {
            long message = StoredEntry.message(entry);
            byte[] payload = entry.payload();
            if (entry.offset() > applied.offset() && payload != null && message != StoredEntry.NO_MESSAGE) {
                publishes.put(message, payload);
            }
        }
        return publishes;
    }

    CopyState state(long followed) {
        return CopyState.of(followed, base, senders, applied, snapshot);
    }
}
