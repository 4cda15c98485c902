package io.warren.mirroring.group;

import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.RingMember;
import io.warren.mirroring.ring.RingOutput;
import io.warren.mirroring.ring.View;

/**
 * What a group's member causes at its own node: all of {@link RingOutput} but sending, which is the links' business.
 *
 * <p>Calls come in order, in the member's turns; none may wait.
 *
 * @param <P> type of the payload
 */
public interface GroupOutput<P> {

    /**
     * Write this entry at the end of the log, and report by {@link Group#onDurable} when it is forced; in a group whose entries are not
     * stored nothing needs to be done.
     */
    void append(Entry<P> entry);

    /** Remove the entries from this offset on from the end of the log; see {@link RingOutput#cut}. */
    void cut(long fromOffset);

    /** This payload entry is stable: apply it. */
    void deliver(Entry<P> entry);

    /** The sequence has reached the entry that opened this view's reign. */
    void viewInstalled(View view, long offset);

    /** What is known to be stable has grown to this offset. */
    void stable(long offset);

    /** Nobody in the ring will ask for entries up to this offset again. */
    void forget(long offset);

    /** Submit {@code MemberInSync} for this member in this epoch, again until its effect or a newer epoch shows. */
    void proposeInSync(long epoch, Member member);

    /** Submit {@code MemberLagging} for this member in this epoch, again until its effect or a newer epoch shows. */
    void proposeLagging(long epoch, Member member);

    /** The ring cannot bring this member up to date: synchronise it, then call {@link RingMember#onSynchronised}. */
    void lost(Position leftBegins);

    /**
     * The member found that it no longer understands its own state, and has stopped: it takes nothing in and sends nothing any more.
     * The others find it lagging.
     */
    void failed(Throwable failure);
}
