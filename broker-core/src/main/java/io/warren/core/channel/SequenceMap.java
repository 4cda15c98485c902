package io.warren.core.channel;

import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Values by a number that only grows when they are added, and that are removed in any order: delivery tags, publish
 * sequences. In chunks of {@value #CHUNK_SIZE}, so that the usual add and remove touch an array, and one value that
 * stays for ever costs one chunk and not all that came after it.
 */
final class SequenceMap<V> {

    static final int CHUNK_SIZE = 64;
    private static final int SHIFT = 6;

    private final TreeMap<Long, Chunk> chunks = new TreeMap<>();
    private @Nullable Chunk newest;
    private @Nullable Chunk lastUsed;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The smallest number there is, 0 if there is none. */
    long smallest() {
        for (Chunk chunk : chunks.values()) {
            for (int slot = 0; slot < CHUNK_SIZE && chunk.live > 0; slot++) {
                if (chunk.values[slot] != null) {
                    return (chunk.index << SHIFT) + slot;
                }
            }
        }
        return 0;
    }

    void put(long sequence, V value) {
        Chunk chunk = chunkFor(sequence);
        int slot = slot(sequence);
        if (chunk.values[slot] == null) {
            chunk.live++;
            size++;
        }
        chunk.values[slot] = value;
    }

    @Nullable V get(long sequence) {
        Chunk chunk = find(sequence >>> SHIFT);
        return chunk == null ? null : value(chunk, slot(sequence));
    }

    @Nullable V remove(long sequence) {
        Chunk chunk = find(sequence >>> SHIFT);
        return chunk == null ? null : take(chunk, slot(sequence));
    }

    /** Removes all up to a number, smallest first. */
    void removeUpTo(long sequence, BiConsumer<Long, ? super V> removed) {
        while (!chunks.isEmpty() && size > 0) {
            Chunk chunk = chunks.firstEntry().getValue();
            for (int slot = 0; slot < CHUNK_SIZE && chunk.live > 0; slot++) {
                long number = (chunk.index << SHIFT) + slot;
                if (number > sequence) {
                    return;
                }
                V value = take(chunk, slot);
                if (value != null) {
                    removed.accept(number, value);
                }
            }
            if (chunk == newest) {
                return;
            }
        }
    }

    private @Nullable V take(Chunk chunk, int slot) {
        V value = value(chunk, slot);
        if (value != null) {
            chunk.values[slot] = null;
            chunk.live--;
            size--;
            if (chunk.live == 0 && chunk != newest) {
                chunks.remove(chunk.index);
                lastUsed = null;
            }
        }
        return value;
    }

    @SuppressWarnings("unchecked") // only put writes, and it writes V
    private @Nullable V value(Chunk chunk, int slot) {
        return (V) chunk.values[slot];
    }

    private Chunk chunkFor(long sequence) {
        long index = sequence >>> SHIFT;
        Chunk chunk = find(index);
        if (chunk == null) {
            chunk = new Chunk(index);
            chunks.put(index, chunk);
            Chunk before = newest;
            if (before == null || before.index < index) {
                newest = chunk;
                dropIfEmpty(before);
            }
        }
        return chunk;
    }

    private void dropIfEmpty(@Nullable Chunk chunk) {
        if (chunk != null && chunk.live == 0) {
            chunks.remove(chunk.index);
            lastUsed = null;
        }
    }

    private @Nullable Chunk find(long index) {
        Chunk recent = newest;
        if (recent != null && recent.index == index) {
            return recent;
        }
        Chunk used = lastUsed;
        if (used == null || used.index != index) {
            used = chunks.get(index);
            lastUsed = used;
        }
        return used;
    }

    private static int slot(long sequence) {
        return (int) sequence & (CHUNK_SIZE - 1);
    }

    /** For tests: how many chunks are kept. */
    int chunkCount() {
        return chunks.size();
    }

    private static final class Chunk {

        final long index;
        final @Nullable Object[] values = new @Nullable Object[CHUNK_SIZE];
        int live;

        Chunk(long index) {
            this.index = index;
        }
    }
}
