package io.warren.mirroring.entrylog;

import io.warren.core.store.DamagedStoreException;
import io.warren.mirroring.queue.OffsetRange;
import io.warren.mirroring.queue.StoredEntry;
import io.warren.mirroring.queue.StoredReplica;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.Senders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes one copy from its last state and what was written behind it. */
final class CopyRecovery {
    private final long queueId;
    private final int generation;
    private final CopyIndex index;
    private final CopyState state;
    private final RecordReader records;
    private final StoredReplica replica;
    private final Senders senders;
    private final TreeMap<Long, Placed> entries = new TreeMap<>();
    private Position base;
    /** What the state had applied was cut: it stands for nothing. */
    private boolean isVoid;

    private record Placed(Entry<byte[]> entry, long place, int bytes) {}

    CopyRecovery(long queueId, int generation, CopyIndex index, CopyState state, RecordReader records)
            throws IOException {
        this.queueId = queueId;
        this.generation = generation;
        this.index = index;
        this.state = state;
        this.records = records;
        base = state.base();
        senders = Senders.of(state.senders());
        replica = new StoredReplica(state.tables().with(messages()), state.applied());
        for (Map.Entry<Long, CopyIndex.Indexed> each : index.entriesAtState().entrySet()) {
            CopyIndex.Indexed at = each.getValue();
            add(records.entry(at.place(), at.bytes()), at.place(), at.bytes());
        }
    }

    /** Read, to know what has to be known of them; their bytes stay on the disk. */
    private List<byte[]> messages() throws IOException {
        List<byte[]> publishes = new ArrayList<>();
        for (OffsetRange range : state.messages()) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                long place = index.messages().get(offset);
                if (place == PlaceTable.NONE) {
                    throw damaged(index.statePlace(), "message " + offset + " is nowhere");
                }
                byte[] publish = records.publish(place, index.messages().bytes(offset), queueId, offset);
                publishes.add(StoredEntry.paged(publish));
            }
        }
        return publishes;
    }

    private DamagedStoreException damaged(long place, String what) {
        return records.damaged(place, "of the copy of queue " + queueId + " " + what);
    }

    /** Whether a record is of this generation and stands behind the state. */
    boolean follows(RecordFormat.Head head, long place) {
        return head.generation() == generation && place > index.statePlace();
    }

    // ---- what stands behind the state

    void onEntry(Entry<byte[]> entry, long place, int bytes) throws IOException {
        long offset = entry.offset();
        Placed before = entries.get(offset);
        if (before != null && before.entry.position().equals(entry.position())) {
            entries.put(offset, new Placed(entry, place, bytes));
        } else if (offset > base.offset()) {
            if (before != null) {
                onCut(offset);
            }
            add(entry, place, bytes);
        }
    }

    private void add(Entry<byte[]> entry, long place, int bytes) throws IOException {
        if (entry.offset() != last() + 1) {
            throw damaged(place, "entry " + (last() + 1) + " is missing before " + entry.position());
        }
        entries.put(entry.offset(), new Placed(entry, place, bytes));
        if (entry.offset() > state.applied().offset() && !isVoid) {
            replica.onEntry(entry);
        }
    }

    private long last() {
        return entries.isEmpty() ? base.offset() : entries.lastKey();
    }

    void onCut(long fromOffset) {
        entries.tailMap(fromOffset).clear();
        isVoid |= !replica.cut(fromOffset);
    }

    void onForgotten(long toOffset, long place) throws IOException {
        if (toOffset > last()) {
            throw damaged(place, "entries up to " + toOffset + " are missing behind " + last());
        }
        Map<Long, Placed> gone = entries.headMap(toOffset, true);
        for (Placed each : gone.values()) {
            senders.onEntry(each.entry);
            base = each.entry.position();
        }
        gone.clear();
        if (!isVoid) {
            replica.applyUpTo(toOffset);
        }
    }

    // ---- the outcome

    /** The copy; null if it stands for nothing. */
    @Nullable FoundCopy copy() throws IOException {
        if (isVoid || replica.last() < base.offset()) {
            return null;
        }
        return new FoundCopy(
                queueId,
                state.logId(),
                base,
                senders.rows(),
                entries.values().stream().map(Placed::entry).toList(),
                replica.applied(),
                replica.snapshot());
    }

    /** What the log still needs of it. */
    CopyPlaces places(FoundCopy found, EntryFiles files) {
        CopyPlaces places = new CopyPlaces(queueId, files);
        places.generation = generation;
        Set<Long> unsettled = new TreeSet<>();
        CopyState.kept(found.snapshot()).forEach(publish -> unsettled.add(StoredEntry.offset(publish)));
        found.entries().forEach(entry -> unsettled.remove(StoredEntry.message(entry)));
        places.onRecovered(state, index.statePlace(), base.offset(), index.messages(), unsettled);
        entries.values().forEach(each -> places.onEntry(each.entry, each.place, each.bytes));
        return places;
    }
}
