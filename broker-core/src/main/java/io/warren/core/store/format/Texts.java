package io.warren.core.store.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Texts on disk: AMQP's short strings with one byte of length, others with four; UTF-8. */
final class Texts {

    private Texts() {}

    static void putShort(ByteBuffer to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.put((byte) bytes.length).put(bytes);
    }

    static String getShort(ByteBuffer from) {
        return get(from, from.get() & 0xff);
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
