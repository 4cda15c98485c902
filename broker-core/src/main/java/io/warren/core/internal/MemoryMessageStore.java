package io.warren.core.internal;

import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.spi.MessageStore;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.QueueLogListener;
import io.warren.core.spi.Settlement;
import java.util.List;

/** Keeps nothing beyond the broker's life: a message in memory is as safe as it was promised to be. */
final class MemoryMessageStore implements MessageStore {

    private static final QueueLog LOG = new QueueLog() {
        @Override
        public long recover(Recovered to) {
            return 0;
        }

        @Override
        public boolean keepsBodies() {
            return false;
        }

        @Override
        public void publish(
                long offset, Message message, int priority, long expiresAtNs, boolean handOutExpected, boolean store) {
            // The backing queue holds it.
        }

        @Override
        public void store(long offset, Message message, int priority, long expiresAtNs) {
            throw new UnsupportedOperationException("bodies stay in memory");
        }

        @Override
        public void read(List<Long> offsets) {
            throw new UnsupportedOperationException("bodies stay in memory");
        }

        @Override
        public boolean mayHandOut(int priority, long offset, boolean survives) {
            return true;
        }

        @Override
        public void settle(long offset, Settlement why) {
            // Nothing outlives the broker.
        }

        @Override
        public void purge(long endOffset, List<Long> except) {
            // Nothing outlives the broker.
        }

        @Override
        public long safeOffset() {
            return Long.MAX_VALUE;
        }

        @Override
        public long barrier() {
            return 0;
        }

        @Override
        public long passedBarrier() {
            return Long.MAX_VALUE;
        }

        @Override
        public void delete() {
            // Nothing was kept.
        }
    };

    @Override
    public QueueLog openLog(String vhost, Queue queue, QueueLogListener listener) {
        return LOG;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
