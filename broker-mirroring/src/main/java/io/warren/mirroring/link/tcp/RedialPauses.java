package io.warren.mirroring.link.tcp;

import java.time.Duration;

/**
 * How long one end waits before it dials again. The first pause is short, and each is twice the last, up to a limit.
 *
 * <p>A link that has lasted as long as the limit begins anew. One that was cut as soon as it was there counts as an attempt that failed:
 * where one end wants no link, the two would make one after the other without a pause otherwise.
 */
final class RedialPauses {
    /** A process that is being killed closes its sockets one after the other, the listening one perhaps last: most have within this. */
    static final long FIRST_MS = 2;

    private final long longestMs;
    private long nextMs = FIRST_MS;

    RedialPauses(Duration longest) {
        longestMs = longest.toMillis();
    }

    /** An attempt has failed. */
    long afterAttempt() {
        long pauseMs = nextMs;
        nextMs = Math.min(2 * nextMs, longestMs);
        return pauseMs;
    }

    /** A link is gone; 0 if it may be dialled at once. */
    long afterLink(Duration lasted) {
        if (lasted.toMillis() < longestMs) {
            return afterAttempt();
        }
        nextMs = FIRST_MS;
        return 0;
    }
}
