package io.warren.core.queue;

import org.jspecify.annotations.Nullable;

/**
 * What one channel holds of a queue: its unacknowledged deliveries, oldest first.
 *
 * <p>A list threaded through the deliveries themselves, so that handing out and settling allocate and search nothing.
 */
final class Attachment {

    private @Nullable QueueDelivery first;
    private @Nullable QueueDelivery last;

    void add(QueueDelivery delivery) {
        delivery.attachment = this;
        delivery.previous = last;
        if (last == null) {
            first = delivery;
        } else {
            last.next = delivery;
        }
        last = delivery;
    }

    void remove(QueueDelivery delivery) {
        QueueDelivery before = delivery.previous;
        QueueDelivery after = delivery.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        delivery.previous = null;
        delivery.next = null;
        delivery.attachment = null;
    }

    @Nullable QueueDelivery first() {
        return first;
    }
}
