package io.warren.core.store.format;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages of one queue stand that wait: in a log file, as a <em>place</em>, or in a segment.
 *
 * <p>A place is the file's number and the position in it ({@link #place}); eight bytes a message, for as long as its log
 * file lives. A message is in at most one of both.
 */
public final class QueueTable {

    /** The place of a message that is not in a log file. */
    public static final long NONE = 0;

    private static final int CHUNK_SIZE = 256;
    private static final int SHIFT = 8;

    private static final class Chunk {
        final long[] places = new long[CHUNK_SIZE];
        int count;
    }

    /** Told of a message and its place. */
    @FunctionalInterface
    public interface PlaceVisitor {
        void place(long offset, long place);
    }

    private final Map<Long, Chunk> chunks = new HashMap<>();
    private final TreeMap<Long, Segment> segmentsByFirst = new TreeMap<>();

    /** Segments that begin where another one does: rare, after a straggler was moved. */
    private final List<Segment> furtherSegments = new ArrayList<>();

    private long newestIndex = -1;

    /** A place; file numbers begin at 1 and positions are below 4 GiB. */
    public static long place(long fileNumber, long position) {
        return fileNumber << 32 | position;
    }

    public static long fileNumber(long place) {
        return place >>> 32;
    }

    public static long position(long place) {
        return place & 0xffff_ffffL;
    }

    /** A message stands there now, and nowhere else. */
    public void put(long offset, long place) {
        long index = offset >>> SHIFT;
        Chunk chunk = chunks.computeIfAbsent(index, key -> new Chunk());
        if (index > newestIndex) {
            Chunk before = chunks.get(newestIndex);
            if (before != null && before.count == 0) {
                chunks.remove(newestIndex);
            }
            newestIndex = index;
        }
        if (chunk.places[slot(offset)] == NONE) {
            chunk.count++;
        }
        chunk.places[slot(offset)] = place;
    }

    /** The message's place, or {@link #NONE}. */
    public long get(long offset) {
        Chunk chunk = chunks.get(offset >>> SHIFT);
        return chunk == null ? NONE : chunk.places[slot(offset)];
    }

    /** Takes a message out; its place was that, or {@link #NONE}. */
    public long remove(long offset) {
        long index = offset >>> SHIFT;
        Chunk chunk = chunks.get(index);
        if (chunk == null) {
            return NONE;
        }
        long place = chunk.places[slot(offset)];
        if (place != NONE) {
            chunk.places[slot(offset)] = NONE;
            chunk.count--;
            // The newest chunk stays, so that one message at a time makes no chunk each.
            if (chunk.count == 0 && index != newestIndex) {
                chunks.remove(index);
            }
        }
        return place;
    }

    /** Every message that has a place, in no order; they may be removed meanwhile only through {@link #removeIf}. */
    public void forEachPlace(PlaceVisitor visitor) {
        chunks.forEach((index, chunk) -> {
            for (int slot = 0; slot < CHUNK_SIZE; slot++) {
                if (chunk.places[slot] != NONE) {
                    visitor.place((index << SHIFT) + slot, chunk.places[slot]);
                }
            }
        });
    }

    /** Takes out every message whose offset is meant, wherever it stands; told of each that had a place. */
    public void removeIf(LongPredicate meant, PlaceVisitor removed) {
        List<Long> offsets = new ArrayList<>();
        forEachPlace((offset, place) -> {
            if (meant.test(offset)) {
                offsets.add(offset);
            }
        });
        for (long offset : offsets) {
            removed.place(offset, remove(offset));
        }
        for (Segment segment : segments()) {
            List<Long> inSegment = new ArrayList<>();
            segment.unsettled().forEach(offset -> {
                if (meant.test(offset)) {
                    inSegment.add(offset);
                }
            });
            inSegment.forEach(segment.unsettled()::remove);
        }
    }

    /** Nothing stands anywhere any more. */
    public void clear() {
        chunks.clear();
        segmentsByFirst.clear();
        furtherSegments.clear();
        newestIndex = -1;
    }

    // ---- segments

    public void addSegment(Segment segment) {
        if (segmentsByFirst.putIfAbsent(segment.first(), segment) != null) {
            furtherSegments.add(segment);
        }
    }

    public void removeSegment(Segment segment) {
        if (!furtherSegments.remove(segment)) {
            segmentsByFirst.remove(segment.first(), segment);
        }
    }

    /** The segment a waiting message is in, or null. */
    public @Nullable Segment segmentOf(long offset) {
        Map.Entry<Long, Segment> floor = segmentsByFirst.floorEntry(offset);
        if (floor == null && furtherSegments.isEmpty()) {
            return null;
        }
        if (floor != null && floor.getValue().holds(offset)) {
            return floor.getValue();
        }
        for (Segment segment : segments()) {
            if (segment.holds(offset)) {
                return segment;
            }
        }
        return null;
    }

    /** All segments, the least first offset first. */
    public List<Segment> segments() {
        List<Segment> segments = new ArrayList<>(segmentsByFirst.values());
        segments.addAll(furtherSegments);
        return segments;
    }

    private static int slot(long offset) {
        return (int) offset & (CHUNK_SIZE - 1);
    }
}
