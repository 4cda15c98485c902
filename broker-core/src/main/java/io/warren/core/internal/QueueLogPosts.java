package io.warren.core.internal;

import io.warren.core.message.Message;
import io.warren.core.queue.LocalBackingQueue;
import io.warren.core.spi.BackingQueueListener;
import io.warren.core.spi.QueueLogListener;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Brings a log's answers, which come on threads of the store, into the mailbox of its queue. */
final class QueueLogPosts implements QueueLogListener {

    private final BackingQueueListener queue;
    private final Consumer<Runnable> mailbox;
    private @Nullable LocalBackingQueue backing;

    QueueLogPosts(BackingQueueListener queue, Consumer<Runnable> mailbox) {
        this.queue = queue;
        this.mailbox = mailbox;
    }

    /** Set before the queue asks the log for anything, so before any answer. */
    void deliverTo(LocalBackingQueue backingQueue) {
        backing = backingQueue;
    }

    private LocalBackingQueue backing() {
        return Objects.requireNonNull(backing);
    }

    @Override
    public void onSafe() {
        // The queue's own listener posts already.
        queue.onSafe();
    }

    @Override
    public void onStored(List<Long> offsets) {
        mailbox.accept(() -> backing().onStored(offsets));
    }

    @Override
    public void onHandOutAllowed() {
        mailbox.accept(() -> backing().onHandOutAllowed());
    }

    @Override
    public void onRead(List<Long> offsets, List<Message> messages) {
        mailbox.accept(() -> backing().onRead(offsets, messages));
    }
}
