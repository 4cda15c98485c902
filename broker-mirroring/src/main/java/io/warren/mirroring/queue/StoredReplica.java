package io.warren.mirroring.queue;

import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Position;

/** A replica that is made from what a disk holds, before its process has a {@link MirroredQueue}. What is applied stays on the disk only. */
public final class StoredReplica {
    private final Replica replica;

    /**
     * A replica.
     *
     * @param snapshot what is known of the queue up to an entry
     * @param upTo that entry
     */
    public StoredReplica(ReplicaSnapshot snapshot, Position upTo) {
        replica = new Replica(snapshot, upTo);
        replica.state().page(Integer.MAX_VALUE);
    }

    /** The next entry of the log, stable or not. */
    public void onEntry(Entry<byte[]> entry) {
        if (entry.payload() == null) {
            replica.onView(entry.position());
        } else {
            replica.onDelivered(entry);
        }
    }

    /**
     * The log was cut from there on.
     *
     * @return false if some of that is in the state, which is void then
     */
    public boolean cut(long fromOffset) {
        return fromOffset > replica.delivered() || replica.cut(fromOffset);
    }

    /** Everything up to this entry is firm. */
    public void applyUpTo(long offset) {
        replica.applyUpTo(offset);
        replica.state().page(Integer.MAX_VALUE);
    }

    /** The entry up to which the state goes. */
    public Position applied() {
        return replica.applied();
    }

    /** The last entry that is here, applied or not. */
    public long last() {
        return replica.delivered();
    }

    public ReplicaSnapshot snapshot() {
        return replica.state().snapshot();
    }
}
