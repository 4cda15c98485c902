package io.warren.core.queue;

import io.warren.core.message.Message;
import org.jspecify.annotations.Nullable;

/** Deliveries for the tests of those who are given them. */
public final class Deliveries {

    private Deliveries() {}

    public static QueueDelivery delivery(
            QueueRef queue, Message message, boolean redelivered, @Nullable QueueConsumer consumer) {
        return new QueueDelivery(queue, 0, message, redelivered, consumer);
    }
}
