package io.warren.mirroring.entrylog;

import io.warren.mirroring.queue.OffsetRange;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import java.util.List;
import java.util.Map;

/**
 * All that a copy is at one moment, but for bytes that stand elsewhere in the log: the messages it names, and the entries behind its base.
 *
 * @param logId metadata log whose views the copy follows
 * @param base the last entry that the ring has forgotten here
 * @param senders the ring's table up to the base
 * @param applied the firm entry up to which the queue's state goes; not below the base
 * @param messages offsets of the unsettled messages that are here, as of that entry
 * @param tables the queue's state but for the messages
 */
record CopyState(
        long logId,
        Position base,
        Map<Member, Long> senders,
        Position applied,
        List<OffsetRange> messages,
        ReplicaSnapshot tables) {
    CopyState {
        senders = Map.copyOf(senders);
        messages = List.copyOf(messages);
        if (applied.offset() < base.offset()) {
            throw new IllegalArgumentException("applied=" + applied + " is below base=" + base);
        }
    }

    /** A state whose messages are those of a snapshot that are not among the missing. */
    static CopyState of(
            long logId, Position base, Map<Member, Long> senders, Position applied, ReplicaSnapshot snapshot) {
        return new CopyState(logId, base, senders, applied, OffsetRange.of(kept(snapshot)), snapshot.tables());
    }

    /**
     * The messages of a snapshot that a disk keeps. While messages are missing those that have come in their place are not among them: they are
     * written when all have come.
     */
    static List<byte[]> kept(ReplicaSnapshot snapshot) {
        return snapshot.messagesFrom(snapshot.missingBelow());
    }
}
