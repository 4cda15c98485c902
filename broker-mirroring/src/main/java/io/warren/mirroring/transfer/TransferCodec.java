package io.warren.mirroring.transfer;

import io.warren.mirroring.queue.HeldMessages;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Frames as bytes.
 *
 * <pre>
 *  0 int   CRC32C of all that follows
 *  4 byte  kind
 *  5       the parts in the order of the record; a list is its length (4) and its parts
 * </pre>
 *
 * A position is its epoch (8) and offset (8); a name its length (4) and UTF-8; a piece ends with its bytes. What is not a whole frame is an {@link
 * IllegalArgumentException} that says what is wrong.
 */
public final class TransferCodec {
    private static final int HEAD_BYTES = 5;
    private static final int RUN_BYTES = 3 * Long.BYTES;
    /** More than there are nodes. */
    private static final int SENDERS_MAX = 10_000;

    private static final int NAME_BYTES_MAX = 1_024;

    /** Which frame it is; the numbers are on the wire. */
    private enum Kind {
        ASK_TABLES(1),
        ASK_MESSAGES(2),
        RECEIVED(3),
        MISSING_BELOW(4),
        TABLES(5),
        MESSAGES(6),
        PIECE(7),
        WAITS(8),
        STOPPED(9),
        REFUSED(10),
        HOW_FAR(11),
        SETTLED(12);

        private final byte number;

        Kind(int number) {
            this.number = (byte) number;
        }

        private static Kind of(byte number) {
            for (Kind kind : values()) {
                if (kind.number == number) {
                    return kind;
                }
            }
            throw wrong("no kind", number);
        }
    }

    private TransferCodec() {}

    // ----------------------------------------------------------------------------------------------- writing

    public static byte[] encode(TransferFrame frame) {
        ByteBuffer to = write(frame);
        if (to.hasRemaining()) {
            throw new IllegalStateException("frame=" + frame + " has " + to.remaining() + " bytes less than it takes");
        }
        to.flip();
        to.putInt(0, crc(to));
        byte[] bytes = new byte[to.remaining()];
        to.get(bytes);
        return bytes;
    }

    private static ByteBuffer write(TransferFrame frame) {
        if (frame instanceof TransferFrame.AskTables ask) {
            return begin(Kind.ASK_TABLES, 12).putInt(ask.attempt()).putLong(ask.reign());
        } else if (frame instanceof TransferFrame.AskMessages ask) {
            return askMessages(ask);
        } else if (frame instanceof TransferFrame.Received received) {
            return begin(Kind.RECEIVED, 8).putInt(received.attempt()).putInt(received.pieces());
        } else if (frame instanceof TransferFrame.MissingBelow missing) {
            return begin(Kind.MISSING_BELOW, 16).putLong(missing.reign()).putLong(missing.offset());
        } else if (frame instanceof TransferFrame.Tables tables) {
            return tables(tables);
        } else if (frame instanceof TransferFrame.Messages messages) {
            ByteBuffer to = begin(Kind.MESSAGES, 24).putInt(messages.attempt());
            return position(to, messages.upTo()).putInt(messages.messageCount());
        } else if (frame instanceof TransferFrame.Piece piece) {
            return begin(Kind.PIECE, 4 + piece.bytes().length)
                    .putInt(piece.attempt())
                    .put(piece.bytes());
        } else if (frame instanceof TransferFrame.Waits waits) {
            return begin(Kind.WAITS, 4).putInt(waits.attempt());
        } else if (frame instanceof TransferFrame.Stopped stopped) {
            return begin(Kind.STOPPED, 4).putInt(stopped.attempt());
        } else if (frame instanceof TransferFrame.Refused refused) {
            return begin(Kind.REFUSED, 4).putInt(refused.attempt());
        } else if (frame instanceof TransferFrame.HowFar question) {
            return begin(Kind.HOW_FAR, 8).putLong(question.reign());
        } else if (frame instanceof TransferFrame.Settled settled) {
            return position(begin(Kind.SETTLED, 24).putLong(settled.reign()), settled.upTo());
        }
        throw new IllegalArgumentException("frame=" + frame + " has no kind");
    }

    private static ByteBuffer askMessages(TransferFrame.AskMessages ask) {
        ByteBuffer to = begin(Kind.ASK_MESSAGES, 41 + RUN_BYTES * ask.held().size());
        position(to.putInt(ask.attempt()).putLong(ask.reign()), ask.from());
        to.putLong(ask.below())
                .put((byte) (ask.returns() ? 1 : 0))
                .putInt(ask.held().size());
        ask.held().forEach(run -> to.putLong(run.first()).putLong(run.last()).putLong(run.reign()));
        return to;
    }

