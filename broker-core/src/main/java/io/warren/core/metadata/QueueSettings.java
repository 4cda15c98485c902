package io.warren.core.metadata;

import org.jspecify.annotations.Nullable;

/**
 * What arguments and policies together ask of a queue; replaced as a whole when a policy changes.
 *
 * @param vhost its virtual host, for texts
 * @param name its name, for texts and x-death
 * @param autoDelete deleted when the last consumer leaves
 * @param singleActiveConsumer one consumer at a time gets messages
 * @param priorityMax x-max-priority, 0 for a queue without priorities
 * @param messageTtlNs time to live in the queue, or {@link #NO_TTL}
 * @param expiresNs x-expires, or {@link #NO_TTL}
 * @param limit length limits
 * @param deadLetterExchange where dead messages go, or null
 * @param deadLetterRoutingKey the key they go with, or null for their own
 * @param deduplication window of message ids that are not enqueued twice, or null
 * @param lazy queue-mode lazy: bodies on disk only, where there is one
 */
public record QueueSettings(
        String vhost,
        String name,
        boolean autoDelete,
        boolean singleActiveConsumer,
        int priorityMax,
        long messageTtlNs,
        long expiresNs,
        LengthLimit limit,
        @Nullable String deadLetterExchange,
        @Nullable String deadLetterRoutingKey,
        @Nullable DeduplicationLimits deduplication,
        boolean lazy) {

    /** No time to live. */
    public static final long NO_TTL = Long.MAX_VALUE;

    private static final long NS_PER_MS = 1_000_000;

    /** A queue without any argument. */
    public static QueueSettings plain(String vhost, String name) {
        return new QueueSettings(
                vhost, name, false, false, 0, NO_TTL, NO_TTL, LengthLimit.NONE, null, null, null, false);
    }

    /** Milliseconds as nanoseconds; what a long cannot hold (292 years) counts as no limit. */
    public static long msToNs(long ms) {
        return ms > NO_TTL / NS_PER_MS ? NO_TTL : ms * NS_PER_MS;
    }

    public boolean hasDeadLetterExchange() {
        return deadLetterExchange != null;
    }
}
