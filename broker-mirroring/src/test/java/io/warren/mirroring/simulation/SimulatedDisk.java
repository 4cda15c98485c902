package io.warren.mirroring.simulation;

import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.Senders;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One node's disk: writes in order, of which a force makes everything before it safe.
 *
 * <p>A crash keeps what was forced and, of the rest, as much of its beginning as chance wants. What survived without having been
 * forced is still not forced: the next crash may take it.
 */
final class SimulatedDisk {
    /** What forced writes amount to. */
    private Image forced = new Image();

    /** Writes not forced yet, oldest first. */
    private final ArrayDeque<Write> unforced = new ArrayDeque<>();

    private long written;

    /** Content of a log on disk. */
    static final class Image {
        Position base = Position.START;
        Senders senders = new Senders();
        final List<Entry<Integer>> entries = new ArrayList<>();

        Image copy() {
            Image copy = new Image();
            copy.base = base;
            copy.senders = senders.copy();
            copy.entries.addAll(entries);
            return copy;
        }

        long last() {
            return base.offset() + entries.size();
        }

        /** Whether this entry is there, or lies so far down that it was forgotten. */
        boolean holds(Position position) {
            if (position.offset() < base.offset()) {
                return position.epoch() <= base.epoch();
            }
            if (position.offset() == base.offset()) {
                return position.equals(base);
            }
            return position.offset() <= last()
                    && entries.get((int) (position.offset() - base.offset() - 1))
                            .position()
                            .equals(position);
        }

        private void append(Entry<Integer> entry) {
            if (entry.offset() != last() + 1) {
                throw new IllegalStateException("a hole on disk: last=" + last() + " entry=" + entry);
            }
            entries.add(entry);
        }

        private void cut(long from) {
            while (last() >= from) {
                entries.remove(entries.size() - 1);
            }
        }

        private void forget(long to) {
            int count = (int) (to - base.offset());
            for (Entry<Integer> gone : entries.subList(0, count)) {
                senders.onEntry(gone);
                base = gone.position();
            }
            entries.subList(0, count).clear();
        }
    }

    /** One write: an entry, or a cut from an offset, or a forgetting up to it. */
    private record Write(Entry<Integer> entry, long cutFrom, long forgetTo) {
        void applyTo(Image image) {
            if (entry != null) {
                image.append(entry);
            } else if (cutFrom > 0) {
                image.cut(cutFrom);
            } else {
                image.forget(forgetTo);
            }
        }
    }

    void append(Entry<Integer> entry) {
        add(new Write(entry, 0, 0));
    }

    void cut(long from) {
        add(new Write(null, from, 0));
    }

    void forget(long to) {
        add(new Write(null, 0, to));
    }

    private void add(Write write) {
        unforced.addLast(write);
        written++;
    }

    /** How many writes there were; a force begun now covers these. */
    long written() {
        return written;
    }

    boolean isForced() {
        return unforced.isEmpty();
    }

    /** A force that covers the first writes has come back. */
    void onForced(long covered) {
        while (written - unforced.size() < covered) {
            unforced.removeFirst().applyTo(forced);
        }
    }

    /** The process has died: only a beginning of what was not forced is left. */
    void crash(Random random) {
        int survivors = unforced.isEmpty() ? 0 : random.nextInt(unforced.size() + 1);
        while (unforced.size() > survivors) {
            unforced.removeLast();
            written--;
        }
    }

    /** Another member's state replaces everything, forced. */
    void replace(Position base, Senders senders) {
        unforced.clear();
        forced = new Image();
        forced.base = base;
        forced.senders = senders.copy();
    }

    Image forced() {
        return forced;
    }

    /** What a process that starts now finds. */
    Image image() {
        Image image = forced.copy();
        unforced.forEach(write -> write.applyTo(image));
        return image;
    }

    Log<Integer> open() {
        Image image = image();
        return new Log<>(image.base, image.senders, image.entries);
    }
}
