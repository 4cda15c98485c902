package io.warren.mirroring.ring;

import java.util.ArrayList;
import java.util.List;

/**
 * The entries of one group that this member still holds in memory: everything above its base, without a gap.
 *
 * <p>The base is the last entry that was forgotten; of everything up to it only its position and the {@link Senders} remain.
 * Epochs never fall along a log, so positions are ordered as entries are. What bounds it is the master's window above stable and the rule for forgetting below.
 */
public final class Log<P> {
    private Position base;
    private Senders baseSenders;
    private Numbered<Entry<P>> entries;

    /** An empty log. */
    public Log() {
        this(Position.START, new Senders(), List.of());
    }

    /**
     * A log as found on disk.
     *
     * @param base last entry that is no longer there
     * @param baseSenders table of senders up to the base
     * @param recovered the entries above it, without a gap
     */
    public Log(Position base, Senders baseSenders, List<Entry<P>> recovered) {
        this.base = base;
        this.baseSenders = baseSenders.copy();
        entries = new Numbered<>(base.offset() + 1);
        recovered.forEach(this::append);
    }

    public Position base() {
        return base;
    }

    public Position last() {
        return entries.size() == 0 ? base : at(lastOffset()).position();
    }

    public long lastOffset() {
        return entries.lastNumber();
    }

    /** The entry at an offset above the base and not above the last. */
    public Entry<P> at(long offset) {
        return entries.get(offset);
    }

    /** The position at an offset not below the base. */
    Position position(long offset) {
        return offset == base.offset() ? base : at(offset).position();
    }

    /** Whether this very entry, not just something at its offset, is in the log or is its base. */
    public boolean holds(Position position) {
        long offset = position.offset();
        return offset >= base.offset()
                && offset <= lastOffset()
                && position(offset).equals(position);
    }

    /** The last entry at or below {@code limit} that is not above {@code position}; the base if there is none. */
    Position lastNotAbove(Position position, long limit) {
        long low = base.offset();
        long high = Math.max(low, Math.min(limit, lastOffset()));
        while (low < high) {
            long middle = (low + high + 1) >>> 1;
            if (position(middle).isAbove(position)) {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        return position(low);
    }

    /** Entries from an offset up to a limit, as many as fit a batch, one at least. */
    List<Entry<P>> batch(long fromOffset, long toOffset, int batchBytes) {
        Entry<P> head = at(fromOffset);
        if (fromOffset == toOffset) {
            return List.of(head);
        }
        List<Entry<P>> batch = new ArrayList<>();
        long bytes = 0;
        for (long offset = fromOffset; offset <= toOffset; offset++) {
            Entry<P> entry = at(offset);
            bytes += entry.bytes();
            if (bytes > batchBytes && !batch.isEmpty()) {
                break;
            }
            batch.add(entry);
        }
        return batch;
    }

    void append(Entry<P> entry) {
        Invariant.check(entry.offset() == lastOffset() + 1, "entry follows the last", entry.offset());
        Invariant.check(entry.epoch() >= last().epoch(), "epochs never fall along a log", entry.epoch());
        entries.addLast(entry);
    }

    void cut(long fromOffset) {
        Invariant.check(fromOffset > base.offset(), "what is forgotten is never cut", fromOffset);
        while (lastOffset() >= fromOffset) {
            entries.removeLast();
        }
    }

    void forget(long toOffset) {
        while (base.offset() < toOffset) {
            Entry<P> gone = entries.removeFirst();
            baseSenders.onEntry(gone);
            base = gone.position();
        }
    }

    /** Starts again behind a position up to which another member's state was taken over. */
    void restart(Position newBase, Senders senders) {
        base = newBase;
        baseSenders = senders.copy();
        entries = new Numbered<>(newBase.offset() + 1);
    }

    /** The table of senders up to an offset not below the base. */
    public Senders sendersAt(long offset) {
        Senders senders = baseSenders.copy();
        for (long at = base.offset() + 1; at <= offset; at++) {
            senders.onEntry(at(at));
        }
        return senders;
    }
}
