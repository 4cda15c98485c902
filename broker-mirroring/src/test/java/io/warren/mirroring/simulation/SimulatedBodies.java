package io.warren.mirroring.simulation;

import io.warren.core.spi.MemoryBudget;
import io.warren.mirroring.queue.StoredEntry;
import io.warren.mirroring.ring.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bytes of one member's messages on its disk, and memory that is short by chance. */
final class SimulatedBodies implements MemoryBudget {
    private final Simulation world;
    private final Map<Long, byte[]> onDisk = new HashMap<>();

    SimulatedBodies(Simulation world) {
        this.world = world;
    }

    @Override
    public void held(long changeBytes) {
        // Nobody counts here.
    }

    @Override
    public boolean mustPage() {
        return world.chance(2);
    }

    void onDelivered(Entry<byte[]> entry) {
        if (StoredEntry.message(entry) != StoredEntry.NO_MESSAGE) {
            remember(List.of(entry.payload()));
        }
    }

    /** Those of which the bytes are not here are here already. */
    void remember(List<byte[]> publishes) {
        for (byte[] publish : publishes) {
            if (StoredEntry.isPaged(publish)) {
                whole(publish);
            } else {
                onDisk.put(StoredEntry.offset(publish), publish);
            }
        }
    }

    void clear() {
        onDisk.clear();
    }

    /** The publish of what a replica holds. */
    byte[] whole(byte[] entry) {
        if (!StoredEntry.isPaged(entry)) {
            return entry;
        }
        byte[] publish = onDisk.get(StoredEntry.offset(entry));
        if (publish == null || !StoredEntry.isSame(publish, entry)) {
            throw new IllegalStateException("message " + StoredEntry.offset(entry) + " is not on the disk");
        }
        return publish;
    }

    /** What was asked for; what is settled by now the disk may have let go of. */
    Map<Long, byte[]> of(List<Long> offsets, Map<Long, byte[]> then, Map<Long, byte[]> now) {
        Map<Long, byte[]> found = new HashMap<>();
        for (long offset : offsets) {
            byte[] entry = then.get(offset);
            if (now.containsKey(offset)) {
                found.put(offset, whole(now.get(offset)));
            } else if (entry != null && world.chance(2)) {
                found.put(offset, whole(entry));
            }
        }
        return found;
    }
}
