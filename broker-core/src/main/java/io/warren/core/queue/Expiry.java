package io.warren.core.queue;

import io.warren.core.message.Expiration;
import io.warren.core.message.Message;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.spi.BackingQueue;

/** When a message expires: the smaller of the queue's and its own time to live, counted from its arrival. */
final class Expiry {

    private Expiry() {}

    static long atNs(Message message, QueueSettings settings, long nowNs) {
        String expiration = message.properties().expiration();
        long ttlNs = settings.messageTtlNs();
        if (expiration != null) {
            ttlNs = Math.min(ttlNs, QueueSettings.msToNs(Expiration.ms(expiration)));
        }
        return ttlNs == QueueSettings.NO_TTL ? BackingQueue.NEVER : saturatedSum(nowNs, ttlNs);
    }

    static long saturatedSum(long nowNs, long durationNs) {
        long sum = nowNs + durationNs;
        return sum < nowNs ? BackingQueue.NEVER : sum;
    }
}
