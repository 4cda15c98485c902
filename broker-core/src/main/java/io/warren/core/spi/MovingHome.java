package io.warren.core.spi;

import java.util.List;

/**
 * Where a mirrored queue lives now: at its master's node, which changes while it is used. Asked by any thread, without a lock.
 *
 * <p>While it moves it is available: what channels say meanwhile waits for the next master.
 */
public interface MovingHome {

    /** Whether somebody leads the queue, or will as soon as it has moved; false while no node runs that holds it. */
    boolean isAvailable();

    /** The master's node; the last one while there is none. */
    String node();

    /** The nodes with further copies, oldest first. */
    List<String> slaves();

    /** Those of {@link #slaves()} that hold everything. */
    List<String> synchronisedSlaves();
}
