package io.warren.mirroring.ring;

/**
 * Everything a {@link RingMember} can cause.
 *
 * <p>The shell implements it, obeys and decides nothing; no method returns anything. Calls come in order, on the thread of the
 * input that caused them, and must not call back into the member.
 *
 * @param <P> type of the payload
 */
public interface RingOutput<P> {
    /** Send a frame to this node. If the link goes down first, the frame may be lost. */
    void send(String node, Frame<P> frame);

    /** Write this entry at the end of the log, and report by {@link RingMember#onDurable} when it is forced. */
    void append(Entry<P> entry);

    /**
     * Remove the entries from this offset on from the end of the log. None of them was delivered, except transient ones when
     * the group carried on from disk: those the application takes back.
     */
    void cut(long fromOffset);

    /** This payload entry is stable: apply it. */
    void deliver(Entry<P> entry);

    /** The sequence has reached the entry that opened this view's reign: every member comes here at the same point. */
    void viewInstalled(View view, long offset);

    /** What is known to be stable has grown to this offset. */
    void stable(long offset);

    /** Nobody in the ring will ask for entries up to this offset again. */
    void forget(long offset);

    /** Submit {@code MemberInSync} for this member in this epoch, again until its effect or a newer epoch shows. */
    void proposeInSync(long epoch, Member member);

    /** Submit {@code MemberLagging} for this member in this epoch, again until its effect or a newer epoch shows. */
    void proposeLagging(long epoch, Member member);

    /**
     * The left no longer holds what comes after the end of this log: the ring cannot bring this member up to date. Synchronise
     * it from the master, up to this position at least, and call {@link RingMember#onSynchronised}.
     */
    void lost(Position leftBegins);
}
