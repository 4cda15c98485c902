package io.warren.core.internal;

import io.warren.core.message.Message;

/** A publish on its way to a mirrored queue, which may have come before. */
final class NumberedPublish extends Mailbox.Entry {

    final HomeChannel publisher;
    final long sequence;
    final long firstOpen;
    final Message message;
    private final QueueProcess queue;

    NumberedPublish(QueueProcess queue, HomeChannel publisher, long sequence, long firstOpen, Message message) {
        this.queue = queue;
        this.publisher = publisher;
        this.sequence = sequence;
        this.firstOpen = firstOpen;
        this.message = message;
    }

    @Override
    void run() {
        queue.numbered(this);
    }
}
