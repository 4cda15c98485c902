package io.warren.mirroring.queue;

import io.warren.core.message.Message;
import io.warren.mirroring.ring.Position;
import java.util.ArrayList;
import java.util.List;

/**
 * What a plain queue holds, as the state with which its group begins when it comes to be mirrored.
 *
 * <p>The ring's log of its master begins at {@link #position}, with this as the state up to there. It must not begin at the start of all logs, which
 * everyone holds: a member without the content would take itself for complete.
 */
public final class PlainContent {
    private static final int PRIORITY_MAX = 255;

    private final long reign;
    private final long queueId;
    private final List<byte[]> entries = new ArrayList<>();
    private final List<Long> limits = new ArrayList<>();
    private long nextOffset;

    /** @param reign the one in which the group begins */
    public PlainContent(long reign, long queueId) {
        this.reign = reign;
        this.queueId = queueId;
    }

    /** Where the log of a group begins that has content from the start. */
    public static Position position(long reign) {
        return new Position(reign, 1);
    }

    /**
     * The next message that is not settled, handed out or not.
     *
     * @param offset its own in the plain queue, above that of the one before
     * @param expiresAtMs by the wall clock; {@link io.warren.core.store.format.Records#NEVER_MS} if never
     * @param persistent whether the message and the queue are
     * @param wasHandedOut whether a consumer may have seen it: it is marked redelivered then, and so are all before it of its priority
     */
    public void add(
            long offset, Message message, int priority, long expiresAtMs, boolean persistent, boolean wasHandedOut) {
        if (offset < nextOffset || priority < 0 || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException("offset=" + offset + ", allowed from " + nextOffset + "; priority="
                    + priority + ", allowed to " + PRIORITY_MAX);
        }
        nextOffset = offset + 1;
        entries.add(QueueEntryCodec.publish(
                new QueueEntryCodec.Publishing(
                        reign, queueId, offset, null, 0, 0, priority, expiresAtMs, persistent, false),
                message));
        if (wasHandedOut) {
            while (limits.size() <= priority) {
                limits.add(-1L);
            }
            limits.set(priority, offset);
        }
    }

    /**
     * The state.
     *
     * @param next offset of the plain queue's next message
     */
    public ReplicaSnapshot snapshot(long next) {
        return new ReplicaSnapshot(Math.max(next, nextOffset), 0, 0, entries, List.of(), limits, List.of());
    }
}
