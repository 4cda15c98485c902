package io.warren.core.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Something for the writer to do, in the order it was handed in. The entry is the node of the writer's inbox. */
abstract class LogEntry {

    @Nullable LogEntry next;

    /** Called by the writer. */
    abstract void write(LogWriter writer) throws IOException;

    /** Bytes it keeps in memory until it is written. */
    long pendingBytes() {
        return 0;
    }

    /** The store has stopped: it will never be written. */
    void dropped() {
        // Nobody is told: who waits for a confirm waits for ever, and the broker has said why.
    }
}
