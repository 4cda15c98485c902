package io.warren.routing;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Field values as RabbitMQ's error texts show them: the names of their types and Erlang's notation of their values.
 *
 * <p>Clients and their tests match on these texts. A term that Erlang would break into several lines (beyond 80
 * columns) stays on one here.
 */
final class ErlangTerm {

    private ErlangTerm() {}

    static String typeOf(@Nullable Object value) {
        if (value == null) {
            return "void";
        }
        if (value instanceof String) {
            return "longstr";
        }
        if (value instanceof byte[]) {
            return "binary";
        }
        if (value instanceof Boolean) {
            return "bool";
        }
        if (value instanceof List) {
            return "array";
        }
        if (value instanceof Map) {
            return "table";
        }
        return value instanceof Number number ? typeOfNumber(number) : "timestamp";
    }

    private static String typeOfNumber(Number value) {
        if (value instanceof Byte) {
            return "byte";
        }
        if (value instanceof Short) {
            return "short";
        }
        if (value instanceof Integer) {
            return "signedint";
        }
        if (value instanceof Float) {
            return "float";
        }
        if (value instanceof Double) {
            return "double";
        }
        return value instanceof BigDecimal ? "decimal" : "long";
    }

    static String print(@Nullable Object value) {
        if (value == null) {
            return "undefined";
        }
        if (value instanceof String text) {
            return printBinary(text.getBytes(StandardCharsets.UTF_8));
        }
        if (value instanceof byte[] bytes) {
            return printBinary(bytes);
        }
        if (value instanceof List<?> array) {
            return array.stream()
                    .map(element -> "{" + typeOf(element) + "," + print(element) + "}")
                    .collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Map<?, ?> table) {
            return table.entrySet().stream()
                    .map(field -> "{" + print(field.getKey()) + "," + typeOf(field.getValue()) + ","
                            + print(field.getValue()) + "}")
                    .collect(Collectors.joining(",", "[", "]"));
        }
        return printScalar(value);
    }

    private static String printScalar(Object value) {
        if (value instanceof Double || value instanceof Float) {
            return Double.toString(((Number) value).doubleValue()).replace('E', 'e');
        }
        if (value instanceof BigDecimal decimal) {
            return "{" + decimal.scale() + "," + decimal.unscaledValue() + "}";
        }
        if (value instanceof Date date) {
            return Long.toString(date.toInstant().getEpochSecond());
        }
        return value instanceof Instant instant ? Long.toString(instant.getEpochSecond()) : value.toString();
    }

    /** Quoted if every byte is a printable character of Latin-1, else as numbers. */
    private static String printBinary(byte[] bytes) {
        if (bytes.length == 0) {
            return "<<>>";
        }
        StringBuilder text = new StringBuilder();
        StringBuilder numbers = new StringBuilder();
        boolean isPrintable = true;
        for (byte b : bytes) {
            int unsigned = Byte.toUnsignedInt(b);
            numbers.append(numbers.isEmpty() ? "" : ",").append(unsigned);
            isPrintable &= isPrintable(unsigned);
            text.append(escape((char) unsigned));
        }
        if (!isPrintable) {
            return "<<" + numbers + ">>";
        }
        // Erlang prints the bytes one by one; on the wire those of one character stand together again.
        String quoted = new String(text.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return "<<\"" + quoted + "\">>";
    }

    private static boolean isPrintable(int latin1) {
        boolean isControlWithEscape = (latin1 >= 8 && latin1 <= 13) || latin1 == 27;
        return isControlWithEscape || (latin1 >= 32 && latin1 <= 126) || latin1 >= 160;
    }

    private static String escape(char latin1) {
        return switch (latin1) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\b' -> "\\b";
            case '\t' -> "\\t";
            case '\n' -> "\\n";
            case 11 -> "\\v";
            case '\f' -> "\\f";
            case '\r' -> "\\r";
            case 27 -> "\\e";
            default -> String.valueOf(latin1);
        };
    }
}
