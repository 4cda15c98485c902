package io.warren.mirroring.entrylog;

import io.warren.core.store.DamagedStoreException;
import io.warren.mirroring.mailbox.Mailbox;
import io.warren.mirroring.queue.StoredEntry;
import io.warren.mirroring.ring.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what all copies of a node hand in, round by round: all that waits is written, then forced once if something of it asks for that, then
 * told. What comes meanwhile goes into the next round. But for {@link #post}, owned by the log's thread.
 *
 * <p>After a failed force nobody knows what is on the disk: nothing is written after that, and every copy hears so.
 */
final class CopyWriter {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.entrylog");

    /** Something to be done in a round. */
    interface Task {
        void run(CopyWriter writer) throws IOException;
    }

    /** An entry: its own class, because there are so many. */
    static final class Append extends Mailbox.Input<CopyWriter> {
        private final Copy copy;
        private final Entry<byte[]> entry;
        private final long cuts;

        Append(Copy copy, Entry<byte[]> entry, long cuts) {
            this.copy = copy;
            this.entry = entry;
            this.cuts = cuts;
        }

        @Override
        public void run(CopyWriter owner) {
            owner.happen(writer -> writer.append(copy, entry, cuts));
        }
    }

    private final EntryFiles files;
    private final EntryWriter writer;
    /** Reads on the log's thread: what is written again. */
    private final RecordReader reader;

    private final MessageReading reading;
    private final Reclaiming reclaiming;
    private final EntryLogListener listener;
    private final Mailbox<CopyWriter> mailbox;

    private final Map<Long, CopyPlaces> places = new HashMap<>();
    private final Map<Long, Copy> copies = new HashMap<>();
    /** What was found at the start and nobody has taken. */
    private final Map<Long, FoundCopy> found = new HashMap<>();

    /** Copies that something was written of since the last force. */
    private final Set<Copy> written = new LinkedHashSet<>();

    /** Copies that have forgotten something in this round. */
    private final Set<CopyPlaces> forgetting = new LinkedHashSet<>();

    private final List<Runnable> whenForced = new ArrayList<>();
    /** Messages that were asked for in this round. */
    private final List<Asked> asked = new ArrayList<>();

    private boolean isForceWanted;
    private @Nullable Throwable failure;
    private boolean isOver;

    CopyWriter(
            EntryLogSettings settings,
            EntryFiles files,
            EntryWriter writer,
            RecordReader reader,
            MessageReading reading,
            EntryLogListener listener,
            Executor thread) {
        this.files = files;
        this.writer = writer;
        this.reader = reader;
        this.reading = reading;
        this.listener = listener;
        reclaiming = new Reclaiming(settings, files, writer, new States());
        mailbox = new Mailbox<>(thread, Integer.MAX_VALUE, this::round);
    }

    /** Any thread. */
    void post(Mailbox.Input<CopyWriter> input) {
        mailbox.post(input);
    }

    /** Any thread. */
    void post(Task task) {
        mailbox.post(new Mailbox.Input<>() {
            @Override
            public void run(CopyWriter owner) {
                owner.happen(task);
            }
        });
    }

    // ---- a round

    private void round(Mailbox.@Nullable Input<CopyWriter> first) {
        for (Mailbox.Input<CopyWriter> input = first; input != null; ) {
            Mailbox.Input<CopyWriter> next = Mailbox.after(input);
            input.run(this);
            input = next;
        }
        happen(CopyWriter::finishRound);
    }

    private void happen(Task task) {
        if (failure != null || isOver) {
            return;
        }
        try {
            task.run(this);
        } catch (Throwable broken) {
            // Whatever it is, an error too: members wait for what was written, and have to hear that nothing comes of
            // it.
            fail(broken);
        }
    }

    private void finishRound() throws IOException {
        tellForgotten();
        writer.flush();
        if (isForceWanted) {
            force();
        }
        reclaiming.afterRound();
        writer.flush();
        if (isForceWanted) {
            force();
        }
        readAsked();
    }

    private void force() throws IOException {
        isForceWanted = false;
        writer.force();
        List<Runnable> told = List.copyOf(whenForced);
        whenForced.clear();
        for (Copy copy : written) {
            CopyPlaces its = places.get(copy.queueId());
            if (its != null && !copy.isClosed()) {
                copy.onForced(its.lastOffset, its.cuts);
            }
        }
        written.clear();
        told.forEach(Runnable::run);
    }

    private void fail(Throwable broken) {
        failure = broken;
        LOG.error(
                "the log of mirrored queues has stopped: this node's copies take part no more. Restart the node on a disk that works; what was"
                        + " confirmed is there",
                broken);
        List<Copy> all = List.copyOf(copies.values());
        listener.onStopped(broken);
        all.forEach(copy -> copy.onFailed(broken));
    }

    // ---- what copies hand in

    private void append(Copy copy, Entry<byte[]> entry, long cuts) throws IOException {
        CopyPlaces its = its(copy);
        if (its == null) {
            return;
        }
        EntryWriter.Written record = writer.entry(its, entry, StoredEntry.message(entry));
        its.onEntry(entry, record.place(), record.bytes());
        its.cuts = cuts;
        written.add(copy);
        isForceWanted |= entry.persistent();
    }

    void cut(Copy copy, long fromOffset, long cuts) throws IOException {
        CopyPlaces its = its(copy);
        if (its != null) {
            its.onCut(fromOffset, writer.mark(RecordType.CUT, its, fromOffset).place());
            its.lastOffset = Math.min(its.lastOffset, fromOffset - 1);
            its.cuts = cuts;
        }
    }

    void forget(Copy copy, long toOffset) throws IOException {
        CopyPlaces its = its(copy);
        if (its != null) {
            its.onForgotten(toOffset);
            forgetting.add(its);
        }
    }

    /** Once in a round: a recovery that knows less keeps more, so it need not be forced. */
    private void tellForgotten() throws IOException {
        for (CopyPlaces its : forgetting) {
            if (its.tellsForgotten()) {
                its.mark(writer.mark(RecordType.FORGOTTEN, its, its.base()).place(), 0);
            }
        }
        forgetting.clear();
    }

    void hold(Copy copy) {
        CopyPlaces its = its(copy);
        if (its != null) {
            its.hold();
        }
    }

    /** The state of a copy that goes on; one that has begun anew since is not what it was. */
    void state(Copy copy, int generation, CopyState state, List<byte[]> kept, Runnable forced) throws IOException {
        CopyPlaces its = its(copy);
        if (its != null && generation == its.generation && writes(copy, its, state, kept)) {
            its.release();
            forgetting.add(its);
            written.add(copy);
            whenForced.add(forced);
        }
    }

    /** A copy begins anew with a state. */
    void restart(Copy copy, int generation, long cuts, CopyState state, List<byte[]> kept, Runnable forced)
            throws IOException {
        CopyPlaces its = its(copy);
        if (its != null) {
            its.onGeneration(generation);
            its.cuts = cuts;
            if (writes(copy, its, state, kept)) {
                written.add(copy);
                whenForced.add(forced);
            }
        }
    }

    /** Writes a state; false if a message that it names cannot be read: then this copy has failed, and no other. */
    private boolean writes(Copy copy, CopyPlaces its, CopyState state, List<byte[]> kept) throws IOException {
        try {
            write(its, state, kept);
            return true;
        } catch (UnreadableCopyException unreadable) {
            copy.onFailed(unreadable);
            return false;
        }
    }

    /** Writes a state, and before it the messages it names that stand nowhere yet. */
    private void write(CopyPlaces its, CopyState state, List<byte[]> kept) throws IOException {
        Map<Long, byte[]> inEntries = its.messagesInEntries();
        for (byte[] publish : kept) {
            long offset = StoredEntry.offset(publish);
            if (its.place(offset) == PlaceTable.NONE && !inEntries.containsKey(offset)) {
                write(its, offset, publish);
            }
        }
        its.onState(state, writer.state(its, state).place());
        reclaiming.onState(its.queueId);
        isForceWanted = true;
    }

    /** Of what stands in a generation of before, the bytes are read there. */
    private void write(CopyPlaces its, long message, byte[] publish) throws IOException {
        byte[] whole = StoredEntry.isPaged(publish) ? former(its, message, publish) : publish;
        EntryWriter.Written record = writer.message(its, message, whole);
        its.onMessage(message, record.place(), record.bytes());
    }

    private byte[] former(CopyPlaces its, long message, byte[] paged) throws IOException {
        long place = its.formerPlace(message);
        if (place == PlaceTable.NONE) {
            throw new UnreadableCopyException(
                    "message " + message + " of the copy of queue " + its.queueId + " is nowhere");
        }
        byte[] publish;
        try {
            // What is read stands in a file.
            writer.flushIfHas(place);
            publish = reader.publish(place, its.formerBytes(message), its.queueId, message);
        } catch (DamagedStoreException damaged) {
            throw new UnreadableCopyException(damaged);
        }
        if (!StoredEntry.isSame(publish, paged)) {
            throw new UnreadableCopyException(
                    "message " + message + " of the copy of queue " + its.queueId + " is another one than it was");
        }
        return publish;
    }

    /** Messages were put in where some were missing. */
    void fill(Copy copy, int generation, List<byte[]> publishes) throws IOException {
        CopyPlaces its = its(copy);
        if (its != null && generation == its.generation) {
            try {
                for (byte[] publish : publishes) {
                    write(its, StoredEntry.offset(publish), publish);
                }
            } catch (UnreadableCopyException unreadable) {
                copy.onFailed(unreadable);
            }
        }
    }

    private @Nullable CopyPlaces its(Copy copy) {
        return copies.get(copy.queueId()) == copy ? places.get(copy.queueId()) : null;
    }

    // ---- reading

    private record Asked(Copy copy, int generation, List<Long> messages, Consumer<Map<Long, byte[]>> then) {}

    /** Looked for when the round is over: what was handed in before is in files then. */
    void read(Copy copy, int generation, List<Long> messages, Consumer<Map<Long, byte[]>> then) {
        CopyPlaces its = its(copy);
        if (its != null && generation == its.generation) {
            asked.add(new Asked(copy, generation, messages, then));
        }
    }

    private void readAsked() {
        for (Asked each : asked) {
            CopyPlaces its = its(each.copy);
            if (its != null && its.generation == each.generation) {
                read(each, its);
            }
        }
        asked.clear();
    }

    private void read(Asked what, CopyPlaces its) {
        Map<Long, byte[]> publishes = new HashMap<>();
        List<MessageReading.Placed> placed = place(its, what.messages, publishes);
        reading.read(placed, publishes, new MessageReading.Listener() {
            @Override
            public void onRead(Map<Long, byte[]> all) {
                what.then.accept(all);
            }

            @Override
            public void onUnreadable(Throwable failure) {
                what.copy.onFailed(failure);
            }

            @Override
            public void onDone() {
                post(rounds -> rounds.onRead(placed));
            }
        });
    }

    /** Where messages stand, of which the files are kept until they were read; what is not forgotten yet is in memory. */
    private List<MessageReading.Placed> place(CopyPlaces its, List<Long> messages, Map<Long, byte[]> inMemory) {
        List<MessageReading.Placed> placed = new ArrayList<>();
        Map<Long, byte[]> inEntries = null;
        for (long message : messages) {
            long place = its.place(message);
            if (place != PlaceTable.NONE) {
                EntryFiles.EntryFile file = files.read(PlaceTable.file(place));
                placed.add(new MessageReading.Placed(its.queueId, message, file, place, its.bytes(message)));
                continue;
            }
            if (inEntries == null) {
                inEntries = its.messagesInEntries();
            }
            byte[] publish = inEntries.get(message);
            if (publish != null) {
                inMemory.put(message, publish);
            }
        }
        return placed;
    }

    private void onRead(List<MessageReading.Placed> placed) throws IOException {
        for (MessageReading.Placed each : placed) {
            files.onRead(each.file());
        }
    }

    /** Messages of a queue, read at once: for what is found at the start. Between rounds. */
    Map<Long, byte[]> publishes(long queueId, List<Long> messages) throws IOException {
        Map<Long, byte[]> publishes = new HashMap<>();
        CopyPlaces its = places.get(queueId);
        if (its != null) {
            List<MessageReading.Placed> placed = place(its, messages, publishes);
            for (MessageReading.Placed each : placed) {
                publishes.put(each.message(), reader.publish(each.place(), each.bytes(), queueId, each.message()));
            }
            onRead(placed);
        }
        return publishes;
    }

    // ---- copies come and go

    /** What a recovery has found. */
    void onRecovered(FoundCopy copy, CopyPlaces its) {
        found.put(copy.queueId(), copy);
        places.put(copy.queueId(), its);
    }

    /** Of a copy that is gone, as a recovery has found it. */
    void onRecovered(CopyPlaces gone) {
        places.put(gone.queueId, gone);
    }

    /** A copy that was found, or a new one, is written from now on. */
    void attach(Copy copy, int generation, CopyState state, List<byte[]> kept) throws IOException {
        CopyPlaces its = places.computeIfAbsent(copy.queueId(), id -> new CopyPlaces(id, files));
        copies.put(copy.queueId(), copy);
        found.remove(copy.queueId());
        if (generation > its.generation || its.logId != state.logId()) {
            if (generation > its.generation) {
                its.onGeneration(generation);
            }
            write(its, state, kept);
        }
        its.cuts = 0;
    }

    void detach(Copy copy) {
        if (copies.remove(copy.queueId(), copy)) {
            reclaiming.onUntold(copy.queueId());
        }
    }

    /** A copy is not wanted any more. */
    void drop(long queueId) throws IOException {
        CopyPlaces its = places.get(queueId);
        found.remove(queueId);
        copies.remove(queueId);
        if (its != null && !its.isGone()) {
            its.onGone(writer.mark(RecordType.GONE, its, 0).place());
            reclaiming.onState(queueId);
        }
    }

    private final class States implements Reclaiming.States {
        @Override
        public @Nullable CopyPlaces places(long queueId) {
            return places.get(queueId);
        }

        @Override
        public boolean canTell(long queueId) {
            return copies.containsKey(queueId) || found.containsKey(queueId);
        }

        @Override
        public void ask(long queueId) throws IOException {
            Copy copy = copies.get(queueId);
            FoundCopy untaken = found.get(queueId);
            if (copy != null) {
                copy.askForState();
            } else if (untaken != null) {
                CopyPlaces itsPlaces = Objects.requireNonNull(places.get(queueId), "places");
                write(itsPlaces, untaken.state(untaken.logId()), CopyState.kept(untaken.snapshot()));
            }
        }

        @Override
        public void forget(long queueId) {
            places.remove(queueId);
        }
    }

    // ---- the end

    /** All that was handed in is on the disk after this, and the file says that it ends there. */
    void finish() throws IOException {
        if (failure == null) {
            forgetting.addAll(places.values());
            tellForgotten();
            writer.flush();
            writer.finish();
        }
    }

    /** Nothing is written after this. */
    void end() {
        isOver = true;
    }
}
