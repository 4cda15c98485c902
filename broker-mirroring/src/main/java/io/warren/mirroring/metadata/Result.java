package io.warren.mirroring.metadata;

/** What became of a submitted command. */
public enum Result {
    /** It is in the log and its effect, or an equal one from before, holds. */
    APPLIED,
    /** It is in the log and changed nothing, because what it relied on is no longer so. */
    REFUSED,
    /**
     * Nobody can say: the leader changed. It may be in the log, get there later, or never. Submit it again each detection time
     * until its effect or a newer epoch shows.
     */
    UNKNOWN
}
