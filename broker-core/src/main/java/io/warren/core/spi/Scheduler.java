package io.warren.core.spi;

/** Timers on the broker's {@link Ticker}. */
public interface Scheduler {

    /** Runs the task once, at the time or soon after; a time that has passed is now. */
    Timer at(long atNs, Runnable task);

    /** A task that waits. */
    interface Timer {

        /** It will not run, unless it has begun to. */
        void cancel();
    }
}
