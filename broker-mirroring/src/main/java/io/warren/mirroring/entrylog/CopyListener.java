package io.warren.mirroring.entrylog;

/** The member whose copy is written. Called by the log's thread; must not wait. */
public interface CopyListener {

    /**
     * Everything up to this offset is forced.
     *
     * @param cuts how often the copy had been cut when that was written: a report from before a cut says nothing of what came since
     */
    void onDurable(long offset, long cuts);

    /** The log wants to know the copy's state, so that old files can go: {@link Copy#capture}, then {@link Copy#state}. */
    void onStateWanted();

    /** Nothing is written any more. */
    void onFailed(Throwable failure);
}
