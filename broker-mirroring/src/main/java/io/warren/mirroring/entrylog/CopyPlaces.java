package io.warren.mirroring.entrylog;

import io.warren.mirroring.queue.OffsetRange;
import io.warren.mirroring.queue.StoredEntry;
import io.warren.mirroring.ring.Entry;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What of the log one copy still needs, and where that stands. Owned by the log's thread.
 *
 * <p>Every entry that the ring has not forgotten is needed, and of what is forgotten every message that is not settled: a settlement counts
 * when it is forgotten too, for then it is stable and nobody takes it back.
 */
final class CopyPlaces {
    final long queueId;
    private final EntryFiles files;
    private final PlaceTable messages;
    /** Where messages stand that the generations before held: until a state says that nothing is missing, they may be put in again. */
    private final PlaceTable former;

    private final ArrayDeque<Appended> entries = new ArrayDeque<>();

    int generation;
    long logId;
    /** What was written last of the ring's log, and how many cuts came before it. */
    long lastOffset;

    long cuts;
    /** States that are on their way, each of the base of its time: until they are there nothing more is forgotten. */
    private int holds;

    private long heldForget;
    /** Files with messages that were settled since the last state, which may name them. */
    private final Set<Long> settledSince = new HashSet<>();

    /** Whether something is forgotten that no record has told. */
    private boolean hasUntold;
    /** Up to there entries are forgotten. */
    private long base;
    /** The base of the last state, and the file it stands in; 0 before the first. */
    private long stateBase;

    private long stateFile;
    /** The copy is gone, and what is left of it in files has to be told so. */
    private boolean isGone;

    /** An entry that is not forgotten, and where it stands. */
    static final class Appended {
        private final Entry<byte[]> entry;
        private final int bytes;
        private long place;

        Appended(Entry<byte[]> entry, long place, int bytes) {
            this.entry = entry;
            this.place = place;
            this.bytes = bytes;
        }
    }

    CopyPlaces(long queueId, EntryFiles files) {
        this.queueId = queueId;
        this.files = files;
        messages = new PlaceTable(files::dead);
        former = new PlaceTable(files::dead);
    }

    // ---- what is written

    void onEntry(Entry<byte[]> entry, long place, int bytes) {
        lastOffset = entry.offset();
        entries.addLast(new Appended(entry, place, bytes));
        files.live(place, bytes);
        mark(place, entry.offset());
    }

    void onCut(long fromOffset, long place) {
        while (!entries.isEmpty() && entries.getLast().entry.offset() >= fromOffset) {
            Appended cut = entries.removeLast();
            files.dead(cut.place, cut.bytes);
        }
        mark(place, fromOffset);
    }

    /** A state is on its way, of the present base. */
    void hold() {
        holds++;
    }

    /** A state that was on its way is there. */
    void release() {
        holds--;
        if (holds == 0 && heldForget > 0) {
            long forget = heldForget;
            heldForget = 0;
            onForgotten(forget);
        }
    }

    /** The ring has forgotten what lies up to there. */
    void onForgotten(long toOffset) {
        if (holds > 0) {
            heldForget = toOffset;
            return;
        }
        base = Math.max(base, toOffset);
        while (!entries.isEmpty() && entries.getFirst().entry.offset() <= toOffset) {
            Appended gone = entries.removeFirst();
            long message = StoredEntry.message(gone.entry);
            if (message == StoredEntry.NO_MESSAGE) {
                files.dead(gone.place, gone.bytes);
                StoredEntry.settled(gone.entry).forEach(range -> messages.remove(range, this::onSettled));
            } else {
                messages.put(message, gone.place, gone.bytes);
            }
            hasUntold = true;
        }
    }

    private void onSettled(long place, int bytes) {
        files.dead(place, bytes);
        settledSince.add(PlaceTable.file(place));
    }

    /** Whether a recovery should hear of what is forgotten; once. */
    boolean tellsForgotten() {
        boolean tells = hasUntold && holds == 0;
        hasUntold &= holds > 0;
        return tells;
    }

    /** A message was written by itself, whatever there was of it before. */
    void onMessage(long offset, long place, int bytes) {
        former.remove(new OffsetRange(offset, offset));
        messages.put(offset, place, bytes);
        files.live(place, bytes);
        mark(place, 0);
    }

