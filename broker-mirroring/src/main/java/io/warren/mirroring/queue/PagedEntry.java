package io.warren.mirroring.queue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What stays in memory of a publish whose bytes are on the disk: all that a replica asks of it but for its message.
 *
 * <pre>
 *  0  int   bytes of the body
 *  4  int   bytes of all of this
 *  8  byte  kind, which no entry has: 6
 *  9  byte  priority
 * 10  byte  flags of the record
 * 11  byte  1 if it names its channel
 * 12  long  reign
 * 20  long  offset
 * 28  long  when it expires, wall clock in milliseconds
 * 36        with a channel: sequence (8), first open (8), incarnation (8), number (8), node in UTF-8 up to the end
 * </pre>
 *
 * The channel is kept of transient messages only: of persistent ones nobody asks for it. It never travels and is never written, so it bears no
 * checksum, and {@link QueueEntryCodec#decode} refuses it.
 */
final class PagedEntry {
    private static final byte KIND = 6;
    private static final int KIND_AT = 8;
    private static final int OFFSET_AT = 20;
    private static final int EXPIRES_AT = 28;
    private static final int CHANNEL_AT = 36;

    private PagedEntry() {}

    /** Whether this is one, and no entry. */
    static boolean is(byte[] entry) {
        return entry.length >= CHANNEL_AT && entry[KIND_AT] == KIND;
    }

    /** What stays of a publish. */
    static byte[] of(QueueEntry.Publish publish) {
        ChannelId channel = publish.isPersistent() ? null : publish.channel();
        byte[] node = channel == null ? new byte[0] : channel.node().getBytes(StandardCharsets.UTF_8);
        int bytes = CHANNEL_AT + (channel == null ? 0 : 4 * Long.BYTES + node.length);
        ByteBuffer to = ByteBuffer.allocate(bytes);
        to.putInt(publish.bodyBytes()).putInt(bytes).put(KIND);
        to.put((byte) publish.priority()).put((byte) publish.flags()).put((byte) (channel == null ? 0 : 1));
        to.putLong(publish.reign()).putLong(publish.offset()).putLong(publish.expiresAtMs());
        if (channel != null) {
            to.putLong(publish.sequence()).putLong(publish.firstOpen());
            to.putLong(channel.incarnation()).putLong(channel.number()).put(node);
        }
        return to.array();
    }

    /** The publish of what a replica holds: an entry, or what stays of one. */
    static QueueEntry.Publish publish(byte[] entry) {
        if (!is(entry)) {
            return (QueueEntry.Publish) QueueEntryCodec.decode(entry);
        }
        ByteBuffer from = ByteBuffer.wrap(entry);
        long reign = from.getLong(OFFSET_AT - Long.BYTES);
        if (entry[KIND_AT + 3] == 0) {
            return new QueueEntry.Publish(entry, QueueEntry.Publish.PAGED, reign, null, 0, 0);
        }
        from.position(CHANNEL_AT);
        long sequence = from.getLong();
        long firstOpen = from.getLong();
        long incarnation = from.getLong();
        long number = from.getLong();
        String node = StandardCharsets.UTF_8.decode(from).toString();
        ChannelId channel = new ChannelId(node, incarnation, number);
        return new QueueEntry.Publish(entry, QueueEntry.Publish.PAGED, reign, channel, sequence, firstOpen);
    }

    static long offset(ByteBuffer paged) {
        return paged.getLong(OFFSET_AT);
    }

    static int priority(ByteBuffer paged) {
        return paged.get(KIND_AT + 1) & 0xff;
    }

    static int flags(ByteBuffer paged) {
        return paged.get(KIND_AT + 2) & 0xff;
    }

    static long expiresAtMs(ByteBuffer paged) {
        return paged.getLong(EXPIRES_AT);
    }

    static int bodyBytes(ByteBuffer paged) {
        return paged.getInt(0);
    }
}
