package io.warren.amqp.frame;

import io.netty.buffer.ByteBuf;
import io.warren.amqp.content.PropertiesCodec;
import io.warren.core.message.Properties;

/**
 * The properties a peer sent last: a publisher mostly sends the same with each message, and a backlog then holds them
 * once, where each its own would cost 72 bytes a message.
 *
 * <p>Only those of at most {@value #BYTES_MAX} bytes on the wire are kept: longer ones name the message they belong to.
 * Owned by one connection's thread.
 */
final class RecentProperties {

    private static final int BYTES_MAX = 64;

    private final byte[] lastBytes = new byte[BYTES_MAX];
    private int lastLength;
    private Properties last = Properties.NONE;

    /**
     * Reads properties, which fill the buffer if they are well formed; what is left over is left to the caller.
     *
     * @throws io.warren.core.error.AmqpException 502 for flags nobody knows
     * @throws IndexOutOfBoundsException if the buffer ends before they do
     */
    Properties read(ByteBuf in) {
        int start = in.readerIndex();
        int length = in.readableBytes();
        if (length == lastLength && areLast(in, start, length)) {
            in.skipBytes(length);
            return last;
        }
        Properties read = PropertiesCodec.read(in);
        if (length <= BYTES_MAX && !in.isReadable()) {
            in.getBytes(start, lastBytes, 0, length);
            lastLength = length;
            last = read;
        }
        return read;
    }

    private boolean areLast(ByteBuf in, int start, int length) {
        for (int i = 0; i < length; i++) {
            if (in.getByte(start + i) != lastBytes[i]) {
                return false;
            }
        }
        return length > 0;
    }
}