    /** A state was written, with messages that all have places. Others are settled, unless messages are missing and come meanwhile. */
    void onState(CopyState state, long place) {
        if (state.tables().missingBelow() == 0) {
            messages.retain(state.messages(), state.tables().nextOffset());
            former.clear();
        }
        base = Math.max(base, state.base().offset());
        stateBase = state.base().offset();
        stateFile = PlaceTable.file(place);
        logId = state.logId();
        mark(place, stateBase);
        lastOffset = Math.max(lastOffset, stateBase);
        settledSince.clear();
    }

    /** Nothing of what was written counts any more, but for what follows, which may name messages of before. */
    void onGeneration(int next) {
        generation = next;
        messages.moveTo(former);
        for (Appended entry : entries) {
            long message = StoredEntry.message(entry.entry);
            if (message == StoredEntry.NO_MESSAGE) {
                files.dead(entry.place, entry.bytes);
            } else {
                former.put(message, entry.place, entry.bytes);
            }
        }
        entries.clear();
        base = 0;
        lastOffset = 0;
        holds = 0;
        heldForget = 0;
        settledSince.clear();
        hasUntold = false;
        isGone = false;
    }

    void onGone(long place) {
        onGeneration(generation);
        former.clear();
        isGone = true;
        stateFile = PlaceTable.file(place);
        stateBase = Long.MAX_VALUE;
        mark(place, 0);
    }

    void mark(long place, long offset) {
        files.get(PlaceTable.file(place)).mark(queueId, offset);
    }

    // ---- what is asked

    boolean isGone() {
        return isGone;
    }

    long base() {
        return base;
    }

    /** Where a message stands, or {@link PlaceTable#NONE}; of entries that are not forgotten nothing is said. */
    long place(long message) {
        return messages.get(message);
    }

    /** Bytes of the record of a message that has a place. */
    int bytes(long message) {
        return messages.bytes(message);
    }

    /** Where a message of the generations before stands, or {@link PlaceTable#NONE}. */
    long formerPlace(long message) {
        return former.get(message);
    }

    int formerBytes(long message) {
        return former.bytes(message);
    }

    /** The publishes in entries which are not forgotten, by the offsets of their messages. */
    Map<Long, byte[]> messagesInEntries() {
        Map<Long, byte[]> publishes = new HashMap<>();
        for (Appended each : entries) {
            byte[] payload = each.entry.payload();
            long message = StoredEntry.message(each.entry);
            if (payload != null && message != StoredEntry.NO_MESSAGE) {
                publishes.put(message, payload);
            }
        }
        return publishes;
    }

    /** Whether a recovery would miss something if this file were gone, and no state came behind it. */
    boolean needsStateBehind(EntryFiles.EntryFile file) {
        Long last = file.lastOffsets.get(queueId);
        return last != null && (stateFile == file.number || last > stateBase || settledSince.contains(file.number));
    }

    /** Whether its last record, that it is gone, stands there. */
    boolean isGoneIn(EntryFiles.EntryFile file) {
        return isGone && stateFile == file.number;
    }

    // ---- what is carried forward

    /** The entries that are not forgotten and stand in a file, by place. */
    Map<Long, Appended> entriesIn(EntryFiles.EntryFile file) {
        Map<Long, Appended> there = new HashMap<>();
        for (Appended entry : entries) {
            if (PlaceTable.file(entry.place) == file.number) {
                there.put(entry.place, entry);
            }
        }
        return there;
    }

    /** An entry stands somewhere else now. */
    void onCarried(Appended entry, long place) {
        files.dead(entry.place, entry.bytes);
        entry.place = place;
        files.live(place, entry.bytes);
        mark(place, entry.entry.offset());
    }

    /** A message of the generations before stands somewhere else now. */
    void onFormerCarried(long message, long place, int bytes) {
        former.put(message, place, bytes);
        files.live(place, bytes);
        mark(place, 0);
    }

    // ---- after a start

    /**
     * What a recovery has found; the entries behind the base come as if they were written.
     *
     * @param state the last that was written, and {@code statePlace} where
     * @param forgotten up to there entries are forgotten
     * @param found where the messages stand, and more
     * @param unsettled messages that are not settled and stand in no entry behind the base
     */
    void onRecovered(CopyState state, long statePlace, long forgotten, PlaceTable found, Iterable<Long> unsettled) {
        onState(state, statePlace);
        base = forgotten;
        for (OffsetRange range : state.messages()) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                settledSince.add(PlaceTable.file(found.get(offset)));
            }
        }
        for (long offset : unsettled) {
            long place = found.get(offset);
            messages.put(offset, place, found.bytes(offset));
            files.live(place, found.bytes(offset));
        }
    }
}
