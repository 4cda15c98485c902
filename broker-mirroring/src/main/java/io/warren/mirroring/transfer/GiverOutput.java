package io.warren.mirroring.transfer;

import io.warren.mirroring.ring.Member;
import java.util.List;

/** Everything a {@link Giver} can cause. */
public interface GiverOutput {

    /** Send this to a member's node; it may be lost. */
    void send(String node, TransferFrame.ToMember frame);

    /**
     * A state is to be given to a member: read the ring's firm position and its table of senders in its turn, then, behind all that it had
     * delivered, the queue's state up to there, and call {@link Giver#onState}.
     */
    void readState(String node, int attempt);

    /**
     * These messages of the state that goes to a member are on the disk only: read them, and call {@link Giver#onRead}. Of a queue that is in memory
     * nothing ever is.
     */
    default void read(String node, int attempt, List<Long> offsets) {
        throw new IllegalStateException("nothing is on a disk here");
    }

    /** Nothing is missing at this member: submit what the ring proposed, again until its effect or a newer epoch shows. */
    void proposeInSync(long epoch, Member member);
}
