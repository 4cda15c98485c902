package io.warren.amqp.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.warren.amqp.content.PropertiesCodec;
import io.warren.amqp.method.Method;
import io.warren.core.message.Properties;

/** Writes frames to a buffer. Owned by one connection's thread. */
public final class FrameEncoder {

    private final ByteBufWriter arguments = new ByteBufWriter(Unpooled.EMPTY_BUFFER);

    /** Writes a method. */
    public void method(ByteBuf out, int channel, Method method) {
        int sizeIndex = prefix(out, FrameType.METHOD, channel);
        out.writeShort(method.classId());
        out.writeShort(method.methodId());
        method.write(arguments.to(out));
        end(out, sizeIndex);
    }

    /** Writes a content header. */
    public void header(ByteBuf out, int channel, int classId, long bodyBytes, Properties properties) {
        int sizeIndex = prefix(out, FrameType.HEADER, channel);
        out.writeShort(classId);
        out.writeShort(0);
        out.writeLong(bodyBytes);
        PropertiesCodec.write(out, properties);
        end(out, sizeIndex);
    }

    /** Writes what stands before a part of a body; {@link #bodyEnd} goes behind it. */
    public void bodyPrefix(ByteBuf out, int channel, int partBytes) {
        out.writeByte(FrameType.BODY);
        out.writeShort(channel);
        out.writeInt(partBytes);
    }

    /** Writes what ends a part of a body. */
    public void bodyEnd(ByteBuf out) {
        out.writeByte(FrameType.END);
    }

    /** Writes a heartbeat. */
    public void heartbeat(ByteBuf out) {
        end(out, prefix(out, FrameType.HEARTBEAT, 0));
    }

    private static int prefix(ByteBuf out, int type, int channel) {
        out.writeByte(type);
        out.writeShort(channel);
        int sizeIndex = out.writerIndex();
        out.writeInt(0);
        return sizeIndex;
    }

    private static void end(ByteBuf out, int sizeIndex) {
        out.setInt(sizeIndex, out.writerIndex() - sizeIndex - Integer.BYTES);
        out.writeByte(FrameType.END);
    }

    /** Most bytes of a body that one frame carries. */
    public static int partBytesMax(int frameBytesMax) {
        return frameBytesMax - FrameType.OVERHEAD_BYTES;
    }
}
