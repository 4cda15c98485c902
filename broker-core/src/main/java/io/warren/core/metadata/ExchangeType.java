package io.warren.core.metadata;

import io.warren.routing.Router;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How an exchange matches a message with its bindings. */
public enum ExchangeType {
    /** The routing key equals the binding key. */
    DIRECT("direct", Router::direct),
    /** Every binding matches. */
    FANOUT("fanout", Router::fanout),
    /** Words of the key against a pattern with {@code *} and {@code #}. */
    TOPIC("topic", Router::topic),
    /** Headers against the binding's arguments. */
    HEADERS("headers", Router::headers),
    /** As fanout, for messages whose id it has not seen lately; named as RabbitMQ's de-duplication plugin names it. */
    DEDUPLICATION("x-message-deduplication", Router::fanout);

    private final String typeName;
    private final Supplier<Router<Destination>> router;

    ExchangeType(String typeName, Supplier<Router<Destination>> router) {
        this.typeName = typeName;
        this.router = router;
    }

    /** The name a declare gives. */
    public String typeName() {
        return typeName;
    }

    Router<Destination> emptyRouter() {
        return router.get();
    }

    /** The type of that name, or null. */
    public static @Nullable ExchangeType named(String typeName) {
        for (ExchangeType type : values()) {
            if (type.typeName.equals(typeName)) {
                return type;
            }
        }
        return null;
    }
}
