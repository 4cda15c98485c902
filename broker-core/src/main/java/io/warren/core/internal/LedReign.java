package io.warren.core.internal;

import io.warren.core.message.Message;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.queue.DeathReason;
import io.warren.core.queue.QueueState;
import io.warren.core.spi.Reign;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a queue process has to do with the other copies of its queue, for the reign in which it leads them. Owned by the queue's mailbox.
 *
 * <p>Holds one row for each dead letter of which the other copies do not know yet.
 */
final class LedReign {

    private record Dying(Message message, String exchange, @Nullable String routingKey) {}

    private final QueueProcess queue;
    private final BrokerWiring wiring;
    private final Reign reign;
    private final Map<Long, Dying> dying = new HashMap<>();
    private QueueSettings settings;
    private boolean isOver;

    LedReign(QueueProcess queue, BrokerWiring wiring, Reign reign, QueueSettings settings) {
        this.queue = queue;
        this.wiring = wiring;
        this.reign = reign;
        this.settings = settings;
    }

    boolean isOver() {
        return isOver;
    }

    void settings(QueueSettings changed) {
        settings = changed;
    }

    void end() {
        isOver = true;
        dying.clear();
    }

    void onPublish(NumberedPublish publish, QueueState state) {
        HomeChannel publisher = publish.publisher;
        long sequence = publish.sequence;
        switch (reign.onPublish(publisher.out(), sequence, publish.firstOpen)) {
            case TAKE -> {
                state.onPublish(publisher, sequence, publish.message, wiring.nowNs());
                reign.published();
            }
            case CONFIRM -> state.onBarrier(publisher, sequence);
            case REFUSE -> publisher.publishRejected(sequence);
            case DROP -> {
                return;
            }
        }
        publisher.publishTaken();
    }

    /** A message is to be dead-lettered, when the other copies know of it. */
    void deadLetter(long offset, Message message, DeathReason reason, String exchange, @Nullable String routingKey) {
        dying.put(offset, new Dying(message, exchange, routingKey));
        reign.deadLetter(offset, reason.withoutExchange());
    }

    /** They know; one that an earlier master began goes where the queue's settings say now. */
    void publishDeadLetter(long number, long offset, DeathReason reason, Supplier<Message> inherited) {
        Dying known = dying.remove(offset);
        if (known != null) {
            publish(number, offset, reason, known.message(), known.exchange(), known.routingKey());
            return;
        }
        String exchange = settings.deadLetterExchange();
        if (exchange == null) {
            queue.deadLettered(offset);
        } else {
            publish(number, offset, reason, inherited.get(), exchange, settings.deadLetterRoutingKey());
        }
    }

    private void publish(
            long number,
            long offset,
            DeathReason reason,
            Message message,
            String exchange,
            @Nullable String routingKey) {
        wiring.deadLetters().publish(queue, number, offset, message, reason, exchange, routingKey);
    }
}
