package io.warren.mirroring.entrylog;

import io.warren.core.store.DamagedStoreException;
import io.warren.core.store.LogFile;
import io.warren.core.store.LogReader;
import io.warren.core.store.StoreFile;
import io.warren.core.store.StoreFiles;
import io.warren.core.store.Versions;
import io.warren.core.store.format.FileHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what an earlier run has left, twice: for where things stand, and for what they say. Cuts a torn tail, refuses damage, and removes files
 * that the log does not name, in that order: whatever is refused is left as it was found.
 */
final class EntryRecovery {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.entrylog");

    private final StoreFiles disk;
    private final EntryFiles files;
    private final TreeMap<Long, StoreFile> open = new TreeMap<>();
    private final Map<Long, TreeMap<Integer, CopyIndex>> indexes = new HashMap<>();
    /** Copies that went, where none came after. */
    private final Map<Long, Gone> gone = new HashMap<>();

    private final List<String> leftovers = new ArrayList<>();
    private long cutBytes;
    private long records;

    EntryRecovery(StoreFiles disk, EntryFiles files) {
        this.disk = disk;
        this.files = files;
    }

    private record Gone(int generation, long place) {}

    /** Takes every record. */
    private interface Visitor {
        void record(RecordFormat.Head head, ByteBuffer bytes, int index, long place, int length) throws IOException;
    }

    /** Reads everything, and tells the writer what it has to know. */
    void run(CopyWriter writer, Map<Long, FoundCopy> found, Map<Long, Integer> generations) throws IOException {
        try {
            LogReader.@Nullable Scan newest = openFiles();
            for (long number : open.keySet()) {
                files.addFinished(number, file(number), file(number).size());
                read(number, this::index);
            }
            Map<Long, CopyRecovery> copies = begin();
            readBehindStates(copies);
            for (Map.Entry<Long, CopyRecovery> each : copies.entrySet()) {
                FoundCopy copy = each.getValue().copy();
                if (copy != null) {
                    found.put(each.getKey(), copy);
                    writer.onRecovered(copy, each.getValue().places(copy, files));
                }
            }
            finish(newest);
        } catch (IOException | RuntimeException refused) {
            for (StoreFile file : open.values()) {
                file.close();
            }
            throw refused;
        }
        indexes.forEach((queueId, byGeneration) -> generations.put(queueId, byGeneration.lastKey()));
        gone.forEach((queueId, last) -> {
            generations.merge(queueId, last.generation, Math::max);
            CopyPlaces places = new CopyPlaces(queueId, files);
            places.generation = last.generation;
            places.onGone(last.place);
            writer.onRecovered(places);
        });
    }

    private StoreFile file(long number) {
        StoreFile file = open.get(number);
        if (file == null) {
            throw new IllegalStateException("file " + number + " is not open");
        }
        return file;
    }

    // ---- which files there are

    /** Opens the files that count; what the newest looks like, or null if there is none. */
    private LogReader.@Nullable Scan openFiles() throws IOException {
        NavigableMap<Long, String> names = new TreeMap<>();
        for (String name : disk.list()) {
            long number = EntryFiles.number(name);
            if (number >= 0) {
                names.put(number, name);
            }
        }
        dropUnused(names);
        for (Map.Entry<Long, String> each : names.entrySet()) {
            open.put(each.getKey(), disk.open(each.getValue()));
        }
        LogReader.@Nullable Scan newest = null;
        Set<Long> named = null;
        for (long number : open.descendingKeySet()) {
            boolean isNewest = number == open.lastKey();
            Set<Long> inFile = new HashSet<>();
            LogReader.Scan scan = scan(number, isNewest, (head, bytes, index, place, length) -> {
                if (head.type() == RecordType.FILES) {
                    inFile.clear();
                    ByteBuffer content = RecordFormat.content(bytes, index);
                    while (content.hasRemaining()) {
                        inFile.add(content.getLong());
                    }
                }
            });
            newest = isNewest ? scan : newest;
            if (!inFile.isEmpty()) {
                named = inFile;
                keepNamed(named, number);
                break;
            }
        }
        return newest;
    }

    /** Whether the newest file's very first bytes did not get to the disk, so that nothing behind them did. */
    private void dropUnused(NavigableMap<Long, String> names) throws IOException {
        while (!names.isEmpty()) {
            String name = names.lastEntry().getValue();
            String location = disk.location(name);
            try (StoreFile file = disk.open(name)) {
                ByteBuffer bytes = ByteBuffer.allocate(FileHeader.BYTES);
                file.read(bytes, 0);
                if (FileHeader.read(bytes.flip()) != null || file.size() > FileHeader.BYTES) {
                    return;
                }
            }
            LOG.warn("{} was begun and never used; it goes", location);
            leftovers.add(name);
            names.pollLastEntry();
        }
    }

    /** Files that the log does not name have gone, though the disk did not hear of it; those it names have to be there. */
    private void keepNamed(Set<Long> named, long namedBy) throws IOException {
        for (long number : named) {
            if (!open.containsKey(number)) {
                throw RecordReader.damaged(disk.location(EntryFiles.name(number)), 0, "the file is missing");
            }
        }
        for (long number : List.copyOf(open.keySet())) {
            if (number < namedBy && !named.contains(number)) {
                leftovers.add(EntryFiles.name(number));
                StoreFile left = open.remove(number);
                if (left != null) {
                    left.close();
                }
            }
        }
    }

    // ---- reading

