package io.warren.mirroring.transfer;

import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import java.util.Map;

/** Everything a {@link Taker} can cause. */
public interface TakerOutput {

    /** Send this to the master's node; it may be lost. */
    void send(String node, TransferFrame.ToMaster frame);

    /**
     * Begin anew from this state. In the ring's turn: if it wants this position, it is told {@code onSynchronised}, and a new queue is made of
     * the state. Then {@link Taker#onTaken}, in any case, and before anything else the ring causes.
     *
     * @param senders the ring's table that goes with the position
     * @param tables what is known up to there, but for the messages
     */
    void takeTables(Position upTo, Map<Member, Long> senders, ReplicaSnapshot tables);

    /** So many of the messages that are to come have come. */
    void progress(int taken, int all);

    /** Of a member whose queue is stored: force to disk all that was put in, and call {@link Taker#onKept}. */
    default void keep() {
        throw new IllegalStateException("only what is stored can be kept");
    }

    /** Nothing is missing here any more. */
    void complete();

    /** What came could not be read; it is asked for again. */
    void spoiled(String why);
}
