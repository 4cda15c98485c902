package io.warren.amqp.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.warren.amqp.frame.FrameEncoder;
import io.warren.amqp.method.Method;
import io.warren.amqp.session.DeliveryCredit;
import io.warren.core.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a connection on their way out: frames gather in a buffer, which is written when it is full or when the
 * turn ends, and credit goes back when they have left.
 *
 * <p>Owned by the event loop. A consumer that does not read keeps its credit, and so holds no more than that many
 * deliveries here.
 */
final class Outbound {

    /** A buffer is written once it holds so much. */
    private static final int WRITE_BYTES = 64 * 1024;

    private static final int FIRST_CAPACITY_BYTES = 1024;

    /** A larger part of a body is written from where it is. */
    private static final int COPIED_BYTES_MAX = 4 * 1024;

    private final ChannelHandlerContext context;
    private final FrameEncoder encoder = new FrameEncoder();
    private int partBytesMax;
    private @Nullable ByteBuf gathering;
    private @Nullable CreditTally tally;
    private boolean hasWritten;

    Outbound(ChannelHandlerContext context, int frameBytesMax) {
        this.context = context;
        limit(frameBytesMax);
    }

    void limit(int frameBytesMax) {
        partBytesMax = FrameEncoder.partBytesMax(frameBytesMax);
    }

    private ByteBuf buffer() {
        hasWritten = true;
        ByteBuf buffer = gathering;
        if (buffer == null) {
            buffer = context.alloc().ioBuffer(FIRST_CAPACITY_BYTES);
            gathering = buffer;
        }
        return buffer;
    }

    void method(int channel, Method method) {
        encoder.method(buffer(), channel, method);
        writeIfFull();
    }

    void content(int channel, Method method, Message message) {
        encoder.method(buffer(), channel, method);
        byte[] body = message.sharedBody();
        encoder.header(buffer(), channel, method.classId(), body.length, message.properties());
        for (int from = 0; from < body.length; from += partBytesMax) {
            part(channel, body, from, Math.min(partBytesMax, body.length - from));
        }
        writeIfFull();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the connection, which shows there
    private void part(int channel, byte[] body, int from, int bytes) {
        encoder.bodyPrefix(buffer(), channel, bytes);
        if (bytes <= COPIED_BYTES_MAX) {
            buffer().writeBytes(body, from, bytes);
        } else {
            write();
            context.write(Unpooled.wrappedBuffer(body, from, bytes).asReadOnly());
        }
        encoder.bodyEnd(buffer());
    }

    void deliver(int channel, Method method, Message message, DeliveryCredit credit) {
        if (tally == null) {
            tally = new CreditTally();
        }
        tally.add(credit);
        content(channel, method, message);
    }

    void heartbeat() {
        encoder.heartbeat(buffer());
        flush();
    }

    /** Whether anything was sent since this was asked last. */
    boolean hasWritten() {
        boolean answer = hasWritten;
        hasWritten = false;
        return answer;
    }

    private void writeIfFull() {
        ByteBuf buffer = gathering;
        if (buffer != null && buffer.readableBytes() >= WRITE_BYTES) {
            write();
        }
    }

    private void write() {
        ByteBuf buffer = gathering;
        if (buffer == null) {
            return;
        }
        gathering = null;
        CreditTally written = tally;
        tally = null;
        var done = context.write(buffer);
        if (written != null) {
            done.addListener(future -> written.giveBack());
        }
    }

    void flush() {
        write();
        context.flush();
    }

    /** Lets go of what was not written. */
    void release() {
        if (gathering != null) {
            gathering.release();
            gathering = null;
        }
    }
}
