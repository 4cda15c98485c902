package io.warren.core;

import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.spi.MessageStore;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.QueueLogListener;
import io.warren.core.spi.Settlement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A store in which messages become safe when the test says so, as after a force. */
final class LateMessageStore implements MessageStore {

    private final Map<String, Log> logs = new HashMap<>();

    @Override
    public QueueLog openLog(String vhost, Queue queue, QueueLogListener listener) {
        Log log = new Log(() -> listener.onSafe());
        logs.put(queue.name(), log);
        return log;
    }

    /** Everything that queue was given so far is safe. */
    void force(String queue) {
        makeSafe(queue);
        logs.get(queue).onSafe.run();
    }

    /** As {@link #force}, but who has to know of it is told by the caller. */
    void makeSafe(String queue) {
        Log log = logs.get(queue);
        log.safe = log.last;
        log.passedBarrier = log.lastBarrier;
    }

    @Override
    public void close() {
        logs.clear();
    }

    private static final class Log implements QueueLog {

        final Runnable onSafe;
        long last = -1;
        long safe = -1;
        long lastBarrier;
        long passedBarrier;

        Log(Runnable onSafe) {
            this.onSafe = onSafe;
        }

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
            last = offset;
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
        public void purge(long endOffset, List<Long> except) {
            // Not asked for by these tests.
        }

        @Override
        public long barrier() {
            return ++lastBarrier;
        }

        @Override
        public long passedBarrier() {
            return passedBarrier;
        }

        @Override
        public void settle(long offset, Settlement why) {
            // Not asked for by these tests.
        }

        @Override
        public long safeOffset() {
            return safe;
        }

        @Override
        public void delete() {
            safe = last;
        }
    }
}
