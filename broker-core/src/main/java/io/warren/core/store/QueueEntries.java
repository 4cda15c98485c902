package io.warren.core.store;

import io.warren.core.message.Message;
import java.io.IOException;
import java.util.List;

/** What a queue hands to the writer: each is the node of the inbox, and calls its queue back in the writer's thread. */
final class QueueEntries {

    private QueueEntries() {}

    static final class Publish extends LogEntry {

        final DurableQueueLog queue;
        final long offset;
        final Message message;
        final int priority;
        final long expiresAtNs;
        final int flags;
        final boolean store;

        Publish(
                DurableQueueLog queue,
                long offset,
                Message message,
                int priority,
                long expiresAtNs,
                int flags,
                boolean store) {
            this.queue = queue;
            this.offset = offset;
            this.message = message;
            this.priority = priority;
            this.expiresAtNs = expiresAtNs;
            this.flags = flags;
            this.store = store;
        }

        @Override
        void write(LogWriter writer) throws IOException {
            queue.published(this);
        }

        @Override
        long pendingBytes() {
            return LogWriter.ENTRY_BYTES + (long) message.bodyBytes();
        }
    }

    static final class Settle extends LogEntry {

        final DurableQueueLog queue;
        final long offset;

        Settle(DurableQueueLog queue, long offset) {
            this.queue = queue;
            this.offset = offset;
        }

        @Override
        void write(LogWriter writer) {
            queue.settled(offset);
        }
    }

    static final class Purge extends LogEntry {

        final DurableQueueLog queue;
        final long endOffset;
        final List<Long> except;

        Purge(DurableQueueLog queue, long endOffset, List<Long> except) {
            this.queue = queue;
            this.endOffset = endOffset;
            this.except = except;
        }

        @Override
        void write(LogWriter writer) throws IOException {
            queue.purged(this);
        }
    }

    static final class HandOut extends LogEntry {

        final DurableQueueLog queue;
        final int priority;
        final long upTo;

        HandOut(DurableQueueLog queue, int priority, long upTo) {
            this.queue = queue;
            this.priority = priority;
            this.upTo = upTo;
        }

        @Override
        void write(LogWriter writer) throws IOException {
            queue.handedOut(priority, upTo);
        }
    }

    static final class Barrier extends LogEntry {

        final DurableQueueLog queue;
        final long number;

        Barrier(DurableQueueLog queue, long number) {
            this.queue = queue;
            this.number = number;
        }

        @Override
        void write(LogWriter writer) {
            queue.barrierAsked(number);
        }
    }

    static final class Delete extends LogEntry {

        final DurableQueueLog queue;

        Delete(DurableQueueLog queue) {
            this.queue = queue;
        }

        @Override
        void write(LogWriter writer) {
            queue.deleted();
        }
    }
}
