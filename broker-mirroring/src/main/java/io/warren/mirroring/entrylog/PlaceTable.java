package io.warren.mirroring.entrylog;

import io.warren.mirroring.queue.OffsetRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where messages stand in the log, by their offset, in chunks of {@value #CHUNK_SIZE}: twelve bytes a message. Owned by one thread.
 *
 * <p>A place is the file's number and, in the low 32 bits, where in the file the record begins; numbers begin at 1, so 0 is no place.
 */
final class PlaceTable {
    static final int CHUNK_SIZE = 64;
    static final long NONE = 0;

    private static final int SHIFT = 6;
    private static final int POSITION_BITS = 32;

    /** Hears of a record that is needed, or is not needed any more. */
    interface Listener {
        void onRecord(long place, int bytes);
    }

    private static final class Chunk {
        final long[] places = new long[CHUNK_SIZE];
        final int[] bytes = new int[CHUNK_SIZE];
        int count;
    }

    private final TreeMap<Long, Chunk> chunks = new TreeMap<>();
    private final Listener gone;

    /** @param gone hears of records that are replaced or removed */
    PlaceTable(Listener gone) {
        this.gone = gone;
    }

    static long place(long file, long position) {
        return file << POSITION_BITS | position;
    }

    static long file(long place) {
        return place >>> POSITION_BITS;
    }

    static long position(long place) {
        return place & 0xffff_ffffL;
    }

    /** A message stands there from now on. */
    void put(long offset, long place, int bytes) {
        Chunk chunk = chunks.computeIfAbsent(offset >> SHIFT, index -> new Chunk());
        int slot = slot(offset);
        if (chunk.places[slot] == NONE) {
            chunk.count++;
        } else {
            gone.onRecord(chunk.places[slot], chunk.bytes[slot]);
        }
        chunk.places[slot] = place;
        chunk.bytes[slot] = bytes;
    }

    /** Where a message stands, or {@link #NONE}. */
    long get(long offset) {
        Chunk chunk = chunks.get(offset >> SHIFT);
        return chunk == null ? NONE : chunk.places[slot(offset)];
    }

    /** Bytes of the record of a message that is here. */
    int bytes(long offset) {
        Chunk chunk = chunks.get(offset >> SHIFT);
        return chunk == null ? 0 : chunk.bytes[slot(offset)];
    }

    /** Removes what there is of a range. */
    void remove(OffsetRange range) {
        remove(range, gone);
    }

    /** Removes what there is of a range, and tells somebody else of it; looks only at chunks that exist. */
    void remove(OffsetRange range, Listener listener) {
        Map.Entry<Long, Chunk> each = chunks.ceilingEntry(range.first() >> SHIFT);
        while (each != null && each.getKey() <= range.last() >> SHIFT) {
            long first = each.getKey() << SHIFT;
            long to = Math.min(first + CHUNK_SIZE - 1, range.last());
            for (long offset = Math.max(first, range.first()); offset <= to; offset++) {
                remove(each.getValue(), slot(offset), listener);
            }
            if (each.getValue().count == 0) {
                chunks.remove(each.getKey());
            }
            each = chunks.higherEntry(each.getKey());
        }
    }

    private static void remove(Chunk chunk, int slot, Listener listener) {
        if (chunk.places[slot] != NONE) {
            listener.onRecord(chunk.places[slot], chunk.bytes[slot]);
            chunk.places[slot] = NONE;
            chunk.count--;
        }
    }

    /** Removes all but some ranges, which ascend, and what lies from an offset on. */
    void retain(List<OffsetRange> ranges, long from) {
        List<OffsetRange> holes = new ArrayList<>();
        long next = 0;
        for (OffsetRange range : ranges) {
            if (range.first() > next) {
                holes.add(new OffsetRange(next, range.first() - 1));
            }
            next = range.last() + 1;
        }
        if (from > next) {
            holes.add(new OffsetRange(next, from - 1));
        }
        holes.forEach(this::remove);
    }

    void clear() {
        remove(new OffsetRange(0, Long.MAX_VALUE - 1));
    }

    /** Nothing is here any more, and all of it there: it is needed as before. */
    void moveTo(PlaceTable other) {
        chunks.forEach((index, chunk) -> {
            long first = index << SHIFT;
            for (int slot = 0; slot < CHUNK_SIZE; slot++) {
                if (chunk.places[slot] != NONE) {
                    other.put(first + slot, chunk.places[slot], chunk.bytes[slot]);
                }
            }
        });
        chunks.clear();
    }

    /** Calls for each record, by the messages' offsets. */
    void forEach(Listener action) {
        for (Chunk chunk : chunks.values()) {
            for (int slot = 0; slot < CHUNK_SIZE; slot++) {
                if (chunk.places[slot] != NONE) {
                    action.onRecord(chunk.places[slot], chunk.bytes[slot]);
                }
            }
        }
    }

    private static int slot(long offset) {
        return (int) offset & (CHUNK_SIZE - 1);
    }
}
