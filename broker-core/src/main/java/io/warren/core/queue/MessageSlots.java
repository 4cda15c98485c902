package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a queue's messages, by offset, in chunks of {@value #CHUNK_SIZE}: one reference a message while its
 * body is in memory, four bytes for its size where sizes differ, and more only where a chunk needs it (expiry, priority,
 * marks). A chunk goes when all of it is settled, so a straggler costs one chunk and not all that came after it.
 *
 * <p>A message is <em>resident</em> while it is in memory. One that is not costs at most
 * {@value #PAGED_BYTES} bytes, 16 with an expiry, and less than one where all of a chunk have one size.
 */
final class MessageSlots {

    static final int CHUNK_SIZE = 256;

    /** What a message without its body is charged. */
    static final int PAGED_BYTES = 8;

    private static final int SHIFT = 8;
    private static final int WORDS = CHUNK_SIZE / Long.SIZE;

    private final Map<Long, Chunk> chunks = new HashMap<>();
    private @Nullable Chunk newest;
    private @Nullable Chunk lastUsed;

    void put(long offset, Message message, int priority, long expiresAtNs) {
        Chunk chunk = chunkFor(offset);
        int slot = slot(offset);
        chunk.put(slot, message.bodyBytes(), priority, expiresAtNs);
        chunk.fill(slot, message);
    }

    /** A message that is on disk only. */
    void putPaged(long offset, int bodyBytes, int priority, long expiresAtNs, boolean redelivered) {
        Chunk chunk = chunkFor(offset);
        chunk.put(slot(offset), bodyBytes, priority, expiresAtNs);
        chunk.stored = set(chunk.stored, slot(offset));
        if (redelivered) {
            chunk.redelivered = set(chunk.redelivered, slot(offset));
        }
    }

    private Chunk chunkFor(long offset) {
        long index = offset >>> SHIFT;
        Chunk last = newest;
        if (last != null && last.index == index) {
            return last;
        }
        Chunk known = chunks.get(index);
        if (known != null) {
            return known;
        }
        Chunk chunk = new Chunk(index);
        chunks.put(index, chunk);
        if (last == null || last.index < index) {
            newest = chunk;
            if (last != null) {
                last.trim();
                if (last.live == 0) {
                    release(last);
                }
            }
        }
        return chunk;
    }

    /** Whether there is a message at that offset. */
    boolean has(long offset) {
        Chunk chunk = chunks.get(offset >>> SHIFT);
        return chunk != null && isSet(chunk.present, slot(offset));
    }

    boolean isResident(long offset) {
        Chunk chunk = chunk(offset);
        return chunk.messages != null && chunk.messages[slot(offset)] != null;
    }

    /** The message; only of one that is resident. */
    Message message(long offset) {
        return Objects.requireNonNull(Objects.requireNonNull(chunk(offset).messages)[slot(offset)]);
    }

    /** Every offset there is a message at, ascending. */
    java.util.List<Long> offsets() {
        java.util.List<Long> offsets = new java.util.ArrayList<>();
        chunks.values().forEach(chunk -> chunk.addOffsets(offsets));
        offsets.sort(null);
        return offsets;
    }

    /** The body is in memory again. */
    void fill(long offset, Message message) {
        chunk(offset).fill(slot(offset), message);
    }

    /** The body can be had from the disk. */
    void markStored(long offset) {
        Chunk chunk = chunk(offset);
        chunk.stored = set(chunk.stored, slot(offset));
    }

    boolean isStored(long offset) {
        return isSet(chunk(offset).stored, slot(offset));
    }

    /** Forgets the body of a message that is stored. */
    void evict(long offset) {
        Chunk chunk = chunk(offset);
        chunk.evict(slot(offset));
        if (chunk != newest) {
            chunk.trim();
        }
    }

    int bodyBytes(long offset) {
        return chunk(offset).bodyBytes(slot(offset));
    }

    /** What a message is charged as it is. */
    long memoryBytes(long offset) {
        return isResident(offset) ? message(offset).memoryBytes() : PAGED_BYTES;
    }

    int priority(long offset) {
        byte[] priorities = chunk(offset).priorities;
        return priorities == null ? 0 : priorities[slot(offset)] & 0xff;
    }

    long expiresAtNs(long offset) {
        long[] expiries = chunk(offset).expiriesNs;
        return expiries == null ? BackingQueue.NEVER : expiries[slot(offset)];
    }

    boolean isRedelivered(long offset) {
        return isSet(chunk(offset).redelivered, slot(offset));
    }

    void markRedelivered(long offset) {
        Chunk chunk = chunk(offset);
        chunk.redelivered = set(chunk.redelivered, slot(offset));
    }

    void remove(long offset) {
        Chunk chunk = chunk(offset);
        chunk.remove(slot(offset));
        if (chunk.live == 0) {
            release(chunk);
        }
    }

    void clear() {
        chunks.clear();
        newest = null;
        lastUsed = null;
    }

    private void release(Chunk chunk) {
        // The newest may still be appended to: it stays until the next one begins.
        if (chunk != newest) {
            chunks.remove(chunk.index);
            if (chunk == lastUsed) {
                lastUsed = null;
            }
        }
    }

    private Chunk chunk(long offset) {
        long index = offset >>> SHIFT;
        Chunk used = lastUsed;
        if (used == null || used.index != index) {
            used = Objects.requireNonNull(chunks.get(index), "no message at that offset");
            lastUsed = used;
        }
        return used;
    }

    private static int slot(long offset) {
        return (int) offset & (CHUNK_SIZE - 1);
    }

    private static boolean isSet(long @Nullable [] bits, int slot) {
        return bits != null && (bits[slot >>> 6] & 1L << slot) != 0;
    }

    private static long[] set(long @Nullable [] bits, int slot) {
        long[] words = bits == null ? new long[WORDS] : bits;
        words[slot >>> 6] |= 1L << slot;
        return words;
    }

    private static void unset(long @Nullable [] bits, int slot) {
        if (bits != null) {
            bits[slot >>> 6] &= ~(1L << slot);
        }
    }

    /** For tests: how many chunks are kept. */
    int chunkCount() {
        return chunks.size();
    }

    private static final class Chunk {

        final long index;
        final long[] present = new long[WORDS];

        /** Null while no body is in memory. */
        @Nullable Message @Nullable [] messages;

        int resident;

        /** The size all bodies have, while {@code sizes} is null. */
        int size = -1;

        int @Nullable [] sizes;
        long @Nullable [] expiriesNs;
        byte @Nullable [] priorities;
        long @Nullable [] redelivered;
        long @Nullable [] stored;
        int live;

        Chunk(long index) {
            this.index = index;
        }

        void put(int slot, int bodyBytes, int priority, long expiresAtNs) {
            present[slot >>> 6] |= 1L << slot;
            live++;
            putSize(slot, bodyBytes);
            if (priority != 0) {
                if (priorities == null) {
                    priorities = new byte[CHUNK_SIZE];
                }
                priorities[slot] = (byte) priority;
            }
            if (expiresAtNs != BackingQueue.NEVER) {
                if (expiriesNs == null) {
                    expiriesNs = new long[CHUNK_SIZE];
                    Arrays.fill(expiriesNs, BackingQueue.NEVER);
                }
                expiriesNs[slot] = expiresAtNs;
            }
        }

        private void putSize(int slot, int bodyBytes) {
            if (sizes == null && size != bodyBytes) {
                if (size < 0) {
                    size = bodyBytes;
                    return;
                }
                sizes = new int[CHUNK_SIZE];
                Arrays.fill(sizes, size);
            }
            if (sizes != null) {
                sizes[slot] = bodyBytes;
            }
        }

        void addOffsets(java.util.List<Long> to) {
            for (int slot = 0; slot < CHUNK_SIZE; slot++) {
                if (isSet(present, slot)) {
                    to.add((index << SHIFT) + slot);
                }
            }
        }

        int bodyBytes(int slot) {
            return sizes == null ? size : sizes[slot];
        }

        void fill(int slot, Message message) {
            if (messages == null) {
                messages = new @Nullable Message[CHUNK_SIZE];
            }
            if (messages[slot] == null) {
                resident++;
            }
            messages[slot] = message;
        }

        void evict(int slot) {
            if (messages != null && messages[slot] != null) {
                messages[slot] = null;
                resident--;
            }
        }

        void trim() {
            if (resident == 0) {
                messages = null;
            }
        }

        void remove(int slot) {
            if (!isSet(present, slot)) {
                throw new NullPointerException("no message at that offset");
            }
            unset(present, slot);
            if (messages != null && messages[slot] != null) {
                messages[slot] = null;
                resident--;
            }
            live--;
        }
    }
}
