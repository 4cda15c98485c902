package io.warren.mirroring.queue;

import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Position;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one member knows of the queue, fed by the ring: a state, and the tail of entries delivered since.
 *
 * <p>The state ends at a firm entry, so that what the ring may take back lies in the tail. Entries that the ring ordered in another reign than
 * they were decided in are left out.
 *
 * <p>Limits: the tail is applied when it holds {@value #TAIL_COUNT_MAX} entries or {@value #TAIL_BYTES_MAX} bytes and its last firm entry allows;
 * of what lies above that each message is one of the queue's.
 */
final class Replica {
    static final int TAIL_COUNT_MAX = 256;
    static final int TAIL_BYTES_MAX = 256 * 1024;

    private final ReplicaState state;
    private final ArrayDeque<Delivered> tail = new ArrayDeque<>();
    /** The entry up to which the state went when it was taken over, or read from disk. */
    private final Position beginning;

    /** The entry up to which the state goes. */
    private Position applied;

    /** When the state has come to this entry nothing is missing any more; beyond all entries while that is not known. */
    private long completeAt = Long.MAX_VALUE;

    private int tailBytes;
    /** The last entry of the tail that cannot be taken back; the applied one if there is none. */
    private long firm;

    private static final class Delivered {
        final Position position;
        /** Null for a view, and for an entry that changes nothing. */
        final byte @Nullable [] payload;

        final boolean persistent;

        Delivered(Position position, byte @Nullable [] payload, boolean persistent) {
            this.position = position;
            this.payload = payload;
            this.persistent = persistent;
        }

        int bytes() {
            return payload == null ? 0 : payload.length;
        }
    }

    /** A replica that knows everything up to an entry. */
    Replica(ReplicaSnapshot snapshot, Position upTo) {
        state = new ReplicaState(snapshot);
        beginning = upTo;
        applied = upTo;
        firm = upTo.offset();
    }

    /** The state as far as it is applied. */
    ReplicaState state() {
        return state;
    }

    /** The entry with which this replica began: what was settled behind it of what is missing, the state remembers. */
    Position beginning() {
        return beginning;
    }

    /** Whether it has never come to know anything. */
    boolean isEmpty() {
        return applied.equals(Position.START) && tail.isEmpty();
    }

    /** The last entry that is in the state. */
    Position applied() {
        return applied;
    }

    /** Place in the ring's log of the last entry delivered. */
    long delivered() {
        return tail.isEmpty() ? applied.offset() : tail.peekLast().position.offset();
    }

    /** Entries that are delivered and not applied. */
    int tailCount() {
        return tail.size();
    }

    /** Whether an entry says something in the place where the ring has put it. */
    static boolean counts(Entry<byte[]> entry, byte[] payload) {
        return entry.epoch() == QueueEntryCodec.reign(payload);
    }

    /** The next entry is stable. */
    void onDelivered(Entry<byte[]> entry) {
        byte[] payload = entry.payload();
        add(entry.position(), payload != null && counts(entry, payload) ? payload : null, entry.persistent());
    }

    /** The next entry is a reign's view. */
    void onView(Position position) {
        add(position, null, true);
    }

    private void add(Position position, byte @Nullable [] payload, boolean persistent) {
        Invariant.check(position.offset() == delivered() + 1, "entries come without a gap", position.offset());
        Delivered next = new Delivered(position, payload, persistent);
        tail.addLast(next);
        tailBytes += next.bytes();
        if (persistent) {
            firm = position.offset();
        }
    }

    /**
     * The ring takes back what it delivered from there on.
     *
     * @return false if some of that is in the state, which is void then
     */
    boolean cut(long fromOffset) {
        if (fromOffset <= applied.offset()) {
            return false;
        }
        while (delivered() >= fromOffset) {
            tailBytes -= tail.removeLast().bytes();
        }
        firm = applied.offset();
        for (Delivered left : tail) {
            firm = left.persistent ? left.position.offset() : firm;
        }
        return true;
    }

    /** A batch is delivered: it is applied when enough has come together. */
    void onBatchEnd() {
        completeIfDue();
        if (tail.size() >= TAIL_COUNT_MAX || tailBytes >= TAIL_BYTES_MAX) {
            applyFirm();
        }
    }

    /**
     * All that was missing has come, as of a firm entry, which may not have been delivered here yet: what comes before it may still speak of
     * messages that were settled there and therefore did not come.
     */
    void onFilled(long firmOffset) {
        completeAt = firmOffset;
        completeIfDue();
    }

    private void completeIfDue() {
        if (delivered() >= completeAt) {
            applyUpTo(Math.max(completeAt, applied.offset()));
            completeAt = Long.MAX_VALUE;
            state.onComplete();
        }
    }

    /** Applies the tail as far as it cannot be taken back. */
    void applyFirm() {
        applyUpTo(firm);
    }

    /** Applies the tail up to an entry, which has to be firm. */
    void applyUpTo(long offset) {
        List<byte[]> batch = new ArrayList<>();
        for (Delivered next = tail.peekFirst();
                next != null && next.position.offset() <= offset;
                next = tail.peekFirst()) {
            tail.removeFirst();
            tailBytes -= next.bytes();
            applied = next.position;
            if (next.payload != null) {
                batch.add(next.payload);
            }
        }
        state.apply(batch);
    }
}
