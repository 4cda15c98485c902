package io.warren.core.message;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An immutable AMQP field table: arguments of a declare, headers of a message.
 *
 * <p>Values are those of RabbitMQ's dialect: null (void), Boolean, Byte, Short, Integer, Long, Float, Double,
 * BigDecimal (scale 0 to 255, 32 bits without it), String, byte[], Instant (whole seconds on the wire), List and Map of
 * the same; and what only other languages send: {@link Unsigned} and {@link OpaqueString}. Names have at most
 * {@value #NAME_BYTES_MAX} bytes in UTF-8. Other values are refused when the table is made, never when it is used.
 * Insertion order is kept. A byte[] in it must not be changed by who reads it.
 */
public final class FieldTable {

    /** A field name is a short string on the wire: one length byte. */
    public static final int NAME_BYTES_MAX = 255;

    /** Nesting beyond this is refused: RabbitMQ has no limit, a stack has. */
    public static final int DEPTH_MAX = 64;

    /** The table without fields. */
    public static final FieldTable EMPTY = new FieldTable(Map.of());

    private final Map<String, Object> fields;

    private FieldTable(Map<String, Object> fields) {
        this.fields = fields;
    }

    /**
     * Copies a map.
     *
     * @throws IllegalArgumentException for a value or name a field table cannot hold; the message names both
     */
    public static FieldTable of(Map<String, ?> fields) {
        return fields.isEmpty() ? EMPTY : new FieldTable(copyTable("", fields, 0));
    }

    /** A table of one field. */
    public static FieldTable of(String name, @Nullable Object value) {
        return of(Collections.singletonMap(name, value));
    }

    /** The value of a field, or null if it is absent or void; {@link #has} tells the two apart. */
    public @Nullable Object get(String name) {
        return fields.get(name);
    }

    /** Whether the field is there, void included. */
    public boolean has(String name) {
        return fields.containsKey(name);
    }

    /** The fields, unmodifiable, in insertion order. */
    public Map<String, Object> asMap() {
        return fields;
    }

    public boolean isEmpty() {
        return fields.isEmpty();
    }

    /** This table with one field set or replaced. */
    public FieldTable with(String name, @Nullable Object value) {
        Map<String, Object> copy = new LinkedHashMap<>(fields);
        copy.put(name, value);
        return of(copy);
    }

    /** This table without a field. */
    public FieldTable without(String name) {
        if (!fields.containsKey(name)) {
            return this;
        }
        Map<String, Object> copy = new LinkedHashMap<>(fields);
        copy.remove(name);
        return copy.isEmpty() ? EMPTY : new FieldTable(new CheckedTable(copy));
    }

    private static Map<String, Object> copyTable(String path, Map<?, ?> table, int depth) {
        if (depth > DEPTH_MAX) {
            throw new IllegalArgumentException("field '" + path + "' is nested deeper than " + DEPTH_MAX);
        }
        Map<String, Object> copy = new LinkedHashMap<>(table.size() * 2);
        table.forEach((key, value) -> {
            if (!(key instanceof String name)) {
                throw new IllegalArgumentException("field name must be a String, was " + key + " in '" + path + "'");
            }
            String field = path.isEmpty() ? name : path + "." + name;
            copy.put(checkedName(name), copyValue(field, value, depth));
        });
        return new CheckedTable(copy);
    }

    private static String checkedName(String name) {
        if (ShortString.bytes(name) > NAME_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "field name has " + ShortString.bytes(name) + " bytes, at most " + NAME_BYTES_MAX + ": " + name);
        }
        return name;
    }

    private static @Nullable Object copyValue(String path, @Nullable Object value, int depth) {
        if (value == null || isPlain(value)) {
            return value;
        }
        if (value instanceof BigDecimal decimal) {
            return checkedDecimal(path, decimal);
        }
        if (value instanceof byte[] bytes) {
            return bytes.clone();
        }
        if (value instanceof Date date) {
            return date.toInstant();
        }
        if (value instanceof FieldTable table) {
            return table.fields;
        }
        if (value instanceof CheckedTable || value instanceof CheckedList) {
            // Checked and copied when it was put into another table; nothing has changed it since.
            return value;
        }
        if (value instanceof Map<?, ?> table) {
            return copyTable(path, table, depth + 1);
        }
        if (value instanceof List<?> list) {
            return copyList(path, list, depth + 1);
        }
        throw new IllegalArgumentException("field '" + path + "' has a value of "
                + value.getClass().getName() + "; allowed are null, Boolean, Byte, Short, Integer, Long, Float, Double,"
                + " BigDecimal, String, byte[], Instant, Date, List and Map");
    }

    private static boolean isPlain(Object value) {
        return value instanceof String
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Boolean
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Double
                || value instanceof Float
                || value instanceof Instant
                || value instanceof Unsigned
                || value instanceof OpaqueString;
    }

    private static BigDecimal checkedDecimal(String path, BigDecimal decimal) {
        if (decimal.scale() < 0
                || decimal.scale() > 255
                || decimal.unscaledValue().bitLength() > 31) {
            throw new IllegalArgumentException("field '" + path + "' has the decimal " + decimal
                    + "; AMQP's have a scale from 0 to 255 and 32 bits without it");
        }
        return decimal;
    }

    private static List<@Nullable Object> copyList(String path, List<?> list, int depth) {
        if (depth > DEPTH_MAX) {
            throw new IllegalArgumentException("field '" + path + "' is nested deeper than " + DEPTH_MAX);
        }
        List<@Nullable Object> copy = new ArrayList<>(list.size());
        for (Object element : list) {
            copy.add(copyValue(path + "[]", element, depth));
        }
        return new CheckedList(copy);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldTable table && deepEquals(fields, table.fields);
    }

    private static boolean deepEquals(@Nullable Object left, @Nullable Object right) {
        if (left instanceof Map<?, ?> a && right instanceof Map<?, ?> b) {
            return a.size() == b.size()
                    && a.entrySet().stream()
                            .allMatch(e -> b.containsKey(e.getKey()) && deepEquals(e.getValue(), b.get(e.getKey())));
        }
        if (left instanceof List<?> a && right instanceof List<?> b) {
            return a.size() == b.size()
                    && java.util.stream.IntStream.range(0, a.size()).allMatch(i -> deepEquals(a.get(i), b.get(i)));
        }
        return Objects.deepEquals(left, right);
    }

    @Override
    public int hashCode() {
        return fields.keySet().hashCode();
    }

    @Override
    public String toString() {
        return fields.toString();
    }

    /** A table that holds what a field table may hold and never changes: it need not be copied again. */
    private static final class CheckedTable extends AbstractMap<String, Object> {

        private final Map<String, Object> fields;

        /** Takes the map over. */
        CheckedTable(Map<String, Object> fields) {
            this.fields = Collections.unmodifiableMap(fields);
        }

        @Override
        public @Nullable Object get(Object name) {
            return fields.get(name);
        }

        @Override
        public boolean containsKey(Object name) {
            return fields.containsKey(name);
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            return fields.entrySet();
        }
    }

    /** As {@link CheckedTable}, for lists. */
    private static final class CheckedList extends AbstractList<@Nullable Object> {

        private final List<@Nullable Object> elements;

        /** Takes the list over. */
        CheckedList(List<@Nullable Object> elements) {
            this.elements = elements;
        }

        @Override
        public @Nullable Object get(int index) {
            return elements.get(index);
        }

        @Override
        public int size() {
            return elements.size();
        }
    }
}
