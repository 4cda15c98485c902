package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a connection brings into messages.
 *
 * <p>A message is read where it came; only one whose end has not come yet is copied, so that a byte is copied at most once and most are
 * not. Limit: one message, {@link Wire#LENGTH_MAX}.
 */
final class Messages {
    private final ByteBufAllocator allocator;
    private final Consumer<ByteBuf> output;
    /** The beginning of a message, its length included. */
    private @Nullable ByteBuf begun;

    private boolean closed;

    /** @param output takes each message, without its length; the buffer is its own only for the call */
    Messages(ByteBufAllocator allocator, Consumer<ByteBuf> output) {
        this.allocator = allocator;
        this.output = output;
    }

    /**
     * Takes the next bytes.
     *
     * @throws RuntimeException if they are no messages
     */
    void read(ByteBuf in) {
        if (begun != null && !finish(begun, in)) {
            return;
        }
        while (in.readableBytes() >= Wire.LENGTH_BYTES) {
            int length = length(in);
            if (in.readableBytes() < Wire.LENGTH_BYTES + length) {
                break;
            }
            output.accept(in.skipBytes(Wire.LENGTH_BYTES).readSlice(length));
        }
        if (in.isReadable() && !closed) {
            int capacity = in.readableBytes() < Wire.LENGTH_BYTES ? Wire.LENGTH_BYTES : Wire.LENGTH_BYTES + length(in);
            begun = allocator.buffer(capacity).writeBytes(in);
        }
    }

    /** Goes on with a message that has begun; true if it is complete. */
    private boolean finish(ByteBuf message, ByteBuf in) {
        if (message.readableBytes() < Wire.LENGTH_BYTES) {
            take(message, in, Wire.LENGTH_BYTES);
            if (message.readableBytes() < Wire.LENGTH_BYTES) {
                return false;
            }
        }
        int whole = Wire.LENGTH_BYTES + length(message);
        take(message, in, whole);
        if (message.readableBytes() < whole) {
            return false;
        }
        begun = null;
        try {
            output.accept(message.skipBytes(Wire.LENGTH_BYTES));
        } finally {
            message.release();
        }
        return true;
    }

    private static void take(ByteBuf message, ByteBuf in, int upTo) {
        message.writeBytes(in, Math.min(in.readableBytes(), upTo - message.readableBytes()));
    }

    private static int length(ByteBuf in) {
        int length = in.getInt(in.readerIndex());
        if (length < 1 || length > Wire.LENGTH_MAX) {
            throw new Malformed("a message of " + length + " bytes");
        }
        return length;
    }

    /** Nothing more is kept. */
    void close() {
        closed = true;
        if (begun != null) {
            begun.release();
            begun = null;
        }
    }
}
