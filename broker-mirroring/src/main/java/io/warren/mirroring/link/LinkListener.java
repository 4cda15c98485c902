package io.warren.mirroring.link;

import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;

/**
 * What a node hears from its links.
 *
 * <p>One call at a time, in order, and never waiting: whoever has work to do posts it. Of each peer: up, then frames, messages and
 * heartbeats, then down; and up again only after that.
 *
 * @param <P> payload of the ring's entries
 */
public interface LinkListener<P> {

    /** Both ends know each other's name and incarnation, and have proved that they belong to the same cluster. */
    void onUp(Link<P> link);

    void onDown(Link<P> link, DownReason reason);

    /**
     * A process that was linked is dead: its link is down, and where it listened nobody does any more. Heard once after a link went
     * down; perhaps never, when the machine is gone too or cannot be reached.
     */
    void onRefused(Member peer);

    /**
     * An address that was sought ({@link Links#seek}) did not lead to a link.
     *
     * @param why for people
     */
    void onUnreached(String address, String why);

    /**
     * A frame of a group's ring.
     *
     * @param bytes to be given back when it is processed ({@link Link#giveBack}), or the peer will stop sending for this group
     */
    void onFrame(Link<P> link, String group, Frame<P> frame, int bytes);

    /** A message of another kind; {@code bytes} as of a frame. */
    void onMessage(Link<P> link, String group, int type, byte[] body, int bytes);

    /** A heartbeat, with the values that the peer last gave ({@link Links#tell}); none before it gave any. */
    void onHeartbeat(Link<P> link, long[] values);
}
