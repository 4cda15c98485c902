package io.warren.test.contract;

import java.util.Map;

/** An exchange as it is declared; immutable, each method gives a changed copy. */
public record ExchangeSpec(
        String name,
        String type,
        boolean isDurable,
        boolean isAutoDelete,
        boolean isInternal,
        Map<String, Object> arguments) {

    /** Copies the arguments; a value may be null, AMQP's void. */
    public ExchangeSpec {
        arguments = Arguments.copy(arguments);
    }

    /** A transient exchange of any type. */
    public static ExchangeSpec exchange(String name, String type) {
        return new ExchangeSpec(name, type, false, false, false, Map.of());
    }

    /** A transient direct exchange. */
    public static ExchangeSpec direct(String name) {
        return exchange(name, "direct");
    }

    /** A transient fanout exchange. */
    public static ExchangeSpec fanout(String name) {
        return exchange(name, "fanout");
    }

    /** A transient topic exchange. */
    public static ExchangeSpec topic(String name) {
        return exchange(name, "topic");
    }

    /** A transient headers exchange. */
    public static ExchangeSpec headers(String name) {
        return exchange(name, "headers");
    }

    /** Survives a restart of the broker. */
    public ExchangeSpec durable() {
        return new ExchangeSpec(name, type, true, isAutoDelete, isInternal, arguments);
    }

    /** Goes with the last binding from it. */
    public ExchangeSpec autoDelete() {
        return new ExchangeSpec(name, type, isDurable, true, isInternal, arguments);
    }

    /** Takes messages from other exchanges only. */
    public ExchangeSpec internal() {
        return new ExchangeSpec(name, type, isDurable, isAutoDelete, true, arguments);
    }

    /** With one more argument. */
    public ExchangeSpec argument(String argument, Object value) {
        return new ExchangeSpec(
                name, type, isDurable, isAutoDelete, isInternal, Arguments.with(arguments, argument, value));
    }

    /** With an alternate exchange for what finds no route. */
    public ExchangeSpec alternate(String exchange) {
        return argument("alternate-exchange", exchange);
    }
}
