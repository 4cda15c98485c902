package io.warren.mirroring.mirror;

import io.warren.core.spi.Ticker;
import java.util.function.LongPredicate;

/**
 * Whether this node has its lease, asked before every word to a client and looked up a few times in each heartbeat period: the lease lasts three
 * periods, and whoever is silent for four is declared down, so what this is late by is within the fourth. Any thread.
 */
final class LeaseWatch {
    private static final int LOOKS_PER_PERIOD = 16;

    private final LongPredicate lease;
    private final Ticker ticker;
    private final long lookNs;
    private volatile long heldUntilNs = Long.MIN_VALUE;

    LeaseWatch(LongPredicate lease, Ticker ticker, long periodNs) {
        this.lease = lease;
        this.ticker = ticker;
        lookNs = periodNs / LOOKS_PER_PERIOD;
    }

    boolean isHeld() {
        long nowNs = ticker.nowNs();
        if (heldUntilNs != Long.MIN_VALUE && nowNs - heldUntilNs < 0) {
            return true;
        }
        boolean held = lease.test(nowNs);
        heldUntilNs = held ? nowNs + lookNs : Long.MIN_VALUE;
        return held;
    }
}
