package io.warren.mirroring.ring;

import org.jspecify.annotations.Nullable;

/**
 * One entry of a group's log: a payload someone broadcast, or the view that opened a reign.
 *
 * @param position name and place of the entry
 * @param sender the member that broadcast it; for a view entry the master
 * @param sequence number the sender gave it, from 1 without a gap; 0 for a view entry
 * @param persistent whether it counts as durable only when forced to disk; view entries always are
 * @param bytes size that counts against the window
 * @param payload what was broadcast; null in a view entry
 * @param view the view; null in every other entry
 * @param <P> type of the payload, of which the ring knows nothing
 */
public record Entry<P>(
        Position position,
        Member sender,
        long sequence,
        boolean persistent,
        int bytes,
        @Nullable P payload,
        @Nullable View view) {

    /** What a view entry counts against the window: its size on the wire is of this order. */
    static final int VIEW_BYTES = 64;

    static <P> Entry<P> ofView(Position position, Member master, View view) {
        return new Entry<>(position, master, 0, true, VIEW_BYTES, null, view);
    }

    public long epoch() {
        return position.epoch();
    }

    public long offset() {
        return position.offset();
    }

    @Override
    public String toString() {
        return position + (view != null ? "=view" : "=" + sender + "#" + sequence) + (persistent ? "" : "~");
    }
}
