package io.warren.amqp.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.warren.amqp.content.Malformed;
import io.warren.amqp.method.Method;
import io.warren.core.message.Properties;

/**
 * Reads frames from bytes as they come; the caller keeps what is not a whole frame yet.
 *
 * <p>Owned by one connection's thread. A frame larger than {@code frameBytesMax} is refused as soon as its size is
 * known, so no more than one frame is ever waited for.
 */
public final class FrameDecoder {

    private int frameBytesMax;
    private final ByteBufReader arguments = new ByteBufReader(Unpooled.EMPTY_BUFFER);
    private final RecentProperties recentProperties = new RecentProperties();

    /** @param frameBytesMax largest frame, its eight bytes besides the payload included */
    public FrameDecoder(int frameBytesMax) {
        this.frameBytesMax = frameBytesMax;
    }

    /** Sets the size that was negotiated. */
    public void limit(int negotiatedBytesMax) {
        frameBytesMax = negotiatedBytesMax;
    }

    /**
     * Reads one frame, if it is there as a whole.
     *
     * @return false, with nothing read, if it is not
     * @throws io.warren.core.error.AmqpException 501, 502 or 505, after which nothing more can be read
     */
    public boolean decode(ByteBuf in, FrameListener listener) {
        if (in.readableBytes() < FrameType.PREFIX_BYTES) {
            return false;
        }
        int start = in.readerIndex();
        int type = in.getUnsignedByte(start);
        int channel = in.getUnsignedShort(start + 1);
        long payloadBytes = in.getUnsignedInt(start + 3);
        if (payloadBytes > frameBytesMax - FrameType.OVERHEAD_BYTES) {
            throw Malformed.frame(describe(type, snippet(in, start, payloadBytes)) + ": {frame_too_large,"
                    + payloadBytes + "," + (frameBytesMax - FrameType.OVERHEAD_BYTES) + "}");
        }
        if (in.readableBytes() < payloadBytes + FrameType.OVERHEAD_BYTES) {
            return false;
        }
        int end = start + FrameType.PREFIX_BYTES + (int) payloadBytes;
        int marker = in.getUnsignedByte(end);
        ByteBuf payload = in.slice(start + FrameType.PREFIX_BYTES, (int) payloadBytes);
        if (marker != FrameType.END) {
            throw Malformed.frame(describe(type, Snippet.of(payload)) + ": {invalid_frame_end_marker," + marker + "}");
        }
        in.readerIndex(end + 1);
        dispatch(type, channel, payload, listener);
        return true;
    }

    private static String snippet(ByteBuf in, int start, long payloadBytes) {
        int available = (int) Math.min(payloadBytes, in.readableBytes() - FrameType.PREFIX_BYTES);
        return Snippet.of(in.slice(start + FrameType.PREFIX_BYTES, available));
    }

    private static String describe(int type, String snippet) {
        return "type " + type + ", " + snippet;
    }

    private void dispatch(int type, int channel, ByteBuf payload, FrameListener listener) {
        switch (type) {
            case FrameType.METHOD -> listener.onMethod(channel, method(payload));
            case FrameType.HEADER -> header(channel, payload, listener);
            case FrameType.BODY -> listener.onBody(channel, ByteBufUtil.getBytes(payload));
            case FrameType.HEARTBEAT -> heartbeat(type, channel, payload, listener);
            default -> throw Malformed.frame(describe(type, Snippet.of(payload)) + ": unknown_frame");
        }
    }

    private Method method(ByteBuf payload) {
        if (payload.readableBytes() < 2 * Short.BYTES) {
            throw Malformed.frame(describe(FrameType.METHOD, Snippet.of(payload)) + ": unknown_frame");
        }
        int classId = payload.readUnsignedShort();
        int methodId = payload.readUnsignedShort();
        int argumentsIndex = payload.readerIndex();
        Method method;
        try {
            method = Method.read(classId, methodId, arguments.from(payload));
        } catch (IndexOutOfBoundsException tooShort) {
            throw cannotDecode(payload, argumentsIndex);
        }
        if (method == null) {
            throw Malformed.frame("unknown method " + methodId + " of class " + classId);
        }
        if (payload.isReadable()) {
            throw cannotDecode(payload, argumentsIndex);
        }
        return method;
    }

    private static RuntimeException cannotDecode(ByteBuf payload, int fromIndex) {
        return Malformed.frame("cannot decode " + Snippet.bytes(payload.readerIndex(fromIndex)));
    }

    private void header(int channel, ByteBuf payload, FrameListener listener) {
        if (!listener.awaitsHeader(channel)) {
            listener.onUnexpectedHeader(channel);
            return;
        }
        int classId;
        long bodyBytes;
        Properties properties;
        try {
            classId = payload.readUnsignedShort();
            payload.skipBytes(Short.BYTES);
            bodyBytes = payload.readLong();
            properties = recentProperties.read(payload);
        } catch (IndexOutOfBoundsException tooShort) {
            throw Malformed.frame("cannot decode " + Snippet.bytes(payload.readerIndex(0)));
        }
        if (bodyBytes < 0 || payload.isReadable()) {
            throw Malformed.frame("cannot decode " + Snippet.bytes(payload.readerIndex(0)));
        }
        listener.onHeader(channel, classId, bodyBytes, properties);
    }

    private static void heartbeat(int type, int channel, ByteBuf payload, FrameListener listener) {
        if (payload.isReadable()) {
            throw Malformed.frame(describe(type, Snippet.of(payload)) + ": unknown_frame");
        }
        if (channel != 0) {
            throw Malformed.unexpected(describe(type, Snippet.of(payload)));
        }
        listener.onHeartbeat();
    }
}
