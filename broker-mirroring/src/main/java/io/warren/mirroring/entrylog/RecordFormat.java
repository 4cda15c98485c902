package io.warren.mirroring.entrylog;

import io.warren.core.store.LogReader;
import io.warren.core.store.format.Records;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The head of a record. What stands behind it is for {@link EntryFormat} and {@link StateFormat} to say.
 *
 * <pre>
 *  0  int   bytes of the whole record
 *  4  int   CRC32C of all that follows
 *  8  byte  type
 *  9  byte  flags: 1 the entry has to be forced
 * 10  short 0
 * 12  int   generation of the copy
 * 16  long  queue, by its id in the topology
 * 24  long  offset in the ring's log: of an entry its own, of a cut where it begins, of a forgetting where it ends
 * 32  long  epoch of an entry, else 0
 * 40  long  offset of the message that comes with it, or -1
 * 48        content
 * </pre>
 */
final class RecordFormat implements LogReader.Format {
    static final RecordFormat INSTANCE = new RecordFormat();
    static final int HEADER_BYTES = 48;

    static final int PERSISTENT = 1;

    private static final int CRC_FROM = 8;

    private RecordFormat() {}

    /** The head of one record. */
    record Head(RecordType type, int flags, int generation, long queueId, long offset, long epoch, long message) {}

    /** Begins a record at the buffer's position and leaves it where the content goes; returns where it began. */
    static int begin(ByteBuffer to, Head head) {
        int start = to.position();
        to.putInt(0).putInt(0);
        to.put(head.type.code()).put((byte) head.flags).putShort((short) 0);
        to.putInt(head.generation).putLong(head.queueId);
        to.putLong(head.offset).putLong(head.epoch).putLong(head.message);
        return start;
    }

    /** Ends a record that began there; returns its bytes. */
    static int end(ByteBuffer to, int start) {
        int end = to.position();
        to.putInt(start, end - start);
        to.putInt(start + 4, Records.crc(to, start + CRC_FROM, end));
        return end - start;
    }

    @Override
    public boolean isSound(ByteBuffer bytes, int start) {
        int left = bytes.limit() - start;
        if (left < HEADER_BYTES) {
            return false;
        }
        int length = length(bytes, start);
        return length >= HEADER_BYTES
                && length <= left
                && bytes.getInt(start + 4) == Records.crc(bytes, start + CRC_FROM, start + length)
                && type(bytes, start) != null;
    }

    @Override
    public int length(ByteBuffer bytes, int start) {
        return bytes.getInt(start);
    }

    static @Nullable RecordType type(ByteBuffer bytes, int start) {
        return RecordType.of(bytes.get(start + 8));
    }

    /** The head of a sound record. */
    static Head head(ByteBuffer bytes, int start) {
        RecordType type = type(bytes, start);
        if (type == null) {
            throw new IllegalArgumentException("no type of a record: " + bytes.get(start + 8));
        }
        return new Head(
                type,
                bytes.get(start + 9),
                bytes.getInt(start + 12),
                bytes.getLong(start + 16),
                bytes.getLong(start + 24),
                bytes.getLong(start + 32),
                bytes.getLong(start + 40));
    }

    /** What stands behind the head of a sound record. */
    static ByteBuffer content(ByteBuffer bytes, int start) {
        return bytes.duplicate()
                .limit(start + bytes.getInt(start))
                .position(start + HEADER_BYTES)
                .slice();
    }
}
