package io.warren.core.store.format;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The end of a segment: what is in it and where, ascending by offset.
 *
 * <pre>
 * index    for each message: long offset, int position, int body bytes, byte priority, byte flags
 *          and, where one of them expires, for each: long when, wall clock in milliseconds
 * trailer   0 int   magic
 *           4 int   flags: 1 there are expiries
 *           8 long  where the index begins
 *          16 int   messages
 *          20 int   CRC32C of the index
 *          24 long  number of the segment
 *          32 int   CRC32C of the above
 * </pre>
 *
 * <p>A segment is below 4 GiB; positions are unsigned.
 */
public final class SegmentIndex {

    /** Bytes at the end of the file that tell where the index is. */
    public static final int TRAILER_BYTES = 36;

    private static final int MAGIC = 0x5347_4958;
    private static final int ENTRY_BYTES = 18;
    private static final int CRC_AT = 32;

    private long[] offsets = new long[64];
    private int[] positions = new int[64];
    private int[] bodyBytes = new int[64];
    private byte[] priorities = new byte[64];
    private byte[] flags = new byte[64];
    private long @Nullable [] expiresAtMs;
    private int count;

    /** An index without messages. */
    public SegmentIndex() {}

    /** Adds a record that stands at that position; offsets ascend. */
    public void add(ByteBuffer record, int start, long position) {
        if (count == offsets.length) {
            grow();
        }
        offsets[count] = Records.offset(record, start);
        positions[count] = (int) position;
        bodyBytes[count] = Records.bodyBytes(record, start);
        priorities[count] = (byte) Records.priority(record, start);
        flags[count] = (byte) Records.flags(record, start);
        long expires = Records.value(record, start);
        if (expires != Records.NEVER_MS && expiresAtMs == null) {
            expiresAtMs = new long[offsets.length];
            Arrays.fill(expiresAtMs, Records.NEVER_MS);
        }
        if (expiresAtMs != null) {
            expiresAtMs[count] = expires;
        }
        count++;
    }

    private void grow() {
        int length = offsets.length * 2;
        offsets = Arrays.copyOf(offsets, length);
        positions = Arrays.copyOf(positions, length);
        bodyBytes = Arrays.copyOf(bodyBytes, length);
        priorities = Arrays.copyOf(priorities, length);
        flags = Arrays.copyOf(flags, length);
        if (expiresAtMs != null) {
            expiresAtMs = Arrays.copyOf(expiresAtMs, length);
            Arrays.fill(expiresAtMs, count, length, Records.NEVER_MS);
        }
    }

    public int count() {
        return count;
    }

    public long offset(int entry) {
        return offsets[entry];
    }

    public long position(int entry) {
        return positions[entry] & 0xffff_ffffL;
    }

    public int bodyBytes(int entry) {
        return bodyBytes[entry];
    }

    public int priority(int entry) {
        return priorities[entry] & 0xff;
    }

    public boolean isTransient(int entry) {
        return (flags[entry] & Records.TRANSIENT) != 0;
    }

    /** When it expires, wall clock in milliseconds. */
    public long expiresAtMs(int entry) {
        return expiresAtMs == null ? Records.NEVER_MS : expiresAtMs[entry];
    }

    /** The entry of an offset, or a negative number. */
    public int find(long offset) {
        return Arrays.binarySearch(offsets, 0, count, offset);
    }

    // ---- on disk

    /** Index and trailer, to be written at that position. */
    public ByteBuffer bytes(long position, long number) {
        int entryBytes = ENTRY_BYTES + (expiresAtMs == null ? 0 : Long.BYTES);
        ByteBuffer bytes = ByteBuffer.allocate(count * entryBytes + TRAILER_BYTES);
        for (int i = 0; i < count; i++) {
            bytes.putLong(offsets[i]).putInt(positions[i]).putInt(bodyBytes[i]);
            bytes.put(priorities[i]).put(flags[i]);
        }
        for (int i = 0; i < count && expiresAtMs != null; i++) {
            bytes.putLong(expiresAtMs[i]);
        }
        int trailer = bytes.position();
        bytes.putInt(MAGIC)
                .putInt(expiresAtMs == null ? 0 : 1)
                .putLong(position)
                .putInt(count);
        bytes.putInt(Records.crc(bytes, 0, trailer)).putLong(number);
        bytes.putInt(Records.crc(bytes, trailer, trailer + CRC_AT));
        return bytes.flip();
    }

    /** Where the index begins, told by the trailer of a segment; -1 if this is no trailer of that segment. */
    public static long indexPosition(ByteBuffer trailer, long number) {
        boolean isSound = trailer.limit() == TRAILER_BYTES
                && trailer.getInt(0) == MAGIC
                && trailer.getInt(CRC_AT) == Records.crc(trailer, 0, CRC_AT)
                && trailer.getLong(24) == number;
        return isSound ? trailer.getLong(8) : -1;
    }

    /** Reads an index by its trailer; null if it is damaged. */
    public static @Nullable SegmentIndex read(ByteBuffer index, ByteBuffer trailer) {
        int count = trailer.getInt(16);
        boolean expires = trailer.getInt(4) != 0;
        long bytes = (long) count * (ENTRY_BYTES + (expires ? Long.BYTES : 0));
        if (count < 0 || bytes != index.limit() || Records.crc(index, 0, index.limit()) != trailer.getInt(20)) {
            return null;
        }
        SegmentIndex read = new SegmentIndex();
        read.offsets = new long[count];
        read.positions = new int[count];
        read.bodyBytes = new int[count];
        read.priorities = new byte[count];
        read.flags = new byte[count];
        read.count = count;
        for (int i = 0; i < count; i++) {
            read.offsets[i] = index.getLong();
            read.positions[i] = index.getInt();
            read.bodyBytes[i] = index.getInt();
            read.priorities[i] = index.get();
            read.flags[i] = index.get();
        }
        if (expires) {
            long[] expiries = new long[count];
            index.asLongBuffer().get(expiries);
            read.expiresAtMs = expiries;
        }
        return read;
    }
}
