package io.warren.test.contract;

import java.util.Map;

/** A subscription as it is asked for; immutable, each method gives a changed copy. */
public record ConsumeSpec(
        String queue, String tag, boolean isNoAck, boolean isExclusive, Map<String, Object> arguments) {

    /** Copies the arguments; a value may be null, AMQP's void. */
    public ConsumeSpec {
        arguments = Arguments.copy(arguments);
    }

    /** A consumer that acknowledges, with a tag of the broker's choice. */
    public static ConsumeSpec from(String queue) {
        return new ConsumeSpec(queue, "", false, false, Map.of());
    }

    /** With this consumer tag. */
    public ConsumeSpec tag(String consumerTag) {
        return new ConsumeSpec(queue, consumerTag, isNoAck, isExclusive, arguments);
    }

    /** Deliveries need no acknowledgement. */
    public ConsumeSpec noAck() {
        return new ConsumeSpec(queue, tag, true, isExclusive, arguments);
    }

    /** No other consumer may be on the queue. */
    public ConsumeSpec exclusive() {
        return new ConsumeSpec(queue, tag, isNoAck, true, arguments);
    }

    /** With one more argument. */
    public ConsumeSpec argument(String argument, Object value) {
        return new ConsumeSpec(queue, tag, isNoAck, isExclusive, Arguments.with(arguments, argument, value));
    }

    /** With a consumer priority. */
    public ConsumeSpec priority(int priority) {
        return argument("x-priority", priority);
    }
}
