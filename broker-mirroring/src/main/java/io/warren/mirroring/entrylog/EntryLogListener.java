package io.warren.mirroring.entrylog;

/** What a log of entries says about itself, on its thread. */
public interface EntryLogListener {

    /** It has stopped for good: nothing is forced, and so nothing confirmed, any more. */
    void onStopped(Throwable failure);
}
