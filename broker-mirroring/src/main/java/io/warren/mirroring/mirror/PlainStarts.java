package io.warren.mirroring.mirror;

import io.warren.core.spi.LocalQueues;
import io.warren.core.spi.ReleasedQueue;
import io.warren.mirroring.ring.View;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Queues that ran at this node by themselves and whose groups begin with what they held, until they are led. Thread-safe.
 *
 * <p>The queue stops, is read, and only then this node has a member of its group, which is the only one in sync. Others wait meanwhile.
 */
final class PlainStarts {

    private static final class Row {
        private @Nullable ReleasedQueue released;
        private Mirror.@Nullable Start start;
        private boolean isLed;
        private boolean isKept;
    }

    private final Map<Long, Row> rows = new HashMap<>();
    private final Consumer<MirroredHome> ready;
    private volatile @Nullable LocalQueues local;

    /** @param ready the group of a queue can begin here */
    PlainStarts(Consumer<MirroredHome> ready) {
        this.ready = ready;
    }

    /** The broker is there. */
    void serve(LocalQueues queues) {
        local = queues;
    }

    /** Whether a queue still runs here by itself, or has stopped and is not led yet. */
    boolean isComing(MirroredHome home) {
        LocalQueues queues = local;
        return queues != null
                && queues.runsByItself(
                        home.vhost(), home.queue().name(), home.queue().id());
    }

    /**
     * Before this node has a member of a queue's group.
     *
     * @return whether that has to wait, because the queue ran here by itself and is not read yet
     */
    boolean begin(LocalQueues queues, MirroredHome home, View view) {
        long id = home.queue().id();
        synchronized (rows) {
            Row known = rows.get(id);
            if (known != null || !isComing(home)) {
                return known != null && known.start == null;
            }
            rows.put(id, new Row());
        }
        queues.release(id, released -> read(home, view, queues, released));
        return true;
    }

    private void read(MirroredHome home, View view, LocalQueues queues, ReleasedQueue released) {
        released.read(new PlainStart(home.queue(), view.reign(), queues.ticker(), start -> {
            synchronized (rows) {
                Row row = rows.get(home.queue().id());
                if (row == null) {
                    return;
                }
                row.released = released;
                row.start = start;
            }
            ready.accept(home);
        }));
    }

    /**
     * What this node's member of the group knows at first, if the disk does not know better.
     *
     * @param isStored whether the member is to be on the disk before the queue's own log may go
     */
    Mirror.Start start(MirroredHome home, View view, boolean isStored) {
        synchronized (rows) {
            Row row = rows.get(home.queue().id());
            if (row == null) {
                return Mirror.Start.EMPTY;
            }
            row.isKept = !isStored;
            return Objects.requireNonNull(row.start);
        }
    }

    /** The queue is led here. */
    void onLed(long queueId) {
        synchronized (rows) {
            Row row = rows.get(queueId);
            if (row != null) {
                row.isLed = true;
            }
        }
        takeIfReady(queueId);
    }

    /** What its member began with is on this node's disk. */
    void onKept(long queueId) {
        synchronized (rows) {
            Row row = rows.get(queueId);
            if (row != null) {
                row.isKept = true;
            }
        }
        takeIfReady(queueId);
    }

    /** Its group holds what it held. */
    private void takeIfReady(long queueId) {
        ReleasedQueue released;
        synchronized (rows) {
            Row row = rows.get(queueId);
            if (row == null || !row.isLed || !row.isKept) {
                return;
            }
            rows.remove(queueId);
            released = row.released;
        }
        if (released != null) {
            released.taken();
        }
    }

    void forget(long queueId) {
        synchronized (rows) {
            rows.remove(queueId);
        }
    }
}
