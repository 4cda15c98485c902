package io.warren.mirroring.entrylog;

import io.warren.core.store.LogFile;
import io.warren.core.store.StoreFile;
import io.warren.core.store.StoreFiles;
import io.warren.core.store.format.FileHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files there are, and what is needed of each. Owned by the log's thread.
 *
 * <p>Files go in any order. So that a missing one is told from one that went, the log names those there are ({@link RecordType#FILES}): at the
 * beginning of each file, and before one goes.
 */
final class EntryFiles {
    private static final String PREFIX = "entries-";
    private static final String END = ".log";

    /** One file; its copies with the highest offset of the ring's log that each has in it. */
    static final class EntryFile {
        final long number;
        final StoreFile file;
        /** Of a finished file its size. */
        long bytes;
        /** Of records that a recovery still needs, but for states. */
        long liveBytes;

        final Map<Long, Long> lastOffsets = new HashMap<>();
        /** Readings under way: it is not deleted meanwhile. */
        private int readers;

        private boolean isRemoved;

        EntryFile(long number, StoreFile file, long bytes) {
            this.number = number;
            this.file = file;
            this.bytes = bytes;
        }

        /** A record of that copy stands here, of the ring's log up to that offset. */
        void mark(long queueId, long offset) {
            lastOffsets.merge(queueId, offset, Math::max);
        }

        double liveShare() {
            return (double) liveBytes / bytes;
        }
    }

    private final StoreFiles files;
    private final TreeMap<Long, EntryFile> byNumber = new TreeMap<>();
    private @Nullable LogFile current;
    private long finishedBytes;

    EntryFiles(StoreFiles files) {
        this.files = files;
    }

    static String name(long number) {
        return PREFIX + String.format(Locale.ROOT, "%010d", number) + END;
    }

    /** The number in the name of a file of the log, or -1. */
    static long number(String name) {
        if (!name.startsWith(PREFIX) || !name.endsWith(END)) {
            return -1;
        }
        String digits = name.substring(PREFIX.length(), name.length() - END.length());
        return digits.matches("[0-9]{1,10}") ? Long.parseLong(digits) : -1;
    }

    /** A file of an earlier run. */
    void addFinished(long number, StoreFile file, long bytes) {
        byNumber.put(number, new EntryFile(number, file, bytes));
        finishedBytes += bytes;
    }

    LogFile current() {
        return Objects.requireNonNull(current, "no file was begun");
    }

    /** Begins the next file; the one before is finished. If that fails, nothing has changed, and it may be tried again. */
    void begin() throws IOException {
        long number = byNumber.isEmpty() ? 1 : byNumber.lastKey() + 1;
        LogFile next = LogFile.create(files, name(number), FileHeader.Kind.REPLICAS, number);
        if (current != null) {
            EntryFile finished = get(current.number());
            finished.bytes = current.end();
            finishedBytes += finished.bytes;
        }
        current = next;
        byNumber.put(number, new EntryFile(number, next.file(), 0));
    }

    EntryFile get(long number) {
        return Objects.requireNonNull(byNumber.get(number), "a place in a file that is gone");
    }

    Collection<EntryFile> all() {
        return byNumber.values();
    }

    List<Long> numbers() {
        return new ArrayList<>(byNumber.keySet());
    }

    boolean isCurrent(EntryFile file) {
        return file.number == current().number();
    }

    long finishedBytes() {
        return finishedBytes;
    }

    /** Of all files. */
    long liveBytes() {
        return byNumber.values().stream().mapToLong(file -> file.liveBytes).sum();
    }

    void live(long place, int bytes) {
        get(PlaceTable.file(place)).liveBytes += bytes;
    }

    void dead(long place, int bytes) {
        get(PlaceTable.file(place)).liveBytes -= bytes;
    }

    /** A finished file is none of the log's any more. */
    void remove(EntryFile file) {
        byNumber.remove(file.number);
        finishedBytes -= file.bytes;
    }

    /** A file is read from, until {@link #onRead}. */
    EntryFile read(long number) {
        EntryFile file = get(number);
        file.readers++;
        return file;
    }

    /** Somebody has read. */
    void onRead(EntryFile file) throws IOException {
        file.readers--;
        deleteIfUnused(file);
    }

    /** A file goes that was removed, as soon as nobody reads from it. The log has said so, and that is forced: after a crash it is a leftover. */
    void deleteUnread(EntryFile file) throws IOException {
        file.isRemoved = true;
        deleteIfUnused(file);
    }

    private void deleteIfUnused(EntryFile file) throws IOException {
        if (file.isRemoved && file.readers == 0) {
            delete(file);
        }
    }

    private void delete(EntryFile file) throws IOException {
        file.file.close();
        files.delete(name(file.number));
        files.forceDirectory();
    }

    String location(EntryFile file) {
        return files.location(name(file.number));
    }

    void close() throws IOException {
        for (EntryFile file : byNumber.values()) {
            file.file.close();
        }
        byNumber.clear();
    }
}
