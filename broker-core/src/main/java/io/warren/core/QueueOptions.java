package io.warren.core;

import io.warren.core.message.FieldTable;
import io.warren.core.message.ShortString;
import io.warren.core.metadata.Overflow;
import io.warren.core.metadata.QueueDefinition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A queue to declare. Immutable: every method returns a changed copy. Argument methods are named without {@code x-}. */
public final class QueueOptions {

    private final QueueDefinition definition;
    private final boolean exclusive;

    private QueueOptions(QueueDefinition definition, boolean exclusive) {
        this.definition = definition;
        this.exclusive = exclusive;
    }

    /**
     * A queue that ends with the broker.
     *
     * @throws IllegalArgumentException for a name of more than 255 bytes
     */
    public static QueueOptions named(String name) {
        return new QueueOptions(
                new QueueDefinition(ShortString.check("queue name", name), false, false, null, FieldTable.EMPTY),
                false);
    }

    /** A queue that survives a restart of a broker with a data directory. */
    public static QueueOptions durable(String name) {
        QueueDefinition named = named(name).definition;
        return new QueueOptions(new QueueDefinition(named.name(), true, false, null, FieldTable.EMPTY), false);
    }

    /** A queue the broker names, as the answer to the declare tells. */
    public static QueueOptions serverNamed() {
        return named("");
    }

    /** It belongs to this connection and ends with it. */
    public QueueOptions exclusive() {
        return new QueueOptions(definition, true);
    }

    /** It is deleted when its last consumer leaves. */
    public QueueOptions autoDelete() {
        return new QueueOptions(
                new QueueDefinition(definition.name(), definition.durable(), true, null, definition.arguments()),
                exclusive);
    }

    /** Messages expire so long after they arrived; zero for those that nobody can take at once. */
    public QueueOptions messageTtl(Duration ttl) {
        return argument("x-message-ttl", ttl.toMillis());
    }

    /** It is deleted when it was without consumers, gets and declares for so long. */
    public QueueOptions expires(Duration unused) {
        return argument("x-expires", unused.toMillis());
    }

    /** Most ready messages. */
    public QueueOptions maxLength(long messages) {
        return argument("x-max-length", messages);
    }

    /** Most body bytes of ready messages. */
    public QueueOptions maxLengthBytes(long bytes) {
        return argument("x-max-length-bytes", bytes);
    }

    /** What is done when a length limit leaves no room. */
    public QueueOptions overflow(Overflow overflow) {
        return argument("x-overflow", overflow.argument());
    }

    /** Where rejected, expired and dropped messages go. */
    public QueueOptions deadLetterExchange(String exchange) {
        return argument("x-dead-letter-exchange", exchange);
    }

    /** The key dead messages go with, in place of their own. */
    public QueueOptions deadLetterRoutingKey(String routingKey) {
        return argument("x-dead-letter-routing-key", routingKey);
    }

    /** It orders messages by priorities from 0 to this, at most 255. */
    public QueueOptions maxPriority(int priority) {
        return argument("x-max-priority", priority);
    }

    /** One consumer at a time is served; the next takes over when it leaves. */
    public QueueOptions singleActiveConsumer() {
        return argument("x-single-active-consumer", true);
    }

    /** Messages whose id was seen lately are confirmed and not enqueued; see x-deduplication-header. */
    public QueueOptions deduplication(int idsMax, Duration age) {
        return argument("x-message-deduplication", true)
                .argument("x-cache-size", idsMax)
                .argument("x-cache-ttl", age.toMillis());
    }

    /** Sets an argument by its name on the wire. */
    public QueueOptions argument(String name, @Nullable Object value) {
        return new QueueOptions(
                new QueueDefinition(
                        definition.name(),
                        definition.durable(),
                        definition.autoDelete(),
                        null,
                        definition.arguments().with(name, value)),
                exclusive);
    }

    QueueDefinition definition() {
        return definition;
    }

    boolean isExclusive() {
        return exclusive;
    }
}
