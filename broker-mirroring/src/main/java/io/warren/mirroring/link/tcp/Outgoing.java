package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.link.Sizes;
import io.warren.mirroring.mailbox.Mailbox;
import io.warren.mirroring.ring.Frame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The writing end of a link: what any thread sends, in order for each group, the groups in turn, as credit and the connection allow.
 *
 * <p>Everything but the posting is owned by the links' thread. A turn takes all that was sent since the last and writes it in batches;
 * a frame is encoded when it goes out, so what waits are the frames themselves, whose entries the log holds anyway.
 *
 * <p>Limits: for each group, bytes that wait (the sender is refused) and credit; for the link, what the connection has not taken (then
 * everything waits), and {@link Wire#STREAMS_MAX} streams: beyond these an idle one is named anew, and if none is, the link fails.
 */
final class Outgoing<P> {

    /** The connection. */
    interface Line {
        /** Whether it takes more just now; {@link #onWritable} tells when it does again. */
        boolean isWritable();

        ByteBuf buffer(int capacity);

        /** Writes it out; the buffer is the line's from here on. */
        void write(ByteBuf batch);

        /** The link cannot go on. */
        void fail(RuntimeException failure);
    }

    private final Line line;
    private final FrameCodec<P> codec;
    private final int frameBytesMax;
    private final Mailbox<Outgoing<P>> mailbox;
    private final Map<String, OutStream<P>> streams = new ConcurrentHashMap<>();

    // Owned by the links' thread.
    private final List<OutStream<P>> numbered = new ArrayList<>();
    /** Streams that have something to send and credit for it, in turn. */
    private final ArrayDeque<OutStream<P>> ready = new ArrayDeque<>();

    private @Nullable ByteBuf batch;
    private int lastBatchBytes = 1_024;
    private boolean closed;

    Outgoing(Line line, FrameCodec<P> codec, int frameBytesMax, Executor loop) {
        this.line = line;
        this.codec = codec;
        this.frameBytesMax = frameBytesMax;
        mailbox = new Mailbox<>(loop, Integer.MAX_VALUE, this::turn);
    }

    // --------------------------------------------------------------------------------------------------- any thread

    boolean send(String group, Frame<P> frame) {
        int bytes = limited(Sizes.of(frame), group);
        OutStream<P> stream = stream(group);
        if (!stream.reserve(bytes)) {
            return false;
        }
        mailbox.post(new FrameItem<>(stream, bytes, frame));
        return true;
    }

    boolean send(String group, int type, byte[] body) {
        if (type < 0 || type > 255) {
            throw new IllegalArgumentException("type=" + type + " is not from 0 to 255");
        }
        int bytes = limited(Sizes.of(body), group);
        OutStream<P> stream = stream(group);
        if (!stream.reserve(bytes)) {
            return false;
        }
        mailbox.post(new MessageItem<>(stream, bytes, type, body));
        return true;
    }

    void sendAnyway(String group, int type, byte[] body) {
        int bytes = limited(Sizes.of(body), group);
        OutStream<P> stream = stream(group);
        stream.reserveAnyway(bytes);
        mailbox.post(new MessageItem<>(stream, bytes, type, body));
    }

    /** What was processed of a stream of the peer's. */
    void giveBack(int stream, int bytes) {
        mailbox.post(new Mailbox.Input<>() {
            @Override
            public void run(Outgoing<P> owner) {
                owner.writeCredit(stream, bytes);
            }
        });
    }

    private int limited(int bytes, String group) {
        if (bytes > frameBytesMax) {
            throw new IllegalArgumentException(
                    bytes + " bytes for group " + group + " are more than a link takes at once: " + frameBytesMax);
        }
        return bytes;
    }

    private OutStream<P> stream(String group) {
        OutStream<P> known = streams.get(group);
        return known != null ? known : streams.computeIfAbsent(group, OutStream::new);
    }

    /** Something to send for a group. */
    abstract static class Item<P> extends Mailbox.Input<Outgoing<P>> {
        final OutStream<P> stream;
        final int bytes;

        Item(OutStream<P> stream, int bytes) {
            this.stream = stream;
            this.bytes = bytes;
        }

        @Override
        public final void run(Outgoing<P> owner) {
            owner.place(this);
        }

        /** Writes it from its kind on. */
        abstract void write(FrameCodec<P> codec, int streamId, ByteBuf out);

        /** Whether it costs no credit. */
        abstract boolean isFree();
    }

    private static final class FrameItem<P> extends Item<P> {
        private final Frame<P> frame;

        FrameItem(OutStream<P> stream, int bytes, Frame<P> frame) {
            super(stream, bytes);
            this.frame = frame;
        }

        @Override
        void write(FrameCodec<P> codec, int streamId, ByteBuf out) {
            out.writeByte(Wire.FRAME);
            Fields.writeNumber(out, streamId);
            codec.write(frame, out);
        }

        @Override
        boolean isFree() {
            return false;
        }
    }

    private static final class MessageItem<P> extends Item<P> {
        private final int type;
        private final byte[] body;

        MessageItem(OutStream<P> stream, int bytes, int type, byte[] body) {
            super(stream, bytes);
            this.type = type;
            this.body = body;
        }

        @Override
        void write(FrameCodec<P> codec, int streamId, ByteBuf out) {
            out.writeByte(Wire.MESSAGE);
            Fields.writeNumber(out, streamId);
            out.writeByte(type);
            out.writeBytes(body);
        }

        @Override
        boolean isFree() {
            return body.length == 0;
        }
    }

    // -------------------------------------------------------------------------------------------- the links' thread

    private void turn(Mailbox.@Nullable Input<Outgoing<P>> first) {
        for (Mailbox.Input<Outgoing<P>> next = first; next != null; ) {
            Mailbox.Input<Outgoing<P>> input = next;
            next = Mailbox.after(input);
            input.run(this);
        }
        write();
    }

    private void place(Item<P> item) {
        if (closed) {
            return;
        }
        OutStream<P> stream = item.stream;
        if (stream.isEvicted()) {
            stream = stream(stream.name());
            stream.reserveAnyway(item.bytes);
        }
        stream.add(item);
        makeReady(stream);
    }

    private void makeReady(OutStream<P> stream) {
        if (stream.becomesReady()) {
            ready.add(stream);
        }
    }

    /** The connection takes more again. */
    void onWritable() {
        write();
    }

    /** The peer has processed what came on a stream. */
    void onCredit(int streamId, long bytes) {
        if (streamId >= numbered.size()) {
            throw new Malformed("credit for stream " + streamId + " of " + numbered.size());
        }
        OutStream<P> stream = numbered.get(streamId);
        stream.onCredit(bytes);
        makeReady(stream);
        write();
    }

    private void write() {
        try {
            while (!closed && !ready.isEmpty() && line.isWritable()) {
                OutStream<P> stream = ready.remove();
                writeNext(stream);
                stream.unready();
                makeReady(stream);
                flushIfFull();
            }
        } catch (RuntimeException failure) {
            line.fail(failure);
        }
        flush();
    }

    private void writeNext(OutStream<P> stream) {
        if (stream.hasPieces()) {
            stream.writePiece(batch());
            return;
        }
        if (stream.id() < 0) {
            number(stream);
        }
        Item<P> item = stream.next();
        boolean isLarge = item.bytes > Wire.WHOLE_BYTES_MAX;
        ByteBuf out = isLarge ? line.buffer(item.bytes) : batch();
        int start = out.writerIndex();
        out.writeInt(0);
        try {
            item.write(codec, stream.id(), out);
        } catch (RuntimeException unwritable) {
            if (isLarge) {
                out.release();
            }
            throw unwritable;
        }
        int length = out.writerIndex() - start - Wire.LENGTH_BYTES;
        if (!item.isFree()) {
            stream.spend(length);
        }
        if (isLarge) {
            stream.setPieces(out.skipBytes(Wire.LENGTH_BYTES));
        } else if (length > Wire.WHOLE_BYTES_MAX) {
            stream.setPieces(out.copy(start + Wire.LENGTH_BYTES, length));
            out.writerIndex(start);
        } else {
            out.setInt(start, length);
        }
    }

    /** Gives a stream the next number, or that of one that is idle, and tells the peer. */
    private void number(OutStream<P> stream) {
        int id = numbered.size();
        if (id < Wire.STREAMS_MAX) {
            numbered.add(stream);
        } else {
            OutStream<P> idle = numbered.stream()
                    .filter(OutStream::isIdle)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "more than " + Wire.STREAMS_MAX + " groups have something under way on one link"));
            id = idle.id();
            streams.remove(idle.name(), idle);
            idle.evict();
            numbered.set(id, stream);
        }
        stream.setId(id);
        ByteBuf out = batch();
        int start = begin(out, Wire.NAME);
        Fields.writeNumber(out, id);
        out.writeCharSequence(stream.name(), StandardCharsets.UTF_8);
        end(out, start);
    }

    private void writeCredit(int stream, int bytes) {
        if (closed) {
            return;
        }
        ByteBuf out = batch();
        int start = begin(out, Wire.CREDIT);
        Fields.writeNumber(out, stream);
        Fields.writeNumber(out, bytes);
        end(out, start);
    }

    /** A heartbeat, whether the connection takes anything or not: behind what it has not taken the peer hears of it too. */
    void heartbeat(long number, long echo, long[] values) {
        if (closed) {
            return;
        }
        ByteBuf out = batch();
        int start = begin(out, Wire.HEARTBEAT);
        Fields.writeNumber(out, number);
        Fields.writeNumber(out, echo);
        out.writeByte(values.length);
        for (long value : values) {
            out.writeLong(value);
        }
        end(out, start);
        flush();
    }

    private static int begin(ByteBuf out, int kind) {
        int start = out.writerIndex();
        out.writeInt(0).writeByte(kind);
        return start;
    }

    private static void end(ByteBuf out, int start) {
        out.setInt(start, out.writerIndex() - start - Wire.LENGTH_BYTES);
    }

    private ByteBuf batch() {
        ByteBuf current = batch;
        if (current == null) {
            current = line.buffer(Math.min(Wire.BATCH_BYTES + Wire.BATCH_BYTES / 4, 2 * lastBatchBytes));
            batch = current;
        }
        return current;
    }

    private void flushIfFull() {
        if (batch != null && batch.readableBytes() >= Wire.BATCH_BYTES) {
            flush();
        }
    }

    private void flush() {
        ByteBuf full = batch;
        batch = null;
        if (full == null) {
            return;
        }
        if (closed || !full.isReadable()) {
            full.release();
            return;
        }
        lastBatchBytes = Math.max(512, full.readableBytes());
        line.write(full);
    }

    /** The link is down: what waits is lost. */
    void close() {
        closed = true;
        ready.clear();
        numbered.forEach(OutStream::close);
        ByteBuf unsent = batch;
        batch = null;
        if (unsent != null) {
            unsent.release();
        }
    }

    /** Most that may wait of one group. */
    static long waitingBytesMax() {
        return Link.WAITING_BYTES_MAX;
    }
}
