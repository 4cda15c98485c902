package io.warren.core.spi;

import java.time.Instant;

/** The broker's time: a monotonic clock for everything that lasts, a wall clock for what is written down. */
public interface Ticker {

    /** Nanoseconds that never go back; their zero means nothing. */
    long nowNs();

    /** Time of day, for x-death and the like. */
    Instant now();
}
