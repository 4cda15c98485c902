package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a ring's frames travel.
 *
 * <pre>
 * every frame   kind:1  logId:8  epoch:n  then
 *   HELLO       epoch:n offset:n
 *   APPEND      answer:1  previous (epoch:n offset:n)  stable:n  forget:n  count:n  entries
 *   BROADCAST   persistent:1  sender (text, n)  sequence:n  oldest:n  bytes:n  payload, to the end
 *   HAVE        count:n  (received:n durable:n) each
 * entry         flags:1  [epoch:n]  [sender (text, n)]  [sequence:n]  bytes:n  length:n  payload or view
 * </pre>
 *
 * <p>n is a number as of {@link Fields}. An entry's offset is one above that of the entry before it, and its epoch, sender and sequence
 * are left out where they follow from it: in a batch of one sender an entry costs five bytes and its payload.
 *
 * @param <P> the payload
 */
final class FrameCodec<P> {
    private static final int HELLO = 0;
    private static final int APPEND = 1;
    private static final int BROADCAST = 2;
    private static final int HAVE = 3;

    private static final int IS_PERSISTENT = 1;
    private static final int IS_VIEW = 2;
    private static final int SAME_EPOCH = 4;
    private static final int SAME_SENDER = 8;
    private static final int NEXT_SEQUENCE = 16;

    private static final int ENTRY_BYTES_MIN = 3;
    private static final int LENGTH_BYTES = 4;

    private final PayloadCodec<P> payloads;

    FrameCodec(PayloadCodec<P> payloads) {
        this.payloads = payloads;
    }

    // -------------------------------------------------------------------------------------------------- writing

    void write(Frame<P> frame, ByteBuf out) {
        if (frame instanceof Frame.Append<P> append) {
            begin(APPEND, frame, out);
            writeAppend(append, out);
        } else if (frame instanceof Frame.Broadcast<P> broadcast) {
            begin(BROADCAST, frame, out);
            writeBroadcast(broadcast, out);
        } else if (frame instanceof Frame.Have<P> have) {
            begin(HAVE, frame, out);
            writeHave(have, out);
        } else if (frame instanceof Frame.Hello<P> hello) {
            begin(HELLO, frame, out);
            Fields.writePosition(out, hello.last());
        }
    }

    private static void begin(int kind, Frame<?> frame, ByteBuf out) {
        out.writeByte(kind);
        out.writeLong(frame.logId());
        Fields.writeNumber(out, frame.epoch());
    }

    private void writeAppend(Frame.Append<P> append, ByteBuf out) {
        out.writeBoolean(append.answer());
        Fields.writePosition(out, append.previous());
        Fields.writeNumber(out, append.stable());
        Fields.writeNumber(out, append.forget());
        List<Entry<P>> entries = append.entries();
        Fields.writeNumber(out, entries.size());
        Position previous = append.previous();
        Member sender = null;
        long sequence = 0;
        for (int at = 0; at < entries.size(); at++) {
            Entry<P> entry = entries.get(at);
            if (entry.offset() != previous.offset() + 1) {
                throw new IllegalArgumentException("entry " + entry + " does not follow " + previous);
            }
            writeEntry(entry, previous.epoch(), sender, sequence, out);
            previous = entry.position();
            sender = entry.sender();
            sequence = entry.sequence();
        }
    }

    private void writeEntry(Entry<P> entry, long epoch, @Nullable Member sender, long sequence, ByteBuf out) {
        boolean sameEpoch = entry.epoch() == epoch;
        boolean sameSender = entry.sender().equals(sender);
        boolean nextSequence = entry.sequence() == sequence + 1;
        View view = entry.view();
        out.writeByte((entry.persistent() ? IS_PERSISTENT : 0)
                | (view != null ? IS_VIEW : 0)
                | (sameEpoch ? SAME_EPOCH : 0)
                | (sameSender ? SAME_SENDER : 0)
                | (nextSequence ? NEXT_SEQUENCE : 0));
        if (!sameEpoch) {
            Fields.writeNumber(out, entry.epoch());
        }
        if (!sameSender) {
            Fields.writeMember(out, entry.sender());
        }
        if (!nextSequence) {
            Fields.writeNumber(out, entry.sequence());
        }
        Fields.writeNumber(out, entry.bytes());
        int lengthAt = out.writerIndex();
        out.writeInt(0);
        P payload = entry.payload();
        if (view != null) {
            ViewCodec.write(view, out);
        } else if (payload != null) {
            payloads.write(payload, out);
        }
        out.setInt(lengthAt, out.writerIndex() - lengthAt - LENGTH_BYTES);
    }

