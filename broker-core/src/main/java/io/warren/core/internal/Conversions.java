package io.warren.core.internal;

import io.warren.core.spi.ReleasedQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Queues that ran here by themselves and are mirrored from now on, until their groups hold what they held. Thread-safe. */
final class Conversions {

    private static final class Row {
        private final QueueProcess process;
        private @Nullable ReleasedQueue released;
        private @Nullable Consumer<ReleasedQueue> to;

        Row(QueueProcess process) {
            this.process = process;
        }
    }

    private final Map<Long, Row> rows = new HashMap<>();

    /** The queue has a successor, which channels cannot find yet. */
    void add(QueueProcess process) {
        synchronized (rows) {
            rows.put(process.id(), new Row(process));
        }
    }

    /** Channels can find the successor by now. */
    void begin(QueueProcess process) {
        process.stop(released -> stopped(process.id(), released));
    }

    private void stopped(long id, ReleasedQueue released) {
        ReleasedQueue row = new Taken(id, released);
        Consumer<ReleasedQueue> to;
        synchronized (rows) {
            Row waiting = rows.get(id);
            if (waiting == null) {
                return;
            }
            waiting.released = row;
            to = waiting.to;
        }
        if (to != null) {
            to.accept(row);
        }
    }

    /** The group of the queue can begin. */
    void release(long id, Consumer<ReleasedQueue> to) {
        ReleasedQueue released = null;
        synchronized (rows) {
            Row row = rows.get(id);
            if (row != null && row.to == null) {
                row.to = to;
                released = row.released;
            }
        }
        if (released != null) {
            to.accept(released);
        }
    }

    boolean has(long id) {
        synchronized (rows) {
            return rows.containsKey(id);
        }
    }

    void deleted(long id) {
        Row row;
        synchronized (rows) {
            row = rows.remove(id);
        }
        if (row != null) {
            row.process.deleted();
        }
    }

    /** Forgets the row when the group has taken over. */
    private final class Taken implements ReleasedQueue {
        private final long id;
        private final ReleasedQueue queue;

        Taken(long id, ReleasedQueue queue) {
            this.id = id;
            this.queue = queue;
        }

        @Override
        public void read(Reader reader) {
            queue.read(reader);
        }

        @Override
        public void taken() {
            synchronized (rows) {
                rows.remove(id);
            }
            queue.taken();
        }
    }
}
