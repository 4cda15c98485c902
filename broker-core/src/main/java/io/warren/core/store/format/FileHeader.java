package io.warren.core.store.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of every file: what it is, in which version, and which one.
 *
 * <pre>
 *  0  8 bytes  WARRENST
 *  8  int      version
 * 12  int      kind: 1 log, 2 segment, 3 metadata
 * 16  long     number of the file
 * 24  long     queue of a segment, else 0
 * 32  int      0
 * 36  int      CRC32C of the above
 * </pre>
 */
public record FileHeader(int version, Kind kind, long number, long queueId) {

    public static final int BYTES = 40;

    /** The version this code writes, and the only one it reads. */
    public static final int VERSION = 1;

    private static final int CRC_AT = 36;

    /** What a file holds. */
    public enum Kind {
        /** Records of all queues. */
        LOG,
        /** Messages of one queue. */
        SEGMENT,
        /** Commands of the topology. */
        METADATA
    }

    /** The header of a new file. */
    public static ByteBuffer bytes(Kind kind, long number, long queueId) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.put(magic())
                .putInt(VERSION)
                .putInt(kind.ordinal() + 1)
                .putLong(number)
                .putLong(queueId);
        bytes.putInt(0);
        bytes.putInt(Records.crc(bytes, 0, CRC_AT));
        return bytes.flip();
    }

    /** The header, or null if these bytes are none. */
    public static @Nullable FileHeader read(ByteBuffer bytes) {
        if (bytes.limit() < BYTES || bytes.getInt(CRC_AT) != Records.crc(bytes, 0, CRC_AT)) {
            return null;
        }
        byte[] magic = magic();
        for (int i = 0; i < magic.length; i++) {
            if (bytes.get(i) != magic[i]) {
                return null;
            }
        }
        int kind = bytes.getInt(12) - 1;
        Kind[] kinds = Kind.values();
        return kind < 0 || kind >= kinds.length
                ? null
                : new FileHeader(bytes.getInt(8), kinds[kind], bytes.getLong(16), bytes.getLong(24));
    }

    private static byte[] magic() {
        return "WARRENST".getBytes(StandardCharsets.US_ASCII);
    }
}
