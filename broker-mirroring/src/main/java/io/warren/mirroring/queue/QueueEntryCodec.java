package io.warren.mirroring.queue;

import io.warren.core.message.Message;
import io.warren.core.queue.DeathReason;
import io.warren.core.store.format.MessageCodec;
import io.warren.core.store.format.RecordKind;
import io.warren.core.store.format.Records;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Entries as bytes: a head with a checksum of its own, and behind the head of a publish the record in which a store keeps the message.
 *
 * <pre>
 *  0  int   CRC32C of the rest of the head
 *  4  int   bytes of the head
 *  8  byte  kind: 1 publish, 2 settle, 3 dead letter, 4 channel gone, 5 hand-out limit
 *  9  byte  publish: 1 if it names its channel; settle, dead letter: the reason; hand-out limit: the priority
 * 10  short 0
 * 12  long  reign
 * 20        publish with a channel: sequence (8), first open (8), the channel
 *           settle: ranges, each first (8) and last (8), up to the head's end
 *           dead letter: offset (8)
 *           channel gone: the channel
 *           hand-out limit: offset (8)
 *
 *     a channel: incarnation (8), number (8), node in UTF-8 up to the head's end
 * </pre>
 *
 * What is not a whole entry is an {@link IllegalArgumentException} that says what is wrong. The record of a publish is checked when its message is
 * kept ({@link QueueEntry.Publish#check}), so that one which is settled within its batch costs nothing.
 */
public final class QueueEntryCodec {

    /** Most bytes of an entry: what a link takes in one frame, with room for what stands around it. */
    static final int ENTRY_BYTES_MAX = 128 * 1024 * 1024;

    /** Most ranges of one settle entry: 64 KiB of them. */
    static final int RANGES_MAX = 4_096;

    private static final int FIELDS_AT = 20;
    private static final int RANGE_BYTES = 16;
    private static final int HEAD_BYTES_MAX = FIELDS_AT + RANGE_BYTES * RANGES_MAX;

    /** Room besides a message's body with which encoding begins; it grows when that is too little. */
    private static final int FIRST_BYTES = 512;

    private static final byte PUBLISH = 1;
    private static final byte SETTLE = 2;
    private static final byte DEAD_LETTER = 3;
    private static final byte CHANNEL_GONE = 4;
    private static final byte HAND_OUT = 5;

    /** What a publish says besides its message. */
    record Publishing(
            long reign,
            long queueId,
            long offset,
            @Nullable ChannelId channel,
            long sequence,
            long firstOpen,
            int priority,
            long expiresAtMs,
            boolean persistent,
            boolean raisesLimit) {}

    private QueueEntryCodec() {}

    // ----------------------------------------------------------------------------------------------- writing

    /** @throws IllegalArgumentException if it is larger than an entry may be */
    static byte[] publish(Publishing publishing, Message message) {
        int bytes = FIRST_BYTES + Math.min(message.bodyBytes(), ENTRY_BYTES_MAX);
        while (bytes <= ENTRY_BYTES_MAX) {
            ByteBuffer to = ByteBuffer.allocate(bytes);
            try {
                write(to, publishing, message);
                return Arrays.copyOf(to.array(), to.position());
            } catch (BufferOverflowException full) {
                // Long names or headers: once more with twice the room, and at last with all there may be.
                bytes = bytes == ENTRY_BYTES_MAX ? bytes + 1 : Math.min(2 * bytes, ENTRY_BYTES_MAX);
            }
        }
        throw new IllegalArgumentException(
                "a message of " + message.bodyBytes() + " bytes and its headers are more than " + ENTRY_BYTES_MAX
                        + ", which is the most in a mirrored queue");
    }

    private static void write(ByteBuffer to, Publishing publishing, Message message) {
        ChannelId channel = publishing.channel();
        begin(to, PUBLISH, (byte) (channel == null ? 0 : 1), publishing.reign());
        if (channel != null) {
            to.putLong(publishing.sequence()).putLong(publishing.firstOpen());
            writeChannel(to, channel);
        }
        endHead(to);
        int flags =
                (publishing.persistent() ? 0 : Records.TRANSIENT) | (publishing.raisesLimit() ? Records.HANDED_OUT : 0);
        MessageCodec.write(
                to,
                publishing.queueId(),
                publishing.offset(),
                message,
                publishing.priority(),
                publishing.expiresAtMs(),
                flags);
    }

    /** Any entry but a publish. */
    public static byte[] encode(QueueEntry entry) {
        ByteBuffer to = ByteBuffer.allocate(HEAD_BYTES_MAX);
        if (entry instanceof QueueEntry.Settle settle) {
            if (settle.ranges().isEmpty() || settle.ranges().size() > RANGES_MAX) {
                throw new IllegalArgumentException(
                        "ranges=" + settle.ranges().size() + ", allowed are 1 to " + RANGES_MAX);
            }
            begin(to, SETTLE, settle.reason().code(), settle.reign());
            settle.ranges().forEach(range -> to.putLong(range.first()).putLong(range.last()));
        } else if (entry instanceof QueueEntry.DeadLetter dead) {
            begin(to, DEAD_LETTER, code(dead.reason()), dead.reign()).putLong(dead.offset());
        } else if (entry instanceof QueueEntry.ChannelGone gone) {
            begin(to, CHANNEL_GONE, (byte) 0, gone.reign());
            writeChannel(to, gone.channel());
        } else if (entry instanceof QueueEntry.HandOut limit) {
            begin(to, HAND_OUT, (byte) limit.priority(), limit.reign()).putLong(limit.upTo());
        } else {
            throw new IllegalArgumentException("a publish is encoded once, by its master: " + entry);
        }
        endHead(to);
        return Arrays.copyOf(to.array(), to.position());
    }

    private static ByteBuffer begin(ByteBuffer to, byte kind, byte detail, long reign) {
        return to.putInt(0).putInt(0).put(kind).put(detail).putShort((short) 0).putLong(reign);
    }

    private static void endHead(ByteBuffer to) {
        to.putInt(4, to.position());
        to.putInt(0, crc(to, to.position()));
    }

    /** CRC32C of everything behind the first four bytes, where it stands. */
    static int crc(ByteBuffer bytes, int headBytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(headBytes).position(4));
        return (int) crc.getValue();
    }

    private static void writeChannel(ByteBuffer to, ChannelId channel) {
        to.putLong(channel.incarnation()).putLong(channel.number());
        to.put(channel.node().getBytes(StandardCharsets.UTF_8));
    }

    static byte code(DeathReason reason) {
        return switch (reason) {
            case REJECTED -> 1;
            case EXPIRED -> 2;
            case MAXLEN -> 3;
        };
    }

    // ----------------------------------------------------------------------------------------------- reading

    /** Whether it is a settle entry, by its kind alone: a batch looks at these first. */
    static boolean isSettle(byte[] bytes) {
        return bytes.length > FIELDS_AT && bytes[8] == SETTLE;
    }

    /** Whether it is a publish, by its kind alone. */
    static boolean isPublish(byte[] bytes) {
        return bytes.length > FIELDS_AT && bytes[8] == PUBLISH;
    }

    /** The offset of a publish, as an entry or as what stays of one. */
    static long offset(byte[] publish) {
        if (PagedEntry.is(publish)) {
            return PagedEntry.offset(ByteBuffer.wrap(publish));
        }
        require(publish.length >= FIELDS_AT && publish[8] == PUBLISH, "no publish", publish.length);
        ByteBuffer from = ByteBuffer.wrap(publish);
        int headBytes = from.getInt(4);
        require(
                headBytes >= FIELDS_AT && headBytes <= publish.length - Records.HEADER_BYTES,
                "no size of a head",
                headBytes);
        return Records.offset(from, headBytes);
    }

    /** The reign an entry was decided in. */
    static long reign(byte[] bytes) {
        require(bytes.length >= FIELDS_AT, "too short for an entry", bytes.length);
        return ByteBuffer.wrap(bytes).getLong(12);
    }

    /**
     * What an entry says.
     *
     * @throws IllegalArgumentException if the bytes are no entry
     */
    public static QueueEntry decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        int headBytes = checkedHead(from);
        byte detail = from.get(9);
        long reign = from.getLong(12);
        ByteBuffer fields = from.duplicate().limit(headBytes).position(FIELDS_AT);
        byte kind = from.get(8);
        if (kind == PUBLISH) {
            return readPublish(bytes, headBytes, reign, detail, fields);
        }
        require(headBytes == bytes.length, "bytes behind the head", bytes.length - headBytes);
        return switch (kind) {
            case SETTLE -> new QueueEntry.Settle(reign, SettleReason.of(detail), readRanges(fields));
            case DEAD_LETTER -> new QueueEntry.DeadLetter(reign, onlyOffset(fields), reason(detail));
            case CHANNEL_GONE -> new QueueEntry.ChannelGone(reign, readChannel(fields));
            case HAND_OUT -> new QueueEntry.HandOut(reign, detail & 0xff, onlyOffset(fields));
            default -> throw new IllegalArgumentException("kind=" + kind + " is no entry of a queue");
        };
    }

    private static int checkedHead(ByteBuffer from) {
        require(from.limit() >= FIELDS_AT, "too short for an entry", from.limit());
        int headBytes = from.getInt(4);
        require(headBytes >= FIELDS_AT && headBytes <= from.limit(), "no size of a head", headBytes);
        require(from.getInt(0) == crc(from, headBytes), "checksum of the head is wrong", from.getInt(0));
        return headBytes;
    }

    private static QueueEntry.Publish readPublish(
            byte[] bytes, int headBytes, long reign, byte detail, ByteBuffer fields) {
        ByteBuffer all = ByteBuffer.wrap(bytes);
        int left = bytes.length - headBytes;
        require(left >= Records.HEADER_BYTES, "too short for a message's record", left);
        require(Records.length(all, headBytes) == left, "no size of the record", Records.length(all, headBytes));
        require(Records.kind(all, headBytes) == RecordKind.PUBLISH, "no record of a message", left);
        if (detail == 0) {
            require(fields.remaining() == 0, "bytes where no channel is named", fields.remaining());
            return new QueueEntry.Publish(bytes, headBytes, reign, null, 0, 0);
        }
        require(detail == 1, "no flags of a publish", detail);
        require(fields.remaining() >= 16, "too short for a channel", fields.remaining());
        long sequence = fields.getLong();
        long firstOpen = fields.getLong();
        if (firstOpen < 1 || firstOpen > sequence) {
            throw refused("first open number is not 1 to " + sequence, firstOpen);
        }
        return new QueueEntry.Publish(bytes, headBytes, reign, readChannel(fields), sequence, firstOpen);
    }

    private static List<OffsetRange> readRanges(ByteBuffer fields) {
        int bytes = fields.remaining();
        require(bytes > 0 && bytes % RANGE_BYTES == 0 && bytes <= RANGE_BYTES * RANGES_MAX, "no size of ranges", bytes);
        List<OffsetRange> ranges = new ArrayList<>(bytes / RANGE_BYTES);
        while (fields.hasRemaining()) {
            ranges.add(new OffsetRange(fields.getLong(), fields.getLong()));
        }
        return ranges;
    }

    private static long onlyOffset(ByteBuffer fields) {
        require(fields.remaining() == 8, "no size of an offset", fields.remaining());
        long offset = fields.getLong();
        require(offset >= 0, "no offset", offset);
        return offset;
    }

    private static ChannelId readChannel(ByteBuffer fields) {
        require(fields.remaining() >= 16, "too short for a channel", fields.remaining());
        long incarnation = fields.getLong();
        long number = fields.getLong();
        byte[] node = new byte[fields.remaining()];
        fields.get(node);
        return new ChannelId(new String(node, StandardCharsets.UTF_8), incarnation, number);
    }

    static DeathReason reason(byte code) {
        return switch (code) {
            case 1 -> DeathReason.REJECTED;
            case 2 -> DeathReason.EXPIRED;
            case 3 -> DeathReason.MAXLEN;
            default -> throw new IllegalArgumentException("reason=" + code + " is none of a dead letter");
        };
    }

    private static void require(boolean holds, String what, long found) {
        if (!holds) {
            throw refused(what, found);
        }
    }

    private static IllegalArgumentException refused(String what, long found) {
        return new IllegalArgumentException("not an entry of a mirrored queue: " + what + " (" + found + ")");
    }
}
