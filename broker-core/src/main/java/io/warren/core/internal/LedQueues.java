package io.warren.core.internal;

import io.warren.core.metadata.QueueSettings;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The mirrored queues that this broker's node leads, by their ids. To channels here too they are {@link RemoteQueue}s. Thread-safe. */
final class LedQueues {

    private final Map<Long, QueueProcess> led = new ConcurrentHashMap<>();

    void begun(QueueProcess queue) {
        led.put(queue.id(), queue);
    }

    void ended(QueueProcess queue) {
        led.remove(queue.id(), queue);
    }

    @Nullable QueueProcess queue(long id) {
        return led.get(id);
    }

    void deleted(long id) {
        QueueProcess queue = led.remove(id);
        if (queue != null) {
            queue.deleted();
        }
    }

    void settings(long id, QueueSettings settings) {
        QueueProcess queue = led.get(id);
        if (queue != null) {
            queue.settings(settings);
        }
    }
}
