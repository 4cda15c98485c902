package io.warren.mirroring.queue;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The unsettled messages by offset, as the entries they came in or what stays of these, in chunks of {@value #CHUNK_SIZE}: a reference a message, besides its bytes. A
 * chunk goes when all of it is settled.
 */
final class MessageTable {
    static final int CHUNK_SIZE = 64;

    private static final int SHIFT = 6;

    private static final class Chunk {
        final byte[] @Nullable [] entries = new byte[CHUNK_SIZE] @Nullable [];
        int count;
    }

    private final TreeMap<Long, Chunk> chunks = new TreeMap<>();
    private long size;
    private long bytes;

    long size() {
        return size;
    }

    /** Bytes of the entries, and of what stays of those that are on disk only. */
    long bytes() {
        return bytes;
    }

    void put(long offset, byte[] entry) {
        Chunk chunk = chunks.computeIfAbsent(offset >> SHIFT, index -> new Chunk());
        Invariant.check(chunk.entries[slot(offset)] == null, "an offset is used once", offset);
        chunk.entries[slot(offset)] = entry;
        chunk.count++;
        size++;
        bytes += entry.length;
    }

    /** The entry of the message, or null if it is settled or was never there. */
    byte @Nullable [] get(long offset) {
        Chunk chunk = chunks.get(offset >> SHIFT);
        return chunk == null ? null : chunk.entries[slot(offset)];
    }

    /** The entry of the lowest offset; null if there is none. */
    byte @Nullable [] first() {
        Map.Entry<Long, Chunk> chunk = chunks.firstEntry();
        if (chunk != null) {
            for (byte[] entry : chunk.getValue().entries) {
                if (entry != null) {
                    return entry;
                }
            }
        }
        return null;
    }

    /** Removes what there is from one offset to another; looks only at chunks that exist. */
    void remove(OffsetRange range) {
        Map.Entry<Long, Chunk> each = chunks.ceilingEntry(range.first() >> SHIFT);
        while (each != null && each.getKey() <= range.last() >> SHIFT) {
            remove(each.getKey() << SHIFT, each.getValue(), range);
            if (each.getValue().count == 0) {
                chunks.remove(each.getKey());
            }
            each = chunks.higherEntry(each.getKey());
        }
    }

    /** Puts something else in the place of an entry that is there. */
    void replace(long offset, byte[] entry) {
        Chunk chunk = chunks.get(offset >> SHIFT);
        byte[] before = chunk == null ? null : chunk.entries[slot(offset)];
        Invariant.check(before != null, "what is replaced is there", offset);
        if (chunk != null && before != null) {
            chunk.entries[slot(offset)] = entry;
            bytes += entry.length - before.length;
        }
    }

    private void remove(long chunkFirst, Chunk chunk, OffsetRange range) {
        long from = Math.max(chunkFirst, range.first());
        long to = Math.min(chunkFirst + CHUNK_SIZE - 1, range.last());
        for (long offset = from; offset <= to; offset++) {
            byte[] entry = chunk.entries[slot(offset)];
            if (entry != null) {
                chunk.entries[slot(offset)] = null;
                chunk.count--;
                size--;
                bytes -= entry.length;
            }
        }
    }

    /** Calls for each, by offset. */
    void forEach(Consumer<byte[]> action) {
        forEachBelow(Long.MAX_VALUE, action);
    }

    /** Calls for each below an offset, by offset. */
    void forEachBelow(long end, Consumer<byte[]> action) {
        for (Map.Entry<Long, Chunk> chunk : chunks.entrySet()) {
            long first = chunk.getKey() << SHIFT;
            for (int slot = 0; slot < CHUNK_SIZE && first + slot < end; slot++) {
                byte[] entry = chunk.getValue().entries[slot];
                if (entry != null) {
                    action.accept(entry);
                }
            }
        }
    }

    /** Calls for each from an offset on, by offset, until it says that this is enough. */
    void forEachFrom(long begin, Predicate<byte[]> action) {
        for (Map.Entry<Long, Chunk> chunk : chunks.tailMap(begin >> SHIFT, true).entrySet()) {
            long first = chunk.getKey() << SHIFT;
            for (int slot = (int) Math.max(0, begin - first); slot < CHUNK_SIZE; slot++) {
                byte[] entry = chunk.getValue().entries[slot];
                if (entry != null && !action.test(entry)) {
                    return;
                }
            }
        }
    }

    private static int slot(long offset) {
        return (int) offset & (CHUNK_SIZE - 1);
    }
}
