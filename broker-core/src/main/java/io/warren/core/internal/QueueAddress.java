package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.queue.QueueRef;
import io.warren.core.spi.SettleVerb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue as this broker's channels use it, be it here or at another node. Any thread may call. */
abstract class QueueAddress implements QueueRef {

    private final String vhost;
    private final Queue definition;

    QueueAddress(String vhost, Queue definition) {
        this.vhost = vhost;
        this.definition = definition;
    }

    @Override
    public final String name() {
        return definition.name();
    }

    final String vhost() {
        return vhost;
    }

    final long id() {
        return definition.id();
    }

    final Queue definition() {
        return definition;
    }

    /** Whether it lives at another node. */
    abstract boolean isAway();

    /** Why nobody can use it now, or null. */
    abstract @Nullable AmqpError unavailable();

    /** Whether it may be deleted while nobody can use it. */
    boolean isDeletedUnasked() {
        return false;
    }

    // ---- what channels say

    abstract void publish(QueueUser publisher, long sequence, Message message);

    /** A dead letter arrives; {@code publish} waits for the answer, and is no client that credit could slow. */
    abstract void publishDeadLetter(QueueProcess source, @Nullable DeadLetterPublish publish, Message message);

    abstract void consume(QueueConsumer consumer);

    abstract void cancel(QueueConsumer consumer);

    abstract void credit(QueueConsumer consumer, int deliveries);

    abstract void permits(QueueUser channel);

    abstract void get(QueueUser channel, boolean acknowledges);

    abstract void settle(QueueUser channel, SettleVerb verb, List<QueueDelivery> deliveries);

    abstract void barrier(QueueUser channel, long sequence);

    abstract void channelClosed(QueueUser channel, Runnable done);

    abstract void declared(QueueUser channel);

    abstract void purge(QueueUser channel);

    abstract void delete(QueueUser channel, boolean ifUnused, boolean ifEmpty);

    // ---- what the topology says

    abstract void deleted();

    abstract void settings(QueueSettings settings);
}
