package io.warren.core.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A long string of a field table whose bytes are not UTF-8: AMQP allows any, a String does not hold them, and they must
 * leave as they came.
 */
public final class OpaqueString {

    private final byte[] bytes;

    private OpaqueString(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Around a copy of the bytes. */
    public static OpaqueString of(byte[] bytes) {
        return new OpaqueString(bytes.clone());
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OpaqueString that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The text with a replacement character for what is none. */
    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
