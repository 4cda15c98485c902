package io.warren.core.metadata;

import io.warren.core.message.FieldTable;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it was declared.
 *
 * @param owner the connection an exclusive queue belongs to and ends with, or null
 * @param arguments as given, those without effect included
 * @param home the node whose process the queue is, which a cluster decides when it is declared, and of a mirrored queue again when
 *     its master changes ({@link Relocation}); null where there is one broker only. Nothing a declare compares
 */
public record QueueDefinition(
        String name,
        boolean durable,
        boolean autoDelete,
        @Nullable String owner,
        FieldTable arguments,
        @Nullable String home) {

    /** A queue whose home is not decided. */
    public QueueDefinition(
            String name, boolean durable, boolean autoDelete, @Nullable String owner, FieldTable arguments) {
        this(name, durable, autoDelete, owner, arguments, null);
    }

    /** The same queue, at a node. */
    public QueueDefinition at(String node) {
        return new QueueDefinition(name, durable, autoDelete, owner, arguments, node);
    }

    public boolean isExclusive() {
        return owner != null;
    }
}
