package io.warren.mirroring.raft;

import io.warren.mirroring.metadata.MetadataState;
import io.warren.mirroring.metadata.format.LogEntry;
import io.warren.mirroring.metadata.format.StateBytes;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Puts the state with which a log begins into a log that is empty and has one voter, this node. */
final class Founding {
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final RaftSettings settings;
    private final RaftEngine engine;

    Founding(RaftSettings settings, RaftEngine engine) {
        this.settings = settings;
        this.engine = engine;
    }

    /** Returns when the state is committed and applied here; waits first until this node leads, which is a matter of its election timeout. */
    void begin(long logId, MetadataState state) throws IOException {
        long waits = settings.electionTimeout().plus(settings.patience()).toNanos() * 2 / WAIT_NS;
        for (long wait = 0; !engine.leads(logId); wait++) {
            if (wait > waits || Thread.currentThread().isInterrupted()) {
                throw new IOException("this node does not get to lead the log it founds, id=" + logId);
            }
            LockSupport.parkNanos(WAIT_NS);
        }
        long number = Long.MAX_VALUE / 4;
        for (byte[] part : LogEntry.ofState(StateBytes.of(state), RaftProps.PART_BYTES)) {
            put(logId, ++number, part);
        }
    }

    private void put(long logId, long number, byte[] entry) throws IOException {
        try {
            engine.send(logId, settings.node(), number, entry)
                    .get(settings.patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while founding a log", interrupted);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException("the state of a new log was not committed", failed);
        }
    }
}