    private void writeBroadcast(Frame.Broadcast<P> broadcast, ByteBuf out) {
        out.writeBoolean(broadcast.persistent());
        Fields.writeMember(out, broadcast.sender());
        Fields.writeNumber(out, broadcast.sequence());
        Fields.writeNumber(out, broadcast.oldest());
        Fields.writeNumber(out, broadcast.bytes());
        payloads.write(broadcast.payload(), out);
    }

    private static void writeHave(Frame.Have<?> have, ByteBuf out) {
        Fields.writeNumber(out, have.memberCount());
        for (int place = 0; place < have.memberCount(); place++) {
            Fields.writeNumber(out, have.received(place));
            Fields.writeNumber(out, have.durable(place));
        }
    }

    // -------------------------------------------------------------------------------------------------- reading

    /**
     * Reads the frame that fills the rest of the buffer.
     *
     * @throws RuntimeException if it is none
     */
    Frame<P> read(ByteBuf in) {
        int kind = in.readByte();
        long logId = in.readLong();
        long epoch = Fields.readNumber(in);
        Frame<P> frame =
                switch (kind) {
                    case HELLO -> new Frame.Hello<>(logId, epoch, Fields.readPosition(in));
                    case APPEND -> readAppend(logId, epoch, in);
                    case BROADCAST -> readBroadcast(logId, epoch, in);
                    case HAVE -> readHave(logId, epoch, in);
                    default -> throw new Malformed("a ring frame of kind " + kind);
                };
        if (in.isReadable()) {
            throw new Malformed(in.readableBytes() + " bytes behind a ring frame of kind " + kind);
        }
        return frame;
    }

    private Frame<P> readAppend(long logId, long epoch, ByteBuf in) {
        boolean answer = in.readBoolean();
        Position first = Fields.readPosition(in);
        long stable = Fields.readNumber(in);
        long forget = Fields.readNumber(in);
        int count = Fields.readCount(in, in.readableBytes() / ENTRY_BYTES_MIN);
        if (count == 0) {
            return new Frame.Append<>(logId, epoch, answer, first, List.of(), stable, forget);
        }
        List<Entry<P>> entries = new ArrayList<>(count);
        Position previous = first;
        Member sender = null;
        long sequence = 0;
        for (int at = 0; at < count; at++) {
            Entry<P> entry = readEntry(previous, sender, sequence, in);
            entries.add(entry);
            previous = entry.position();
            sender = entry.sender();
            sequence = entry.sequence();
        }
        return new Frame.Append<>(logId, epoch, answer, first, entries, stable, forget);
    }

    private Entry<P> readEntry(Position before, @Nullable Member senderBefore, long sequenceBefore, ByteBuf in) {
        int flags = in.readByte();
        long epoch = is(flags, SAME_EPOCH) ? before.epoch() : Fields.readNumber(in);
        Member sender = is(flags, SAME_SENDER) ? senderBefore : Fields.readMember(in);
        if (sender == null) {
            throw new Malformed("the first entry names no sender");
        }
        long sequence = is(flags, NEXT_SEQUENCE) ? sequenceBefore + 1 : Fields.readNumber(in);
        int bytes = Fields.readCount(in, Integer.MAX_VALUE);
        Position position = new Position(epoch, before.offset() + 1);
        ByteBuf body = in.readSlice(in.readInt());
        boolean persistent = is(flags, IS_PERSISTENT);
        if (is(flags, IS_VIEW)) {
            return new Entry<>(position, sender, sequence, persistent, bytes, null, ViewCodec.read(body));
        }
        return new Entry<>(position, sender, sequence, persistent, bytes, payloads.read(body), null);
    }

    private static boolean is(int flags, int flag) {
        return (flags & flag) != 0;
    }

    private Frame<P> readBroadcast(long logId, long epoch, ByteBuf in) {
        boolean persistent = in.readBoolean();
        Member sender = Fields.readMember(in);
        long sequence = Fields.readNumber(in);
        long oldest = Fields.readNumber(in);
        int bytes = Fields.readCount(in, Integer.MAX_VALUE);
        P payload = payloads.read(in.readSlice(in.readableBytes()));
        return new Frame.Broadcast<>(logId, epoch, sender, sequence, oldest, persistent, bytes, payload);
    }

    private Frame<P> readHave(long logId, long epoch, ByteBuf in) {
        int count = Fields.readCount(in, in.readableBytes() / 2);
        long[] pairs = new long[2 * count];
        for (int at = 0; at < pairs.length; at++) {
            pairs[at] = Fields.readNumber(in);
        }
        return new Frame.Have<>(logId, epoch, pairs);
    }
}
