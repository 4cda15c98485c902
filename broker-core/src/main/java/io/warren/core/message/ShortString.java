package io.warren.core.message;

import org.jspecify.annotations.Nullable;

/** The size rule of AMQP's short strings: names, keys and most properties have at most 255 bytes in UTF-8. */
public final class ShortString {

    /** One length byte on the wire. */
    public static final int BYTES_MAX = 255;

    private ShortString() {}

    /** Bytes of the text in UTF-8. */
    public static int bytes(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                bytes += 3;
            }
        }
        return bytes;
    }

    /**
     * The text itself if it fits.
     *
     * @throws IllegalArgumentException naming what it was for and its size
     */
    public static String check(String what, String text) {
        // Three bytes a char is the most UTF-8 needs: short texts need no counting.
        if (text.length() > BYTES_MAX / 3 && bytes(text) > BYTES_MAX) {
            throw new IllegalArgumentException(
                    what + " has " + bytes(text) + " bytes in UTF-8, at most " + BYTES_MAX + " are allowed: " + text);
        }
        return text;
    }

    static @Nullable String checkOptional(String what, @Nullable String text) {
        return text == null ? null : check(what, text);
    }
}
