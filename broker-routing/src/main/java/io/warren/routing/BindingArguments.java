package io.warren.routing;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a binding, copied and frozen, as the part of its identity that they are in RabbitMQ.
 *
 * <p>Equal by content and type, see {@link FieldValue#freeze}.
 */
final class BindingArguments {

    private static final BindingArguments NONE = new BindingArguments(Map.of());

    private final Map<String, @Nullable Object> fields;

    private BindingArguments(Map<String, @Nullable Object> fields) {
        this.fields = fields;
    }

    static BindingArguments of(Map<String, ?> arguments) {
        return arguments.isEmpty() ? NONE : new BindingArguments(FieldValue.freezeTable(arguments));
    }

    /** The frozen fields; not to be changed. */
    Map<String, @Nullable Object> fields() {
        return fields;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BindingArguments that && fields.equals(that.fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    @Override
    public String toString() {
        return fields.toString();
    }
}
