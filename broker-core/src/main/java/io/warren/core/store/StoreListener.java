package io.warren.core.store;

/** What a store says about itself, on a thread of its own. */
public interface StoreListener {

    /** The store has stopped for good: nothing is confirmed any more. */
    void onStopped(String reason, Throwable failure);

    /** The disk is nearly full, or has room again. */
    void onDiskLow(boolean low, long freeBytes);

    /** More was handed in than could be written, or it is written. */
    void onBehind(boolean behind);
}
