package io.warren.mirroring.queue;

import io.warren.mirroring.ring.Entry;
import java.util.List;

/** What a store of entries has to know of one to tell which messages still need it. */
public final class StoredEntry {
    /** For an entry that brings no message. */
    public static final long NO_MESSAGE = -1;

    private StoredEntry() {}

    /** The offset of the message that comes with an entry, or {@link #NO_MESSAGE}: a view, another change, or a publish that does not count. */
    public static long message(Entry<byte[]> entry) {
        byte[] payload = entry.payload();
        boolean comes = payload != null && Replica.counts(entry, payload) && QueueEntryCodec.isPublish(payload);
        return comes && payload != null ? QueueEntryCodec.offset(payload) : NO_MESSAGE;
    }

    /** The messages that an entry settles, in whatever reason's name; none if it does not count. */
    public static List<OffsetRange> settled(Entry<byte[]> entry) {
        byte[] payload = entry.payload();
        if (payload != null
                && QueueEntryCodec.isSettle(payload)
                && Replica.counts(entry, payload)
                && QueueEntryCodec.decode(payload) instanceof QueueEntry.Settle settle) {
            return settle.ranges();
        }
        return List.of();
    }

    /** What stays in memory of a publish that can be read again. */
    public static byte[] paged(byte[] publish) {
        return PagedEntry.of(PagedEntry.publish(publish));
    }

    /** Whether this is what stays in memory of a publish. */
    public static boolean isPaged(byte[] publish) {
        return PagedEntry.is(publish);
    }

    /** Whether a publish is the one of which that has stayed in memory. */
    public static boolean isSame(byte[] publish, byte[] paged) {
        return QueueEntryCodec.offset(publish) == QueueEntryCodec.offset(paged)
                && QueueEntryCodec.reign(publish) == QueueEntryCodec.reign(paged);
    }

    /** The offset of a publish. */
    public static long offset(byte[] publish) {
        return QueueEntryCodec.offset(publish);
    }
}
