package io.warren.core;

import io.warren.core.message.FieldTable;
import io.warren.core.message.ShortString;
import io.warren.core.spi.ChannelSession.Consume;
import org.jspecify.annotations.Nullable;

/** A consumer to start. Immutable: every method returns a changed copy. */
public final class ConsumeOptions {

    private final String queue;
    private final String tag;
    private final boolean autoAck;
    private final boolean exclusive;
    private final FieldTable arguments;

    private ConsumeOptions(String queue, String tag, boolean autoAck, boolean exclusive, FieldTable arguments) {
        this.queue = queue;
        this.tag = tag;
        this.autoAck = autoAck;
        this.exclusive = exclusive;
        this.arguments = arguments;
    }

    /** A consumer of that queue, that acknowledges; an empty name stands for the queue declared last. */
    public static ConsumeOptions of(String queue) {
        return new ConsumeOptions(queue, "", false, false, FieldTable.EMPTY);
    }

    /** Its tag, unique on the channel; without, the broker makes one. */
    public ConsumeOptions tag(String consumerTag) {
        return new ConsumeOptions(queue, ShortString.check("consumer tag", consumerTag), autoAck, exclusive, arguments);
    }

    /** Messages count as acknowledged when they are handed out. */
    public ConsumeOptions autoAck() {
        return new ConsumeOptions(queue, tag, true, exclusive, arguments);
    }

    /** No other consumer is let in; refused (403) if there is one. */
    public ConsumeOptions exclusive() {
        return new ConsumeOptions(queue, tag, autoAck, true, arguments);
    }

    /** Served before consumers of lower priority; 0 without. */
    public ConsumeOptions priority(int priority) {
        return argument("x-priority", priority);
    }

    /** Sets an argument by its name on the wire. */
    public ConsumeOptions argument(String name, @Nullable Object value) {
        return new ConsumeOptions(queue, tag, autoAck, exclusive, arguments.with(name, value));
    }

    Consume consume() {
        return new Consume(queue, tag, autoAck, exclusive, arguments);
    }
}
