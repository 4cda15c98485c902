package io.warren.mirroring.ring;

/**
 * How far this member's log is durable: every persistent entry up to there is forced to disk.
 *
 * <p>A transient entry does not wait, so durable runs ahead of what was forced over transient entries, up to the next persistent
 * one. After a start nothing counts as forced, however old it is: what the process finds on disk may still be in a cache. Nor
 * does forgetting an entry force it: of what lies below the base nobody knows any more which were transient, so all of it waits.
 */
final class Durability {
    private final Log<?> log;
    private long forced;
    private long durable;

    Durability(Log<?> log) {
        this.log = log;
    }

    /** Highest offset that counts as durable, never above the last of the log. */
    long durable() {
        durable = Math.max(durable, forced);
        while (durable >= log.base().offset()
                && durable < log.lastOffset()
                && !log.at(durable + 1).persistent()) {
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

    /** The log was replaced by another member's state, which is on disk. */
    void onReplaced() {
        forced = log.base().offset();
        durable = forced;
    }
}
