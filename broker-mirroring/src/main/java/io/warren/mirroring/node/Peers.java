package io.warren.mirroring.node;

import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.ring.Member;
import java.util.Map;

/**
 * One node's links to the others: the port behind which the network stands.
 *
 * <p>A link carries what is sent in order, and each frame once, or it is lost as a whole: both ends then hear of it. Heartbeats are the
 * link's own business; what they say can be asked here.
 */
public interface Peers extends AutoCloseable {

    /** No sign of life yet. */
    long NEVER = Long.MIN_VALUE;

    /** What a link brings. Called one at a time for each node, in order, by the network's threads; must not block. */
    interface Listener {

        /** There is a link to that process. */
        void onUp(Member peer);

        /** There is no link to it any more; of what was sent some may not have arrived. */
        void onDown(Member peer);

        /** The node refused to be linked to: the process that was there has ended. */
        void onRefused(Member peer);

        void onFrame(Member from, AttachmentFrame frame);
    }

    /** Who has groups over these links; said before {@link #open}. Peers without groups leave it out. */
    default void host(LinkedPeers.GroupHost host) {}

    /**
     * Begins to link, as this process.
     *
     * @param self this node in its incarnation, which its peers are told
     */
    void open(Member self, Listener listener);

    /**
     * The nodes to be linked with from now on, this one left out: a link is kept with each.
     *
     * @param addresses where they take links, by name
     */
    void know(Map<String, String> addresses);

    /**
     * Sends a frame to a process; without a link to it nothing happens, for the listener was told or will be. Does not block.
     *
     * @throws IllegalArgumentException if its message is larger than what nodes pass on to each other; nothing was sent
     */
    void send(Member to, AttachmentFrame frame);

    /** Whether there is a link to a process of that node. */
    boolean isLinked(String node);

    /** Ends the link to a process, if there is one: it does not belong to the cluster any more, and has to notice. */
    void cut(Member peer);

    /** Time has passed; once a heartbeat period. */
    void onTick(long nowNs);

    /** When the last sign of life of a node came, or {@link #NEVER}. */
    long heardNs(String node);

    /** When the last heartbeat was sent that a node has answered, or {@link #NEVER}. */
    long answeredNs(String node);

    @Override
    void close();
}
