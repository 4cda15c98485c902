package io.warren.mirroring.link;

import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;

/**
 * One link, from its coming up to its going down: to one process, never to its next.
 *
 * <p>Any thread may send. What is sent to a link that has gone down is lost, silently: the listener hears of that, and nobody else
 * could tell it from what was under way.
 *
 * @param <P> payload of the ring's entries
 */
public interface Link<P> {

    /** Most of a group's bytes that wait at the sender because its receiver is slow; beyond that the group is refused. */
    long WAITING_BYTES_MAX = 64L << 20;

    /** The process at the other end. */
    Member peer();

    /** Where the other end takes links, as it says itself. */
    String address();

    /**
     * Sends a frame of a group's ring.
     *
     * @return false, and nothing was sent, when more than {@link #WAITING_BYTES_MAX} of this group wait already: the peer's member does
     *     not take in what it is sent. Whoever sends has to start again with the peer, for what it sends later would follow a gap
     */
    boolean send(String group, Frame<P> frame);

    /**
     * Sends a message of another kind, in order with this group's frames.
     *
     * @param type from 0 to 255, agreed between the users at both ends
     * @param body not changed any more; at most the link's largest frame
     * @return as of a frame; but an empty message is taken even where there is no room, so that a group can say that it starts again
     */
    boolean send(String group, int type, byte[] body);

    /**
     * Sends a message whatever waits already: for whoever has limits of its own, and cannot start again at any point.
     *
     * @throws IllegalArgumentException as of the others, if the message is larger than the link's largest frame
     */
    void sendAnyway(String group, int type, byte[] body);

    /**
     * The receiver has processed so much of what came for a group: the peer may send as much again.
     *
     * @param bytes as the listener was told
     */
    void giveBack(String group, int bytes);

    /**
     * When the last heartbeat that the peer is known to have received was sent, on this node's clock in ns. A lease counts from here:
     * whatever the peer decided after it heard that heartbeat, it decided later.
     */
    long answeredNs();

    /** Ends the link. Both ends hear that it is down; it is dialled again if its node is kept. */
    void cut();
}
