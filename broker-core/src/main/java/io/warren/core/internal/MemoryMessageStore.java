package io.warren.core.internal;

import io.warren.core.message.Message;
import io.warren.core.spi.MessageStore;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.Settlement;

/** Keeps nothing beyond the broker's life: a message in memory is as safe as it was promised to be. */
final class MemoryMessageStore implements MessageStore {

    private static final QueueLog LOG = new QueueLog() {
        @Override
        public void publish(long offset, Message message, int priority, long expiresAtNs) {
            // The backing queue holds it.
        }

        @Override
        public void handedOut(long offset) {
            // Nothing outlives the broker.
        }

        @Override
        public void settle(long offset, Settlement why) {
            // Nothing outlives the broker.
        }

        @Override
        public long safeOffset() {
            return Long.MAX_VALUE;
        }

        @Override
        public void delete() {
            // Nothing was kept.
        }
    };

    @Override
    public QueueLog openLog(String vhost, String queue, boolean durable, Runnable onSafe) {
        return LOG;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
