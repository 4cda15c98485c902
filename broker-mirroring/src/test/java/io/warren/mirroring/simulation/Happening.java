package io.warren.mirroring.simulation;

/** What happens to mirrored queues and their clients, and is counted. */
enum Happening {
    PUBLISHED,
    CONFIRMED,
    /** A publish was refused: by a limit, or below the least number in sync. */
    REFUSED,
    /** A publish came again and was known. */
    RECOGNISED,
    HANDED_OUT,
    REDELIVERED,
    ACKNOWLEDGED,
    REQUEUED,
    REJECTED,
    GOT,
    /** A channel heard that what it settled is safe. */
    BARRIER_PASSED,
    /** A channel was closed while its process went on. */
    CHANNEL_CLOSED,
    CONSUMER_CANCELLED,
    EXPIRED,
    /** A message went for want of room at the head of a queue. */
    DROPPED,
    PURGED,
    DEAD_LETTERED,
    /** A transient message went with all in-sync processes. */
    NOT_KEPT,
    SETTINGS_CHANGED,
    MODE_CHANGED,
    SYNC_ASKED,
    SYNC_CANCELLED,
    /** A member has taken over the tables of its master. */
    TABLES_TAKEN,
    /** Messages that were missing were put in. */
    FILLED,
    /** A member has come to miss nothing, of those that did. */
    SYNCHRONISED,
    /** A queue stood below its least number in sync, for good. */
    LIMIT_LOWERED,
    RESTARTED,
    PROMOTED,
    /** Messages were read that were on a disk only. */
    READ
}
