package io.warren.core.message;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The text of the expiration property: a number of milliseconds, read as RabbitMQ reads it. */
public final class Expiration {

    private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private Expiration() {}

    /** What is wrong with the text, in RabbitMQ's words, or null. */
    public static @Nullable String problem(String text) {
        int digitsEnd = digitsEnd(text);
        if (digitsEnd == 0) {
            return "no_integer";
        }
        if (digitsEnd < text.length()) {
            return "{leftover_string,\"" + text.substring(digitsEnd) + "\"}";
        }
        return text.charAt(0) == '-' && new BigInteger(text).signum() < 0 ? "{value_negative," + text + "}" : null;
    }

    /** Milliseconds of a text without a problem; what a long cannot hold counts as the longest time. */
    public static long ms(String text) {
        return text.length() < 18
                ? Long.parseLong(text)
                : new BigInteger(text).min(LONGEST).longValue();
    }

    /** End of the sign and digits the text begins with, 0 if it does not. */
    private static int digitsEnd(String text) {
        int start = !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
        int end = start;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end == start ? 0 : end;
    }
}
