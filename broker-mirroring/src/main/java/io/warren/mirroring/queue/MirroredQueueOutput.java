package io.warren.mirroring.queue;

import io.warren.core.queue.DeathReason;
import java.util.List;

/** Everything a {@link MirroredQueue} can cause, besides what it says to the queue above through its listener. */
public interface MirroredQueueOutput {

    /**
     * Broadcast this entry to the group, behind all before it.
     *
     * @param persistent whether it has to be on disk at every in-sync member before it is stable
     * @return false if the ring has no room: it was not taken. The one answer that is read, for nobody else knows it
     */
    boolean broadcast(byte[] entry, boolean persistent);

    /** {@link MirroredQueue#onWake} is to be called soon, when what happens now is over. */
    void wakeSoon();

    /** This member leads the queue: a queue state is to be made above this, with new attachments. */
    void promoted(MirroredBackingQueue backing);

    /** This member leads the queue no more: what stands above the backing queue is void, and every attachment is over. */
    void demoted();

    /**
     * This member leads without messages that a master before had, which nobody who is up holds.
     *
     * @param messages so many that were not settled, about; -1 if it has not come to know how many there were
     */
    default void gaveUp(long messages) {}

    /**
     * Read the publishes of these messages, which are on the disk only, for the backing queue of that reign; {@link MirroredQueue#onRead} brings them.
     * Of a member without a disk nothing ever is.
     */
    default void read(long reign, List<Long> offsets) {
        throw new IllegalStateException("nothing is on a disk here");
    }

    /** These were put in where messages were missing: the disk has to have them, some of which it had for this member's state of before. */
    default void filled(List<byte[]> entries) {
        throw new IllegalStateException("nothing is on a disk here");
    }

    /**
     * Publish this message to the dead letter exchange now, as {@link ChannelId#ofQueue} with this number; when every queue has confirmed, the
     * queue state is told ({@code onDeadLettered}).
     */
    void deadLetter(long number, long offset, DeathReason reason);
}
