package io.warren.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The test that one binding of a headers exchange puts to a message, made from the binding's arguments.
 *
 * <p>The argument {@code x-match} says how many of the others must match: {@code all} (the default, which nothing also
 * fulfils) or {@code any} (at least one, so without others none). Arguments that begin with {@code x-} are left out,
 * unless it is {@code all-with-x} or {@code any-with-x}; {@code x-match} itself never counts.
 *
 * <p>A void argument matches any value of that header, void too. Other values match by value: integers of every width,
 * floating point numbers and timestamps as numbers (1 matches 1.0), a string its bytes in UTF-8, never a string a
 * number. Inside arrays and tables types count too: an int there does not match a long. All as RabbitMQ 3.10 does it,
 * but for two things: in nested tables we do not compare the order of fields, and RabbitMQ closes the connection over
 * a NaN.
 */
public final class HeadersMatch {

    private static final String X_MATCH = "x-match";

    private final boolean isAny;
    private final List<Field> fields;

    HeadersMatch(Map<String, ? extends @Nullable Object> arguments) {
        Object mode = arguments.get(X_MATCH);
        // A mode that is none counts as "all", as in RabbitMQ; whoever declares bindings asks invalidReason first.
        this.isAny = "any".equals(mode) || "any-with-x".equals(mode);
        boolean isWithX = "all-with-x".equals(mode) || "any-with-x".equals(mode);
        List<Field> counting = new ArrayList<>();
        arguments.forEach((name, value) -> {
            if (!name.equals(X_MATCH) && (isWithX || !name.startsWith("x-"))) {
                counting.add(new Field(name, FieldValue.comparable(value)));
            }
        });
        this.fields = List.copyOf(counting);
    }

    /**
     * Why a headers exchange refuses these binding arguments, in RabbitMQ's words (reply code 406), or null if it takes
     * them.
     */
    public static @Nullable String invalidReason(Map<String, ?> arguments) {
        Object mode = arguments.get(X_MATCH);
        if (mode == null && !arguments.containsKey(X_MATCH)) {
            return null;
        }
        if (!(mode instanceof String name)) {
            return "Invalid x-match field type " + ErlangTerm.typeOf(mode) + " (value " + ErlangTerm.print(mode)
                    + "); expected longstr";
        }
        return switch (name) {
            case "all", "any", "all-with-x", "any-with-x" -> null;
            default ->
                "Invalid x-match field value " + ErlangTerm.print(name)
                        + "; expected all, any, all-with-x, or any-with-x";
        };
    }

    boolean matches(Map<String, ?> headers) {
        for (Field field : fields) {
            if (field.matches(headers) == isAny) {
                return isAny;
            }
        }
        return !isAny;
    }

    /** One argument that counts; a void one has the value null. */
    private record Field(String name, @Nullable Object value) {

        boolean matches(Map<String, ?> headers) {
            if (value == null) {
                return headers.containsKey(name);
            }
            Object header = headers.get(name);
            return header != null && Objects.equals(value, FieldValue.comparable(header));
        }
    }
}
