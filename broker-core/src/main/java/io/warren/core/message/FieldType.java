package io.warren.core.message;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names RabbitMQ's texts give to the types of field values, and how it writes values there. */
public final class FieldType {

    private FieldType() {}

    /** The type name of a value; void for null. */
    public static String nameOf(@Nullable Object value) {
        if (value instanceof String || value instanceof OpaqueString) {
            return "longstr";
        }
        if (value instanceof Number) {
            return numberName(value);
        }
        if (value instanceof Boolean) {
            return "bool";
        }
        if (value instanceof Instant) {
            return "timestamp";
        }
        if (value instanceof Map) {
            return "table";
        }
        if (value instanceof List) {
            return "array";
        }
        return value == null ? "void" : "binary";
    }

    private static String numberName(Object value) {
        if (value instanceof Integer) {
            return "signedint";
        }
        if (value instanceof Long) {
            return "long";
        }
        if (value instanceof Short) {
            return "short";
        }
        if (value instanceof Byte) {
            return "byte";
        }
        if (value instanceof Float) {
            return "float";
        }
        if (value instanceof Unsigned unsigned) {
            return unsigned.width().typeName();
        }
        return value instanceof BigDecimal ? "decimal" : "double";
    }

    /** Whether it is an integer of any width. */
    public static boolean isInteger(@Nullable Object value) {
        return value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Unsigned;
    }
}
