package io.warren.core.queue;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The consumers that may be given a message, by priority and in turn within a priority.
 *
 * <p>A blocked consumer is not in it, so a queue with a thousand blocked consumers searches nothing per message.
 */
final class ReadyConsumers {

    private final TreeMap<Integer, ArrayDeque<QueueConsumer>> levels = new TreeMap<>(Comparator.reverseOrder());

    /** Puts a consumer at the end of its priority's turn, unless it stands there already. */
    void add(QueueConsumer consumer) {
        if (!consumer.queued) {
            consumer.queued = true;
            levels.computeIfAbsent(consumer.priority(), priority -> new ArrayDeque<>())
                    .addLast(consumer);
        }
    }

    void remove(QueueConsumer consumer) {
        if (consumer.queued) {
            consumer.queued = false;
            ArrayDeque<QueueConsumer> level = levels.get(consumer.priority());
            if (level != null && level.remove(consumer) && level.isEmpty()) {
                levels.remove(consumer.priority());
            }
        }
    }

    /** Puts back a consumer that was polled and not served: it is its turn still. */
    void addFirst(QueueConsumer consumer) {
        consumer.queued = true;
        levels.computeIfAbsent(consumer.priority(), priority -> new ArrayDeque<>())
                .addFirst(consumer);
    }

    boolean isEmpty() {
        for (ArrayDeque<QueueConsumer> level : levels.values()) {
            if (!level.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Takes the consumer whose turn it is, or null. Emptied levels stay, for the next turn is likely theirs. */
    @Nullable QueueConsumer poll() {
        for (ArrayDeque<QueueConsumer> level : levels.values()) {
            QueueConsumer consumer = level.pollFirst();
            if (consumer != null) {
                consumer.queued = false;
                return consumer;
            }
        }
        return null;
    }
}
