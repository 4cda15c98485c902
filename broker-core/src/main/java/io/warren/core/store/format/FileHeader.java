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
 * 12  int      kind: 1 log, 2 segment, 3 metadata, 4 replicas
 * 16  long     number of the file
 * 24  long     queue of a segment, else 0
 * 32  int      0
 * 36  int      CRC32C of the above
 * </pre>
 */
public record FileHeader(int version, Kind kind, long number, long queueId) {

    public static final int BYTES = 40;

    /** The version this code writes, and the only one it reads. Since 2, texts of messages may be longer than 254 bytes. */
    public static final int VERSION = 2;

    private static final int CRC_AT = 36;

    /** What a file holds. */
    public enum Kind {
        /** Records of all queues. */
        LOG(1),
        /** Messages of one queue. */
        SEGMENT(2),
        /** Commands of the topology. */
        METADATA(3),
        /** Replicas of queues that live at several nodes, in a log of their own. */
        REPLICAS(4);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        private static @Nullable Kind of(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            return null;
        }
    }

    /** The header of a new file. */
    public static ByteBuffer bytes(Kind kind, long number, long queueId) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.put(magic()).putInt(VERSION).putInt(kind.code).putLong(number).putLong(queueId);
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
        Kind kind = Kind.of(bytes.getInt(12));
        return kind == null ? null : new FileHeader(bytes.getInt(8), kind, bytes.getLong(16), bytes.getLong(24));
    }

    private static byte[] magic() {
        return "WARRENST".getBytes(StandardCharsets.US_ASCII);
    }
}
