package io.warren.core.store.format;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One record: the unit that is checked, moved and, with mirroring, sent as it is. The same bytes stand in a log file and
 * in a segment; nothing in them depends on where they are.
 *
 * <pre>
 *  0  int   bytes of the whole record
 *  4  int   CRC32C of all that follows
 *  8  byte  kind
 *  9  byte  flags: 1 the message does not survive a restart, 2 it may be handed out at once
 * 10  byte  priority
 * 11  byte  0
 * 12  int   bytes of the body, which ends the record
 * 16  long  queue, by its id in the topology
 * 24  long  offset
 * 32  long  publish: when it expires, wall clock in milliseconds; others: as the kind says
 * 40        content
 * </pre>
 */
public final class Records {

    /** Bytes before the content. */
    public static final int HEADER_BYTES = 40;

    /** More than any message may have (512 MiB), so that a damaged length is not believed. */
    public static final int RECORD_BYTES_MAX = 640 * 1024 * 1024;

    /** The message does not survive a restart: it is here only to free memory. */
    public static final int TRANSIENT = 1;

    /** A consumer may have seen it as soon as it was there. */
    public static final int HANDED_OUT = 2;

    /** The expiry of a message that does not expire. */
    public static final long NEVER_MS = Long.MAX_VALUE;

    private static final int CRC_FROM = 8;

    private Records() {}

    /** Begins a record at the buffer's position and leaves it where the content goes; returns where it began. */
    public static int begin(ByteBuffer to, RecordKind kind, int flags, int priority, long queueId, long offset) {
        int start = to.position();
        to.putInt(0).putInt(0);
        to.put(kind.code()).put((byte) flags).put((byte) priority).put((byte) 0);
        to.putInt(0).putLong(queueId).putLong(offset).putLong(NEVER_MS);
        return start;
    }

    /** Sets the field at 32 of a record that is being written. */
    public static void value(ByteBuffer record, int start, long value) {
        record.putLong(start + 32, value);
    }

    /** Ends a record that began there. */
    public static void end(ByteBuffer to, int start, int bodyBytes) {
        int end = to.position();
        to.putInt(start, end - start);
        to.putInt(start + 12, bodyBytes);
        to.putInt(start + 4, crc(to, start + CRC_FROM, end));
    }

    /** The CRC32C of some of a buffer's bytes, whatever its position and limit. */
    public static int crc(ByteBuffer bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(to).position(from));
        return (int) crc.getValue();
    }

    /** Whether a whole and undamaged record begins there. */
    public static boolean isSound(ByteBuffer bytes, int start) {
        int left = bytes.limit() - start;
        if (left < HEADER_BYTES) {
            return false;
        }
        int length = length(bytes, start);
        return length >= HEADER_BYTES
                && length <= left
                && bodyBytes(bytes, start) >= 0
                && bodyBytes(bytes, start) <= length - HEADER_BYTES
                && bytes.getInt(start + 4) == crc(bytes, start + CRC_FROM, start + length)
                && kind(bytes, start) != null;
    }

    public static int length(ByteBuffer bytes, int start) {
        return bytes.getInt(start);
    }

    public static @Nullable RecordKind kind(ByteBuffer bytes, int start) {
        return RecordKind.of(bytes.get(start + 8));
    }

    public static int flags(ByteBuffer bytes, int start) {
        return bytes.get(start + 9) & 0xff;
    }

    public static int priority(ByteBuffer bytes, int start) {
        return bytes.get(start + 10) & 0xff;
    }

    public static int bodyBytes(ByteBuffer bytes, int start) {
        return bytes.getInt(start + 12);
    }

    public static long queueId(ByteBuffer bytes, int start) {
        return bytes.getLong(start + 16);
    }

    public static long offset(ByteBuffer bytes, int start) {
        return bytes.getLong(start + 24);
    }

    /** The field at 32. */
    public static long value(ByteBuffer bytes, int start) {
        return bytes.getLong(start + 32);
    }
}
