package io.warren.mirroring.entrylog;

import io.warren.core.store.LogReader;
import io.warren.mirroring.entrylog.EntryFiles.EntryFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets files go of which little is needed: what is, is written again, and copies that would miss something tell their state first. Owned by the
 * log's thread.
 *
 * <p>One file at a time, the one of which the least is needed. As long as the finished files hold less than twice what is needed, nothing is
 * done; so a file that goes is half empty at least, and what is written again is less than what has come meanwhile. A file of a
 * backlog that nobody touches stays where it is.
 */
final class Reclaiming {
    /** More than this of a file is never written again. */
    private static final double LIVE_SHARE_MAX = 0.75;

    /** Who can say what a copy is. */
    interface States {

        /** What the log knows of a queue's copy; null if it is gone without a trace. */
        @Nullable CopyPlaces places(long queueId);

        /** Whether somebody can. */
        boolean canTell(long queueId);

        /** Asks; {@link Reclaiming#onState} follows when the state is written. */
        void ask(long queueId) throws IOException;

        /** Nothing is left of a copy that is gone. */
        void forget(long queueId);
    }

    private final EntryLogSettings settings;
    private final EntryFiles files;
    private final EntryWriter writer;
    private final States states;
    private @Nullable EntryFile victim;
    private final Set<Long> waitsFor = new HashSet<>();

    Reclaiming(EntryLogSettings settings, EntryFiles files, EntryWriter writer, States states) {
        this.settings = settings;
        this.files = files;
        this.writer = writer;
        this.states = states;
    }

    /** A round is over: goes on where that is possible. */
    void afterRound() throws IOException {
        if (victim == null && files.finishedBytes() > Math.max(settings.idleBytesMax(), 2 * files.liveBytes())) {
            victim = sparsest();
            if (victim != null) {
                carry(victim);
                askForStates(victim);
            }
        }
        EntryFile empty = victim;
        if (empty != null && waitsFor.isEmpty()) {
            victim = null;
            letGo(empty);
        }
    }

    /** A state was written. */
    void onState(long queueId) {
        waitsFor.remove(queueId);
    }

    /** Nobody can tell a copy's state any more: a file that needs it has to stay. */
    void onUntold(long queueId) {
        if (waitsFor.contains(queueId)) {
            waitsFor.clear();
            victim = null;
        }
    }

    private @Nullable EntryFile sparsest() {
        EntryFile sparsest = null;
        for (EntryFile file : files.all()) {
            boolean isSparser = sparsest == null || file.liveShare() < sparsest.liveShare();
            if (!files.isCurrent(file) && isSparser && file.liveShare() <= LIVE_SHARE_MAX && canGo(file)) {
                sparsest = file;
            }
        }
        return sparsest;
    }

    private boolean canGo(EntryFile file) {
        for (long queueId : file.lastOffsets.keySet()) {
            CopyPlaces copy = states.places(queueId);
            if (copy != null && copy.needsStateBehind(file) && !states.canTell(queueId)) {
                return false;
            }
        }
        return true;
    }

    /** Writes again what is needed of a file. */
    private void carry(EntryFile file) throws IOException {
        Map<Long, CopyPlaces.Appended> entries = new HashMap<>();
        for (long queueId : file.lastOffsets.keySet()) {
            CopyPlaces copy = states.places(queueId);
            if (copy != null) {
                entries.putAll(copy.entriesIn(file));
            }
        }
        new LogReader(files.location(file), file.number, file.file, RecordFormat.INSTANCE)
                .scan(
                        false,
                        (bytes, index, position) ->
                                carry(bytes, index, PlaceTable.place(file.number, position), entries));
    }

    private void carry(ByteBuffer bytes, int index, long place, Map<Long, CopyPlaces.Appended> entries)
            throws IOException {
        RecordFormat.Head head = RecordFormat.head(bytes, index);
        CopyPlaces copy = states.places(head.queueId());
        if (copy == null) {
            return;
        }
        if (head.message() >= 0 && copy.formerPlace(head.message()) == place) {
            // A recovery leaves it out, whatever it says: it is of a generation of before.
            EntryWriter.Written written = writer.again(record(bytes, index));
            copy.onFormerCarried(head.message(), written.place(), written.bytes());
            return;
        }
        if (copy.generation != head.generation()) {
            return;
        }
        CopyPlaces.Appended entry = entries.get(place);
        if (entry != null) {
            copy.onCarried(entry, writer.again(record(bytes, index)).place());
        } else if (head.message() >= 0 && copy.place(head.message()) == place) {
            EntryWriter.Written written = head.type() == RecordType.MESSAGE
                    ? writer.again(record(bytes, index))
                    : writer.message(copy, head.message(), EntryFormat.payload(RecordFormat.content(bytes, index)));
            copy.onMessage(head.message(), written.place(), written.bytes());
        }
    }

    private static ByteBuffer record(ByteBuffer bytes, int index) {
        return bytes.duplicate()
                .limit(index + RecordFormat.INSTANCE.length(bytes, index))
                .position(index);
    }

    private void askForStates(EntryFile file) throws IOException {
        for (long queueId : Set.copyOf(file.lastOffsets.keySet())) {
            CopyPlaces copy = states.places(queueId);
            if (copy != null && copy.isGoneIn(file)) {
                tellGone(copy, file);
            } else if (copy != null && copy.needsStateBehind(file)) {
                waitsFor.add(queueId);
            }
        }
        for (long queueId : Set.copyOf(waitsFor)) {
            states.ask(queueId);
        }
    }

    /** What other files hold of a copy that is gone must not come back. */
    private void tellGone(CopyPlaces copy, EntryFile file) throws IOException {
        boolean isElsewhere =
                files.all().stream().anyMatch(other -> other != file && other.lastOffsets.containsKey(copy.queueId));
        if (isElsewhere) {
            copy.onGone(writer.mark(RecordType.GONE, copy, 0).place());
        } else {
            states.forget(copy.queueId);
        }
    }

    private void letGo(EntryFile file) throws IOException {
        files.remove(file);
        writer.files(files.numbers());
        writer.flush();
        writer.force();
        files.deleteUnread(file);
    }
}