    private static ByteBuffer tables(TransferFrame.Tables tables) {
        int bytes = 28;
        Map<Member, byte[]> names = new LinkedHashMap<>();
        for (Member sender : tables.senders().keySet()) {
            byte[] name = sender.node().getBytes(StandardCharsets.UTF_8);
            names.put(sender, name);
            bytes += 20 + name.length;
        }
        ByteBuffer to = begin(Kind.TABLES, bytes).putInt(tables.attempt());
        position(to, tables.upTo()).putInt(tables.unsettled()).putInt(names.size());
        names.forEach((sender, name) -> to.putInt(name.length)
                .put(name)
                .putLong(sender.incarnation())
                .putLong(tables.senders().getOrDefault(sender, 0L)));
        return to;
    }

    private static ByteBuffer begin(Kind kind, int partBytes) {
        return ByteBuffer.allocate(HEAD_BYTES + partBytes).putInt(0).put(kind.number);
    }

    private static ByteBuffer position(ByteBuffer to, Position position) {
        return to.putLong(position.epoch()).putLong(position.offset());
    }

    private static int crc(ByteBuffer frame) {
        CRC32C crc = new CRC32C();
        crc.update(frame.duplicate().position(Integer.BYTES));
        return (int) crc.getValue();
    }

    // ----------------------------------------------------------------------------------------------- reading

    /**
     * The frame these bytes are, all of them.
     *
     * @throws IllegalArgumentException if they are none
     */
    public static TransferFrame decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        require(bytes.length >= HEAD_BYTES, "too short", bytes.length);
        int crc = from.getInt();
        require(crc == crc(ByteBuffer.wrap(bytes)), "checksum is wrong", crc);
        Kind kind = Kind.of(from.get());
        TransferFrame frame = read(kind, from);
        require(!from.hasRemaining(), "bytes behind the end", from.remaining());
        return frame;
    }

    private static TransferFrame read(Kind kind, ByteBuffer from) {
        return switch (kind) {
            case ASK_TABLES -> new TransferFrame.AskTables(integer(from), number(from));
            case ASK_MESSAGES -> readAskMessages(from);
            case RECEIVED -> new TransferFrame.Received(integer(from), count(from, Integer.MAX_VALUE));
            case MISSING_BELOW -> new TransferFrame.MissingBelow(number(from), number(from));
            case TABLES -> readTables(from);
            case MESSAGES ->
                new TransferFrame.Messages(integer(from), readPosition(from), count(from, Integer.MAX_VALUE));
            case PIECE -> {
                int attempt = integer(from);
                byte[] bytes = new byte[from.remaining()];
                from.get(bytes);
                yield new TransferFrame.Piece(attempt, bytes);
            }
            case WAITS -> new TransferFrame.Waits(integer(from));
            case STOPPED -> new TransferFrame.Stopped(integer(from));
            case REFUSED -> new TransferFrame.Refused(integer(from));
            case HOW_FAR -> new TransferFrame.HowFar(number(from));
            case SETTLED -> new TransferFrame.Settled(number(from), readPosition(from));
        };
    }

    private static TransferFrame readAskMessages(ByteBuffer from) {
        int attempt = integer(from);
        long reign = number(from);
        Position position = readPosition(from);
        long below = number(from);
        require(from.hasRemaining(), "cut off", 0);
        byte returns = from.get();
        require(returns == 0 || returns == 1, "neither yes nor no", returns);
        int runs = count(from, HeldMessages.RUNS_MAX);
        require(from.remaining() == RUN_BYTES * runs, "no size of runs", from.remaining());
        List<HeldMessages> held = new ArrayList<>(runs);
        for (int i = 0; i < runs; i++) {
            held.add(new HeldMessages(number(from), number(from), number(from)));
        }
        return new TransferFrame.AskMessages(attempt, reign, position, below, returns == 1, held);
    }

    private static TransferFrame readTables(ByteBuffer from) {
        int attempt = integer(from);
        Position upTo = readPosition(from);
        int unsettled = count(from, Integer.MAX_VALUE);
        int count = count(from, SENDERS_MAX);
        Map<Member, Long> senders = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            byte[] name = new byte[count(from, NAME_BYTES_MAX)];
            require(from.remaining() >= name.length, "cut off", from.remaining());
            from.get(name);
            senders.put(new Member(new String(name, StandardCharsets.UTF_8), number(from)), number(from));
        }
        return new TransferFrame.Tables(attempt, upTo, senders, unsettled);
    }

    private static Position readPosition(ByteBuffer from) {
        return new Position(number(from), number(from));
    }

    private static int integer(ByteBuffer from) {
        require(from.remaining() >= Integer.BYTES, "cut off", from.remaining());
        return from.getInt();
    }

    private static int count(ByteBuffer from, int max) {
        int count = integer(from);
        require(count >= 0 && count <= max, "no count up to " + max, count);
        return count;
    }

    private static long number(ByteBuffer from) {
        require(from.remaining() >= Long.BYTES, "cut off", from.remaining());
        long number = from.getLong();
        require(number >= 0, "a number below 0", number);
        return number;
    }

    private static void require(boolean holds, String what, long found) {
        if (!holds) {
            throw wrong(what, found);
        }
    }

    private static IllegalArgumentException wrong(String what, long found) {
        return new IllegalArgumentException("not a frame of a transfer: " + what + " (" + found + ")");
    }
}
