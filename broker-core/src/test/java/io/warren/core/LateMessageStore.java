package io.warren.core;

import io.warren.core.message.Message;
import io.warren.core.spi.MessageStore;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.Settlement;
import java.util.HashMap;
import java.util.Map;

/** A store in which messages become safe when the test says so, as after a force. */
final class LateMessageStore implements MessageStore {

    private final Map<String, Log> logs = new HashMap<>();

    @Override
    public QueueLog openLog(String vhost, String queue, boolean durable, Runnable onSafe) {
        Log log = new Log(onSafe);
        logs.put(queue, log);
        return log;
    }

    /** Everything that queue was given so far is safe. */
    void force(String queue) {
        Log log = logs.get(queue);
        log.safe = log.last;
        log.onSafe.run();
    }

    @Override
    public void close() {
        logs.clear();
    }

    private static final class Log implements QueueLog {

        final Runnable onSafe;
        long last = -1;
        long safe = -1;

        Log(Runnable onSafe) {
            this.onSafe = onSafe;
        }

        @Override
        public void publish(long offset, Message message, int priority, long expiresAtNs) {
            last = offset;
        }

        @Override
        public void handedOut(long offset) {
            // Not asked for by these tests.
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
