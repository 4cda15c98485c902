package io.warren.mirroring.ring;

import java.util.Arrays;

/**
 * Tells who has not kept up, in one view.
 *
 * <p>For each member the master notes where its own log ended when the member last caught up. A member that has not reached
 * that point within the limit lags: it may move, but it falls behind faster than it moves. A member outside the in-sync set has
 * further to go, so any progress counts for it.
 */
final class LagWatch {
    private final long limitNs;
    private final long[] target;
    private final long[] before;
    private final long[] sinceNs;
    private final boolean[] told;

    LagWatch(int memberCount, long limitNs) {
        this.limitNs = limitNs;
        target = new long[memberCount];
        before = new long[memberCount];
        sinceNs = new long[memberCount];
        told = new boolean[memberCount];
        Arrays.fill(sinceNs, Long.MIN_VALUE);
    }

    /** Looks at one member; true when it has lagged for the limit. */
    boolean isLagging(int place, long held, boolean needed, long lastOffset, long nowNs) {
        boolean started = sinceNs[place] == Long.MIN_VALUE;
        boolean caughtUp = held >= target[place] || (!needed && held > before[place]);
        before[place] = Math.max(before[place], held);
        if (started || caughtUp) {
            target[place] = lastOffset;
            sinceNs[place] = nowNs;
            return false;
        }
        return nowNs - sinceNs[place] > limitNs;
    }

    /** True the first time for each member. */
    boolean tellOnce(int place) {
        boolean first = !told[place];
        told[place] = true;
        return first;
    }
}
