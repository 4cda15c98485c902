package io.warren.core.spi;

/** What a client says of deliveries it holds. */
public enum SettleVerb {
    /** They were dealt with. */
    ACK,
    /** They go back to their places. */
    REQUEUE,
    /** They are dead-lettered or forgotten. */
    REJECT
}
