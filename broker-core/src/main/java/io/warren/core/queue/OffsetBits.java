package io.warren.core.queue;

import io.warren.core.spi.BackingQueue;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A set of offsets: one bit each, in chunks of {@value #CHUNK_BITS} that exist while something is in them.
 *
 * <p>Made for what queues do: adding at the end, taking the first, putting some back. Each of these looks at one chunk,
 * which is remembered. Ten million offsets in a row take 1.5 MB.
 */
public final class OffsetBits {

    static final int CHUNK_BITS = 1024;
    private static final int CHUNK_SHIFT = 10;
    private static final int WORDS = CHUNK_BITS / Long.SIZE;

    private static final class Chunk {

        final long index;
        final long[] words = new long[WORDS];
        int count;

        /** No bit is set in a word before this one. */
        int firstWord = WORDS;

        Chunk(long index) {
            this.index = index;
        }
    }

    private final TreeMap<Long, Chunk> chunks = new TreeMap<>();
    private @Nullable Chunk lastUsed;
    private @Nullable Chunk first;

    /** The one of the highest index: it stays when it is empty, so that one message at a time makes no chunk each. */
    private @Nullable Chunk newest;

    private long size;

    /** Adds an offset; one that is there stays. */
    public void add(long offset) {
        Chunk chunk = chunk(offset >>> CHUNK_SHIFT);
        if (chunk == null) {
            chunk = begin(offset >>> CHUNK_SHIFT);
        }
        int word = word(offset);
        long before = chunk.words[word];
        chunk.words[word] = before | 1L << offset;
        if (chunk.words[word] != before) {
            chunk.count++;
            chunk.firstWord = Math.min(chunk.firstWord, word);
            size++;
        }
    }

    private Chunk begin(long index) {
        Chunk chunk = new Chunk(index);
        chunks.put(index, chunk);
        lastUsed = chunk;
        if (first != null && index < first.index) {
            first = chunk;
        }
        Chunk before = newest;
        if (before == null || index > before.index) {
            newest = chunk;
            if (before != null && before.count == 0) {
                drop(before);
            }
        }
        return chunk;
    }

    private void drop(Chunk chunk) {
        chunks.remove(chunk.index);
        lastUsed = lastUsed == chunk ? null : lastUsed;
        first = first == chunk ? null : first;
    }

    /** Takes an offset out; false if it was not there. */
    public boolean remove(long offset) {
        Chunk chunk = chunk(offset >>> CHUNK_SHIFT);
        if (chunk == null || (chunk.words[word(offset)] & 1L << offset) == 0) {
            return false;
        }
        chunk.words[word(offset)] &= ~(1L << offset);
        chunk.count--;
        size--;
        if (chunk.count == 0 && chunk != newest) {
            drop(chunk);
        }
        return true;
    }

    public boolean contains(long offset) {
        Chunk chunk = chunk(offset >>> CHUNK_SHIFT);
        return chunk != null && (chunk.words[word(offset)] & 1L << offset) != 0;
    }

    /** The least offset, or {@link BackingQueue#NONE}. */
    public long first() {
        if (size == 0) {
            return BackingQueue.NONE;
        }
        Chunk chunk = first;
        if (chunk == null) {
            chunk = chunks.firstEntry().getValue();
            first = chunk;
        }
        while (chunk.words[chunk.firstWord] == 0) {
            chunk.firstWord++;
        }
        return offset(chunk, chunk.firstWord, chunk.words[chunk.firstWord]);
    }

    /** The least offset that is not below that one, or {@link BackingQueue#NONE}. */
    public long next(long from) {
        long index = from >>> CHUNK_SHIFT;
        Chunk present = chunk(index);
        long found = present == null ? BackingQueue.NONE : next(present, word(from), -1L << from);
        if (found != BackingQueue.NONE) {
            return found;
        }
        for (Chunk chunk : chunks.tailMap(index + 1).values()) {
            found = next(chunk, 0, -1L);
            if (found != BackingQueue.NONE) {
                return found;
            }
        }
        return BackingQueue.NONE;
    }

    /** @param firstMask the bits of the first word that count */
    private static long next(Chunk chunk, int fromWord, long firstMask) {
        long mask = firstMask;
        for (int word = fromWord; word < WORDS; word++) {
            long bits = chunk.words[word] & mask;
            if (bits != 0) {
                return offset(chunk, word, bits);
            }
            mask = -1L;
        }
        return BackingQueue.NONE;
    }

    public long size() {
        return size;
    }

    /** Calls for each offset, ascending; the set must not be changed meanwhile. */
    public void forEach(LongConsumer action) {
        for (Chunk chunk : chunks.values()) {
            for (int word = 0; word < WORDS; word++) {
                for (long bits = chunk.words[word]; bits != 0; bits &= bits - 1) {
                    action.accept(offset(chunk, word, bits));
                }
            }
        }
    }

    public void clear() {
        chunks.clear();
        lastUsed = null;
        first = null;
        newest = null;
        size = 0;
    }

    private static long offset(Chunk chunk, int word, long bits) {
        return (chunk.index << CHUNK_SHIFT) + word * (long) Long.SIZE + Long.numberOfTrailingZeros(bits);
    }

    private static int word(long offset) {
        return (int) offset >>> 6 & WORDS - 1;
    }

    private @Nullable Chunk chunk(long index) {
        // A long queue is added to at one end and taken from at the other: both are looked at before the tree.
        if (newest != null && newest.index == index) {
            return newest;
        }
        if (first != null && first.index == index) {
            return first;
        }
        Chunk used = lastUsed;
        if (used == null || used.index != index) {
            used = chunks.get(index);
            lastUsed = used;
        }
        return used;
    }
}
