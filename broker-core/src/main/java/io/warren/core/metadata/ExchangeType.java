package io.warren.core.metadata;

import io.warren.routing.Router;
import org.jspecify.annotations.Nullable;

/** How an exchange matches a message with its bindings. */
public enum ExchangeType {
    /** The routing key equals the binding key. */
    DIRECT("direct"),
    /** Every binding matches. */
    FANOUT("fanout"),
    /** Words of the key against a pattern with {@code *} and {@code #}. */
    TOPIC("topic"),
    /** Headers against the binding's arguments. */
    HEADERS("headers"),
    /** As fanout, for messages whose id it has not seen lately; named as RabbitMQ's de-duplication plugin names it. */
    DEDUPLICATION("x-message-deduplication");

    private final String typeName;

    ExchangeType(String typeName) {
        this.typeName = typeName;
    }

    /** The name a declare gives. */
    public String typeName() {
        return typeName;
    }

    Router<Destination> emptyRouter() {
        return switch (this) {
            case DIRECT -> Router.direct();
            case FANOUT, DEDUPLICATION -> Router.fanout();
            case TOPIC -> Router.topic();
            case HEADERS -> Router.headers();
        };
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
