package io.warren.amqp.server;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Heartbeats both ways: one is sent when nothing was for half an interval, and a peer silent for two intervals is gone.
 *
 * <p>Counts ticks of half an interval instead of reading a clock. Owned by the event loop.
 */
final class Heartbeats {

    /** Half intervals of silence after which the peer is given up. */
    private static final int SILENT_TICKS_MAX = 4;

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
            long halfMs = TimeUnit.SECONDS.toMillis(intervalSeconds) / 2;
            timer = loop.scheduleAtFixedRate(this::tick, halfMs, halfMs, TimeUnit.MILLISECONDS);
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
