package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.warren.mirroring.link.Links;
import io.warren.mirroring.ring.Frame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The reading end of a link: turns what {@link Wire} describes into calls. Owned by the links' thread, but for the giving back.
 *
 * <p>Limits: {@link Wire#STREAMS_MAX} streams; for each one frame in pieces, of at most so many bytes as the links were set up with, for
 * which memory is taken as its pieces come.
 */
final class Incoming<P> {

    /** What came. */
    interface Output<P> {
        void frame(String group, Frame<P> frame, int bytes);

        void message(String group, int type, byte[] body, int bytes);

        void heartbeat(long number, long echo, long[] values);

        void credit(int stream, long bytes);

        /** Enough was processed of a stream for the peer to hear of it. */
        void giveBack(int stream, int bytes);
    }

    /** Often enough that the peer never waits, seldom enough to cost nothing. */
    private static final int GIVE_BACK_BYTES = Wire.CREDIT_BYTES / 4;

    /**
     * From so many streams on also what is owed below that is given back, now and then: only a stream that has back all it used can lend
     * its number to another.
     */
    private static final int STREAMS_MANY = Wire.STREAMS_MAX / 2;

    private static final int FIRST_CAPACITY = 1 << 20;

    private final FrameCodec<P> codec;
    private final int frameBytesMax;
    private final ByteBufAllocator allocator;
    private final Output<P> output;
    private final List<InStream> streams = new ArrayList<>();
    private final Map<String, InStream> byGroup = new ConcurrentHashMap<>();

    private static final class InStream {
        final int id;
        final String group;
        /** Processed and not yet given back. */
        final AtomicInteger owed = new AtomicInteger();

        @Nullable ByteBuf whole;

        int wholeBytes;

        InStream(int id, String group) {
            this.id = id;
            this.group = group;
        }
    }

    Incoming(FrameCodec<P> codec, int frameBytesMax, ByteBufAllocator allocator, Output<P> output) {
        this.codec = codec;
        this.frameBytesMax = frameBytesMax;
        this.allocator = allocator;
        this.output = output;
    }

    /** Any thread. */
    void giveBack(String group, int bytes) {
        InStream stream = byGroup.get(group);
        if (stream != null && stream.owed.addAndGet(bytes) >= GIVE_BACK_BYTES) {
            int owed = stream.owed.getAndSet(0);
            if (owed > 0) {
                output.giveBack(stream.id, owed);
            }
        }
    }

    /** Time has passed: where streams get scarce, what was processed of each is given back. */
    void onTick() {
        if (streams.size() < STREAMS_MANY) {
            return;
        }
        for (InStream stream : streams) {
            int owed = stream.owed.getAndSet(0);
            if (owed > 0) {
                output.giveBack(stream.id, owed);
            }
        }
    }

    /**
     * Reads one message, from its kind on, that fills the buffer.
     *
     * @throws RuntimeException if it is none; the link cannot go on
     */
    void read(ByteBuf in) {
        int kind = in.readByte();
        switch (kind) {
            case Wire.HEARTBEAT -> readHeartbeat(in);
            case Wire.NAME -> readName(in);
            case Wire.FRAME, Wire.MESSAGE -> readWhole(kind, in, in.readableBytes() + 1);
            case Wire.PIECE -> readPiece(in);
            case Wire.CREDIT -> output.credit(Fields.readCount(in, Wire.STREAMS_MAX), Fields.readNumber(in));
            default -> throw new Malformed("a message of kind " + kind);
        }
        if (in.isReadable()) {
            throw new Malformed(in.readableBytes() + " bytes behind a message of kind " + kind);
        }
    }

    private void readHeartbeat(ByteBuf in) {
        long number = Fields.readNumber(in);
        long echo = Fields.readNumber(in);
        int count = in.readByte();
        if (count < 0 || count > Links.VALUES_MAX) {
            throw new Malformed("a heartbeat with " + count + " values");
        }
        long[] values = new long[count];
        for (int at = 0; at < count; at++) {
            values[at] = in.readLong();
        }
        output.heartbeat(number, echo, values);
    }

    private void readName(ByteBuf in) {
        int id = Fields.readCount(in, Math.min(streams.size(), Wire.STREAMS_MAX - 1));
        if (in.readableBytes() > Wire.GROUP_BYTES_MAX) {
            throw new Malformed("a group with a name of " + in.readableBytes() + " bytes");
        }
        String group =
                in.readCharSequence(in.readableBytes(), StandardCharsets.UTF_8).toString();
        InStream stream = new InStream(id, group);
        if (id == streams.size()) {
            streams.add(stream);
        } else {
            InStream before = streams.set(id, stream);
            if (before.whole != null) {
                throw new Malformed("stream " + id + " has a new name in the middle of a frame");
            }
            byGroup.remove(before.group, before);
        }
        byGroup.put(group, stream);
    }

    private InStream readStream(ByteBuf in) {
        long id = Fields.readNumber(in);
        if (id >= streams.size()) {
            throw new Malformed("stream " + id + " has no name");
        }
        return streams.get((int) id);
    }

    private void readWhole(int kind, ByteBuf in, int bytes) {
        InStream stream = readStream(in);
        if (kind == Wire.FRAME) {
            output.frame(stream.group, codec.read(in), bytes);
            return;
        }
        int type = in.readUnsignedByte();
        byte[] body = new byte[in.readableBytes()];
        in.readBytes(body);
        output.message(stream.group, type, body, body.length == 0 ? 0 : bytes);
    }

    private void readPiece(ByteBuf in) {
        InStream stream = readStream(in);
        int part = in.readByte();
        boolean isFirst = (part & Wire.FIRST_PIECE) != 0;
        if (isFirst != (stream.whole == null)) {
            throw new Malformed("pieces of group " + stream.group + " out of order");
        }
        if (isFirst) {
            stream.wholeBytes = Fields.readCount(in, frameBytesMax + Wire.WHOLE_BYTES_MAX);
        }
        ByteBuf whole = stream.whole;
        if (whole == null) {
            whole = allocator.buffer(Math.min(stream.wholeBytes, FIRST_CAPACITY));
            stream.whole = whole;
        }
        if (whole.readableBytes() + in.readableBytes() > stream.wholeBytes) {
            throw new Malformed("pieces of more than " + stream.wholeBytes + " bytes");
        }
        whole.writeBytes(in);
        if ((part & Wire.LAST_PIECE) != 0) {
            joined(stream, whole);
        }
    }

    private void joined(InStream stream, ByteBuf whole) {
        stream.whole = null;
        try {
            if (whole.readableBytes() != stream.wholeBytes) {
                throw new Malformed("pieces of " + whole.readableBytes() + " bytes instead of " + stream.wholeBytes);
            }
            int kind = whole.readByte();
            if (kind != Wire.FRAME && kind != Wire.MESSAGE) {
                throw new Malformed("a message of kind " + kind + " in pieces");
            }
            readWhole(kind, whole, stream.wholeBytes);
        } finally {
            whole.release();
        }
    }

    /** The link is down. */
    void close() {
        for (InStream stream : streams) {
            if (stream.whole != null) {
                stream.whole.release();
                stream.whole = null;
            }
        }
    }
}
