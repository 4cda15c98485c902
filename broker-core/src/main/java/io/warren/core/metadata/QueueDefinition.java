package io.warren.core.metadata;

import io.warren.core.message.FieldTable;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it was declared.
 *
 * @param owner the connection an exclusive queue belongs to and ends with, or null
 * @param arguments as given, those without effect included
 */
public record QueueDefinition(
        String name, boolean durable, boolean autoDelete, @Nullable String owner, FieldTable arguments) {

    public boolean isExclusive() {
        return owner != null;
    }
}
