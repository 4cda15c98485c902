package io.warren.routing;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The two ways in which RabbitMQ 3.10 compares values of field tables.
 *
 * <p>Strictly, with their types: arguments that identify a binding, and everything inside an array or a table
 * ({@link #freeze}). By value alone: the fields that a headers exchange matches ({@link #comparable}). Both return an
 * immutable object whose {@code equals} is that comparison.
 *
 * <p>Values are null (void), Boolean, the Numbers, String, byte[], Date or Instant (a timestamp, in whole seconds),
 * List and Map; any other object stands for itself.
 */
final class FieldValue {

    private FieldValue() {}

    /**
     * A copy that compares strictly: int 1 is not long 1, a string is not bytes. The order of the fields in a table
     * does not count, which differs from RabbitMQ inside nested tables: Java's maps promise no order to compare.
     */
    static @Nullable Object freeze(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return ByteBuffer.wrap(bytes.clone()).asReadOnlyBuffer();
        }
        if (value instanceof List<?> array) {
            return freezeArray(array);
        }
        if (value instanceof Map<?, ?> table) {
            return freezeTable(table);
        }
        if (value instanceof Date date) {
            return Instant.ofEpochSecond(date.toInstant().getEpochSecond());
        }
        if (value instanceof Instant instant) {
            return Instant.ofEpochSecond(instant.getEpochSecond());
        }
        // Erlang's 0.0 and -0.0 are one number, Double.equals has two.
        return value instanceof Double number ? (Object) (number + 0.0) : value;
    }

    private static List<@Nullable Object> freezeArray(List<?> array) {
        List<@Nullable Object> copy = new ArrayList<>(array.size());
        for (Object element : array) {
            copy.add(freeze(element));
        }
        return Collections.unmodifiableList(copy);
    }

    static Map<String, @Nullable Object> freezeTable(Map<?, ?> table) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        table.forEach((name, value) -> copy.put(String.valueOf(name), freeze(value)));
        return Collections.unmodifiableMap(copy);
    }

    /**
     * An object that compares by value: 1 of any width, 1.0, and the timestamp of second 1 are the same; so are a
     * string and its bytes, an empty array and an empty table; a decimal is the same only as a decimal of its scale.
     */
    static @Nullable Object comparable(@Nullable Object value) {
        if (value instanceof Number number) {
            return comparableNumber(number);
        }
        if (value instanceof byte[] bytes) {
            return comparableBytes(ByteBuffer.wrap(bytes));
        }
        if (value instanceof ByteBuffer frozen) {
            return comparableBytes(frozen);
        }
        if (value instanceof Date date) {
            return date.toInstant().getEpochSecond();
        }
        if (value instanceof Instant instant) {
            return instant.getEpochSecond();
        }
        if (value instanceof Map<?, ?> table && table.isEmpty()) {
            return List.of();
        }
        return freeze(value);
    }

    private static Object comparableNumber(Number number) {
        if (number instanceof Double || number instanceof Float) {
            return comparableDouble(number.doubleValue());
        }
        return number instanceof BigDecimal || number instanceof BigInteger ? number : (Object) number.longValue();
    }

    /** A whole number becomes a long, so that it equals the integer; 2^63 itself has none. */
    private static Object comparableDouble(double number) {
        long whole = (long) number;
        return whole == number && whole != Long.MAX_VALUE ? (Object) whole : (Object) number;
    }

    /** The string whose UTF-8 these bytes are; if they are none, the bytes, which then equal no string. */
    private static Object comparableBytes(ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
        } catch (CharacterCodingException notText) {
            return bytes;
        }
    }
}
