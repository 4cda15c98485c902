package io.warren.test.contract;

import java.util.Map;

/** A queue as it is declared; immutable, each method gives a changed copy. */
public record QueueSpec(
        String name, boolean isDurable, boolean isExclusive, boolean isAutoDelete, Map<String, Object> arguments) {

    /** Copies the arguments; a value may be null, AMQP's void. */
    public QueueSpec {
        arguments = Arguments.copy(arguments);
    }

    /** A transient queue that any connection may use. */
    public static QueueSpec queue(String name) {
        return new QueueSpec(name, false, false, false, Map.of());
    }

    /** A queue whose name the broker chooses; exclusive, as is usual for them. */
    public static QueueSpec serverNamed() {
        return queue("").exclusive();
    }

    /** Survives a restart of the broker. */
    public QueueSpec durable() {
        return new QueueSpec(name, true, isExclusive, isAutoDelete, arguments);
    }

    /** Belongs to the connection that declares it. */
    public QueueSpec exclusive() {
        return new QueueSpec(name, isDurable, true, isAutoDelete, arguments);
    }

    /** Goes with its last consumer. */
    public QueueSpec autoDelete() {
        return new QueueSpec(name, isDurable, isExclusive, true, arguments);
    }

    /** With one more argument. */
    public QueueSpec argument(String argument, Object value) {
        return new QueueSpec(name, isDurable, isExclusive, isAutoDelete, Arguments.with(arguments, argument, value));
    }

    /** Messages live so long at most. */
    public QueueSpec messageTtl(int milliseconds) {
        return argument("x-message-ttl", milliseconds);
    }

    /** What dies here is published to that exchange. */
    public QueueSpec deadLetterExchange(String exchange) {
        return argument("x-dead-letter-exchange", exchange);
    }

    /** What dies here is published with that routing key. */
    public QueueSpec deadLetterRoutingKey(String routingKey) {
        return argument("x-dead-letter-routing-key", routingKey);
    }

    /** What dies here goes straight to that queue, through the default exchange. */
    public QueueSpec deadLetterTo(String queue) {
        return deadLetterExchange("").deadLetterRoutingKey(queue);
    }
}
