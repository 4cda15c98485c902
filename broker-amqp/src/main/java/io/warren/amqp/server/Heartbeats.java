package io.warren.amqp.server;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Heartbeats both ways: the peer hears something every half interval, and one silent for two intervals is gone.
 *
 * <p>Counts ticks of a quarter of an interval instead of reading a clock: what was written just after a tick is noticed
 * at the next, and the heartbeat follows one later. Ticks of half an interval, as RabbitMQ has them, let a whole interval
 * pass at first, and the RabbitMQ Java client over Netty gives up at that very moment. Owned by the event loop.
 */
final class Heartbeats {

    private static final int TICKS_PER_INTERVAL = 4;

    /** Silence after which the peer is given up, as the protocol says: two intervals. */
    private static final int SILENT_TICKS_MAX = 2 * TICKS_PER_INTERVAL;

    /** What a tick may find or do. */
    interface Line {

        /** Whether anything was sent since the last tick. */
        boolean hasWritten();

        /** Whether the peer is not listened to, so that its silence means nothing. */
        boolean isPaused();

        void sendHeartbeat();

        void giveUp();
    }

    private final Line line;
    private @Nullable Future<?> timer;
    private int silentTicks;

    Heartbeats(Line line) {
        this.line = line;
    }

    void start(EventExecutor loop, int intervalSeconds) {
        stop();
        if (intervalSeconds > 0) {
            long tickMs = TimeUnit.SECONDS.toMillis(intervalSeconds) / TICKS_PER_INTERVAL;
            timer = loop.scheduleAtFixedRate(this::tick, tickMs, tickMs, TimeUnit.MILLISECONDS);
        }
    }

    private void tick() {
        if (line.isPaused()) {
            silentTicks = 0;
        } else if (++silentTicks > SILENT_TICKS_MAX) {
            stop();
            line.giveUp();
            return;
        }
        if (!line.hasWritten()) {
            line.sendHeartbeat();
            // The heartbeat itself is no reason to leave out the next.
            line.hasWritten();
        }
    }

    /** Something came. */
    void onRead() {
        silentTicks = 0;
    }

    void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
