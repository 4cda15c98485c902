package io.warren.amqp.frame;

import io.netty.buffer.ByteBuf;
import io.warren.amqp.content.Strings;
import org.jspecify.annotations.Nullable;

/**
 * The strings a peer sent lately, so that a backlog of messages with one routing key holds that key once: a string of
 * its own would cost each of them 48 bytes and more.
 *
 * <p>At most {@value #COUNT} are kept, of ASCII only, whose characters are their bytes. Owned by one connection's thread.
 */
final class RecentStrings {

    private static final int COUNT = 16;

    /** By hash code; made with the first string, for most connections never publish. */
    private @Nullable String @Nullable [] byHash;

    /**
     * Reads a short string.
     *
     * @throws IndexOutOfBoundsException if the buffer ends before it does
     */
    String readShort(ByteBuf in) {
        int start = in.readerIndex() + 1;
        int bytes = in.getUnsignedByte(start - 1);
        int hash = 0; // as String computes it
        int signs = 0;
        for (int i = start; i < start + bytes; i++) {
            byte octet = in.getByte(i);
            hash = 31 * hash + octet;
            signs |= octet;
        }
        return signs < 0 ? Strings.readShort(in) : recurring(in, start, bytes, hash);
    }

    private String recurring(ByteBuf in, int start, int bytes, int hash) {
        @Nullable String[] kept = byHash == null ? new String[COUNT] : byHash;
        byHash = kept;
        int place = hash & COUNT - 1;
        String known = kept[place];
        if (known != null && known.hashCode() == hash && equals(known, in, start, bytes)) {
            in.readerIndex(start + bytes);
            return known;
        }
        String read = Strings.readShort(in);
        kept[place] = read;
        return read;
    }

    private static boolean equals(String known, ByteBuf in, int start, int bytes) {
        if (known.length() != bytes) {
            return false;
        }
        for (int i = 0; i < bytes; i++) {
            if (known.charAt(i) != in.getByte(start + i)) {
                return false;
            }
        }
        return true;
    }
}
