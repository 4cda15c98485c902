package io.warren.mirroring.ring;

/**
 * How far this member's log is durable: every persistent entry up to there is forced to disk.
 *
 * <p>A transient entry does not wait, so durable runs ahead of what was forced over transient entries, up to the next persistent
 * one. After a start nothing counts as forced, however old it is: what the process finds on disk may still be in a cache.
 */
final class Durability {
    private final Log<?> log;
    private long forced;
    private long durable;

    Durability(Log<?> log) {
        this.log = log;
        forced = log.base().offset();
        durable = forced;
    }

    /** Highest offset that counts as durable, never above the last of the log. */
    long durable() {
        while (durable < log.lastOffset()
                && (durable < forced || !log.at(durable + 1).persistent())) {
            durable++;
        }
        return durable;
    }

    void onForced(long offset) {
        forced = Math.max(forced, Math.min(offset, log.lastOffset()));
    }

    /** Entries from here on are gone; what comes in their place has to be forced anew. */
    void onCut(long fromOffset) {
        forced = Math.min(forced, fromOffset - 1);
        durable = Math.min(durable, fromOffset - 1);
    }

    /** The base has moved up: whatever lies below it needs no forcing any more. */
    void onBase() {
        forced = Math.max(forced, log.base().offset());
        durable = Math.max(durable, log.base().offset());
    }
}
