package io.warren.core;

import io.warren.core.message.FieldTable;
import io.warren.core.message.ShortString;
import io.warren.core.metadata.ExchangeType;
import io.warren.core.spi.ChannelSession.ExchangeDeclare;
import org.jspecify.annotations.Nullable;

/** An exchange to declare. Immutable: every method returns a changed copy. */
public final class ExchangeOptions {

    private final String name;
    private final String type;
    private final boolean durable;
    private final boolean autoDelete;
    private final boolean internal;
    private final FieldTable arguments;

    private ExchangeOptions(
            String name, String type, boolean durable, boolean autoDelete, boolean internal, FieldTable arguments) {
        this.name = name;
        this.type = type;
        this.durable = durable;
        this.autoDelete = autoDelete;
        this.internal = internal;
        this.arguments = arguments;
    }

    /** An exchange whose bindings match by the whole routing key. */
    public static ExchangeOptions direct(String name) {
        return ofType(name, ExchangeType.DIRECT.typeName());
    }

    /** An exchange whose bindings match everything. */
    public static ExchangeOptions fanout(String name) {
        return ofType(name, ExchangeType.FANOUT.typeName());
    }

    /** An exchange whose bindings are patterns over the words of the routing key. */
    public static ExchangeOptions topic(String name) {
        return ofType(name, ExchangeType.TOPIC.typeName());
    }

    /** An exchange whose bindings match by headers. */
    public static ExchangeOptions headers(String name) {
        return ofType(name, ExchangeType.HEADERS.typeName());
    }

    /**
     * An exchange of a type by name; an unknown one is refused when it is declared (503).
     *
     * @throws IllegalArgumentException for a name of more than 255 bytes
     */
    public static ExchangeOptions ofType(String name, String type) {
        return new ExchangeOptions(
                ShortString.check("exchange name", name), type, false, false, false, FieldTable.EMPTY);
    }

    /** It survives a restart of a broker with a data directory. */
    public ExchangeOptions durable() {
        return new ExchangeOptions(name, type, true, autoDelete, internal, arguments);
    }

    /** It is deleted when the last binding from it goes. */
    public ExchangeOptions autoDelete() {
        return new ExchangeOptions(name, type, durable, true, internal, arguments);
    }

    /** Clients cannot publish to it; other exchanges can be bound to it. */
    public ExchangeOptions internal() {
        return new ExchangeOptions(name, type, durable, autoDelete, true, arguments);
    }

    /** Where messages go that no binding matches. */
    public ExchangeOptions alternateExchange(String exchange) {
        return argument("alternate-exchange", exchange);
    }

    /** Sets an argument by its name on the wire. */
    public ExchangeOptions argument(String argument, @Nullable Object value) {
        return new ExchangeOptions(name, type, durable, autoDelete, internal, arguments.with(argument, value));
    }

    ExchangeDeclare declare() {
        return new ExchangeDeclare(name, type, durable, autoDelete, internal, arguments);
    }
}
