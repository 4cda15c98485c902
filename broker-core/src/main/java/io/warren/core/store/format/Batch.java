package io.warren.core.store.format;

import java.nio.ByteBuffer;

/**
 * The head of a batch: records that were written together. It knows its own place, so that nothing stale or moved is
 * taken for it, and how far its file had been forced when it was written: damage below that is damage, not a torn tail.
 *
 * <pre>
 *  0  int   magic
 *  4  int   bytes of the records
 *  8  long  number of the file
 * 16  long  position of the batch in the file
 * 24  long  forced before: all of the file up to here was on disk
 * 32  int   flags: 1 nothing follows in this file
 * 36  int   CRC32C of the above
 * </pre>
 *
 * @param payloadBytes bytes of the records
 * @param fileNumber the file it is written for
 * @param position where in the file it begins
 * @param forcedBefore never above {@code position}
 * @param flags {@link #LAST} or 0
 */
public record Batch(int payloadBytes, long fileNumber, long position, long forcedBefore, int flags) {

    public static final int HEADER_BYTES = 40;

    /** Nothing follows in this file. */
    public static final int LAST = 1;

    static final int MAGIC = 0x5742_4348;
    private static final int CRC_AT = 36;

    /** Writes the head at an index of the buffer. */
    public void write(ByteBuffer to, int start) {
        to.putInt(start, MAGIC);
        to.putInt(start + 4, payloadBytes);
        to.putLong(start + 8, fileNumber);
        to.putLong(start + 16, position);
        to.putLong(start + 24, forcedBefore);
        to.putInt(start + 32, flags);
        to.putInt(start + CRC_AT, Records.crc(to, start, start + CRC_AT));
    }

    /** Whether a head written for that place stands at the index; its records may still be damaged. */
    public static boolean isHead(ByteBuffer bytes, int start, long fileNumber, long position) {
        return bytes.limit() - start >= HEADER_BYTES
                && bytes.getInt(start) == MAGIC
                && bytes.getInt(start + CRC_AT) == Records.crc(bytes, start, start + CRC_AT)
                && bytes.getLong(start + 8) == fileNumber
                && bytes.getLong(start + 16) == position
                && bytes.getInt(start + 4) >= 0;
    }

    public static Batch read(ByteBuffer bytes, int start) {
        return new Batch(
                bytes.getInt(start + 4),
                bytes.getLong(start + 8),
                bytes.getLong(start + 16),
                bytes.getLong(start + 24),
                bytes.getInt(start + 32));
    }

    public boolean isLast() {
        return (flags & LAST) != 0;
    }
}
