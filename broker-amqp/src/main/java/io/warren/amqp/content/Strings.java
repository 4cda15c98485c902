package io.warren.amqp.content;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;

/** Short strings: one octet of length, then so many bytes of UTF-8. */
public final class Strings {

    private Strings() {}

    /**
     * Reads a short string.
     *
     * @throws IndexOutOfBoundsException if the buffer ends before it does
     */
    public static String readShort(ByteBuf in) {
        int bytes = in.readUnsignedByte();
        return in.readCharSequence(bytes, StandardCharsets.UTF_8).toString();
    }

    /** Writes a short string; who made it has checked its length. */
    public static void writeShort(ByteBuf out, CharSequence text) {
        int lengthIndex = out.writerIndex();
        out.writeByte(0);
        int bytes = ByteBufUtil.writeUtf8(out, text);
        if (bytes > 255) {
            throw new IllegalArgumentException("bytes=" + bytes + " of a short string, at most 255: " + text);
        }
        out.setByte(lengthIndex, bytes);
    }
}