    private LogReader.Scan scan(long number, boolean isNewest, Visitor visitor) throws IOException {
        String location = disk.location(EntryFiles.name(number));
        StoreFile file = file(number);
        checkHeader(file, number, location);
        return new LogReader(location, number, file, RecordFormat.INSTANCE).scan(isNewest, (bytes, index, position) -> {
            try {
                visitor.record(
                        RecordFormat.head(bytes, index),
                        bytes,
                        index,
                        PlaceTable.place(number, position),
                        RecordFormat.INSTANCE.length(bytes, index));
            } catch (RuntimeException unreadable) {
                DamagedStoreException damage = RecordReader.damaged(
                        location, position, "a sound record says what makes no sense: " + unreadable.getMessage());
                damage.initCause(unreadable);
                throw damage;
            }
        });
    }

    private static void checkHeader(StoreFile file, long number, String location) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(FileHeader.BYTES);
        file.read(bytes, 0);
        FileHeader header = FileHeader.read(bytes.flip());
        if (header == null) {
            throw RecordReader.damaged(location, 0, "it has no header");
        }
        Versions.check(header, location);
        if (header.kind() != FileHeader.Kind.REPLICAS || header.number() != number) {
            throw RecordReader.damaged(location, 0, "its header is that of another file: " + header);
        }
    }

    private void read(long number, Visitor visitor) throws IOException {
        scan(number, number == open.lastKey(), visitor);
    }

    private void index(RecordFormat.Head head, ByteBuffer bytes, int at, long place, int length) {
        records++;
        if (head.type() == RecordType.FILES) {
            return;
        }
        long queueId = head.queueId();
        boolean isCut = head.type() == RecordType.ENTRY || head.type() == RecordType.CUT;
        files.get(PlaceTable.file(place)).mark(queueId, isCut ? head.offset() : 0);
        TreeMap<Integer, CopyIndex> byGeneration = indexes.computeIfAbsent(queueId, id -> new TreeMap<>());
        CopyIndex index = byGeneration.computeIfAbsent(head.generation(), number -> new CopyIndex());
        switch (head.type()) {
            case ENTRY -> index.onEntry(head, place, length);
            case CUT -> index.onCut(head.offset());
            case FORGOTTEN -> index.onForgotten(head.offset());
            case MESSAGE -> index.onMessage(head.message(), place, length);
            case STATE -> {
                index.onState(StateFormat.read(RecordFormat.content(bytes, at)), place);
                byGeneration.headMap(head.generation()).clear();
            }
            case GONE -> {
                gone.put(queueId, new Gone(head.generation(), place));
                byGeneration.headMap(head.generation(), true).clear();
                if (byGeneration.isEmpty()) {
                    indexes.remove(queueId);
                }
            }
            case FILES -> throw new IllegalStateException("told before");
        }
    }

    /** Each copy as of the last state of its youngest generation that has one. */
    private Map<Long, CopyRecovery> begin() throws IOException {
        RecordReader reader = new RecordReader(disk, open::get);
        Map<Long, CopyRecovery> copies = new HashMap<>();
        for (Map.Entry<Long, TreeMap<Integer, CopyIndex>> each : indexes.entrySet()) {
            long queueId = each.getKey();
            for (Map.Entry<Integer, CopyIndex> candidate :
                    each.getValue().descendingMap().entrySet()) {
                CopyState state = candidate.getValue().state();
                Gone went = gone.get(queueId);
                if (state != null && (went == null || candidate.getKey() > went.generation)) {
                    copies.put(
                            queueId,
                            new CopyRecovery(queueId, candidate.getKey(), candidate.getValue(), state, reader));
                    gone.remove(queueId);
                    break;
                }
            }
        }
        return copies;
    }

    private void readBehindStates(Map<Long, CopyRecovery> copies) throws IOException {
        for (long number : open.keySet()) {
            read(number, (head, bytes, at, place, length) -> {
                CopyRecovery copy = copies.get(head.queueId());
                if (copy == null || !copy.follows(head, place)) {
                    return;
                }
                switch (head.type()) {
                    case ENTRY -> copy.onEntry(EntryFormat.read(head, RecordFormat.content(bytes, at)), place, length);
                    case CUT -> copy.onCut(head.offset());
                    case FORGOTTEN -> copy.onForgotten(head.offset(), place);
                    case MESSAGE, STATE, GONE, FILES -> {
                        // The first reading has found what there is of these.
                    }
                }
            });
        }
    }

    // ---- leaving it in order

    /** Cuts what is torn and says in the file that it ends there; all that was read is on disk after this. */
    private void finish(LogReader.@Nullable Scan newest) throws IOException {
        if (newest != null && !newest.isSealed()) {
            long number = open.lastKey();
            StoreFile file = file(number);
            if (newest.cutBytes() > 0) {
                cutBytes = newest.cutBytes();
                LOG.warn(
                        "{} is torn: {} bytes from byte {} on were not written to their end and are cut; nothing of them counted as"
                                + " durable",
                        disk.location(EntryFiles.name(number)),
                        newest.cutBytes(),
                        newest.end());
                file.truncate(newest.end());
            }
            file.force();
            LogFile reopened = LogFile.reopened(number, file, newest.end());
            reopened.seal();
            reopened.force();
            files.get(number).bytes = file.size();
        }
        for (String name : leftovers) {
            disk.delete(name);
        }
        if (!leftovers.isEmpty()) {
            disk.forceDirectory();
        }
    }

    long cutBytes() {
        return cutBytes;
    }

    long recordCount() {
        return records;
    }
}
