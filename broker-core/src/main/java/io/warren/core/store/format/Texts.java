package io.warren.core.store.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Texts on disk: short ones with one byte of length, or 255 and four bytes where they are longer than that, for not everything that
 * AMQP calls a short string is one here; others with four; UTF-8.
 */
final class Texts {

    /** In the place of a length: that stands in the next four bytes. */
    private static final int LONGER = 255;

    private Texts() {}

    static void putShort(ByteBuffer to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < LONGER) {
            to.put((byte) bytes.length).put(bytes);
        } else {
            to.put((byte) LONGER);
            putBytes(to, bytes);
        }
    }

    static String getShort(ByteBuffer from) {
        int length = from.get() & 0xff;
        return get(from, length == LONGER ? from.getInt() : length);
    }

    static void putLong(ByteBuffer to, String text) {
        putBytes(to, text.getBytes(StandardCharsets.UTF_8));
    }

    static String getLong(ByteBuffer from) {
        return get(from, checkedLength(from, from.getInt()));
    }

    /** A text or nothing: one byte says which. */
    static void putOptional(ByteBuffer to, @Nullable String text) {
        to.put((byte) (text == null ? 0 : 1));
        if (text != null) {
            putLong(to, text);
        }
    }

    static @Nullable String getOptional(ByteBuffer from) {
        return from.get() == 0 ? null : getLong(from);
    }

    static void putBytes(ByteBuffer to, byte[] bytes) {
        to.putInt(bytes.length).put(bytes);
    }

    static byte[] getBytes(ByteBuffer from) {
        byte[] bytes = new byte[checkedLength(from, from.getInt())];
        from.get(bytes);
        return bytes;
    }

    private static String get(ByteBuffer from, int length) {
        byte[] bytes = new byte[checkedLength(from, length)];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Checked before anything of that size is made. */
    static int checkedLength(ByteBuffer from, int length) {
        if (length < 0 || length > from.remaining()) {
            throw new IllegalArgumentException("length=" + length + " remaining=" + from.remaining());
        }
        return length;
    }
}
