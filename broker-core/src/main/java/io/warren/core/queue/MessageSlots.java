package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a queue by offset, in chunks of {@value #CHUNK_SIZE}: one reference a message, and more only where a
 * chunk needs it (expiry, priority, redelivered mark). A chunk goes when all of it is settled, so a straggler costs one
 * chunk and not all that came after it.
 */
final class MessageSlots {

    static final int CHUNK_SIZE = 256;
    private static final int SHIFT = 8;

    private final Map<Long, Chunk> chunks = new HashMap<>();
    private @Nullable Chunk newest;
    private @Nullable Chunk lastUsed;

    void put(long offset, Message message, int priority, long expiresAtNs) {
        long index = offset >>> SHIFT;
        Chunk chunk = newest;
        if (chunk == null || chunk.index != index) {
            Chunk before = chunk;
            chunk = new Chunk(index);
            chunks.put(index, chunk);
            newest = chunk;
            if (before != null && before.live == 0) {
                release(before);
            }
        }
        chunk.put((int) offset & (CHUNK_SIZE - 1), message, priority, expiresAtNs);
    }

    Message message(long offset) {
        return Objects.requireNonNull(chunk(offset).messages[slot(offset)]);
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
        boolean[] redelivered = chunk(offset).redelivered;
        return redelivered != null && redelivered[slot(offset)];
    }

    void markRedelivered(long offset) {
        Chunk chunk = chunk(offset);
        if (chunk.redelivered == null) {
            chunk.redelivered = new boolean[CHUNK_SIZE];
        }
        chunk.redelivered[slot(offset)] = true;
    }

    void remove(long offset) {
        Chunk chunk = chunk(offset);
        chunk.messages[slot(offset)] = null;
        chunk.live--;
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

    /** For tests: how many chunks are kept. */
    int chunkCount() {
        return chunks.size();
    }

    private static final class Chunk {

        final long index;
        final @Nullable Message[] messages = new @Nullable Message[CHUNK_SIZE];
        long @Nullable [] expiriesNs;
        byte @Nullable [] priorities;
        boolean @Nullable [] redelivered;
        int live;

        Chunk(long index) {
            this.index = index;
        }

        void put(int slot, Message message, int priority, long expiresAtNs) {
            messages[slot] = message;
            live++;
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
    }
}
