package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;

/** When a message expires: the smaller of the queue's and its own time to live, counted from its arrival. */
public final class Expiry {

    private static final long NS_PER_MS = 1_000_000;

    private Expiry() {}

    static long atNs(Message message, QueueSettings settings, long nowNs) {
        String expiration = message.properties().expiration();
        long ttlNs = settings.messageTtlNs();
        if (expiration != null) {
            ttlNs = Math.min(ttlNs, msToNs(Long.parseLong(expiration)));
        }
        return ttlNs == QueueSettings.NO_TTL ? BackingQueue.NEVER : saturatedSum(nowNs, ttlNs);
    }

    /** Milliseconds as nanoseconds; what a long cannot hold (292 years) counts as no limit. */
    public static long msToNs(long ms) {
        return ms > QueueSettings.NO_TTL / NS_PER_MS ? QueueSettings.NO_TTL : ms * NS_PER_MS;
    }

    static long saturatedSum(long nowNs, long durationNs) {
        long sum = nowNs + durationNs;
        return sum < nowNs ? BackingQueue.NEVER : sum;
    }
}
