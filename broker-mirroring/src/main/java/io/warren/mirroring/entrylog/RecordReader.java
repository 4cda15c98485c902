package io.warren.mirroring.entrylog;

import io.warren.core.store.DamagedStoreException;
import io.warren.core.store.StoreFile;
import io.warren.core.store.StoreFiles;
import io.warren.mirroring.ring.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Reads records at places, many with each access where they stand one behind the other. Owned by one thread. */
final class RecordReader {
    private static final String REMEDY =
            "Restore the directory from a copy, or remove it: then this node's copies are taken from other"
                    + " nodes that hold them";

    private static final int WINDOW_BYTES = 256 * 1024;

    /** A window that was made for a large message is not kept. */
    private static final int KEPT_BYTES_MAX = 4 * WINDOW_BYTES;

    private final StoreFiles disk;
    private final LongFunction<@Nullable StoreFile> files;
    private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
    private long windowFile;
    private long windowStart;

    /** @param files the open ones by their numbers, where whoever asks does not have them */
    RecordReader(StoreFiles disk, LongFunction<@Nullable StoreFile> files) {
        this.disk = disk;
        this.files = files;
    }

    static DamagedStoreException damaged(String location, long position, String what) {
        return new DamagedStoreException(location, position, what, REMEDY);
    }

    DamagedStoreException damaged(long place, String what) {
        return damaged(disk.location(EntryFiles.name(PlaceTable.file(place))), PlaceTable.position(place), what);
    }

    Entry<byte[]> entry(long place, int bytes) throws IOException {
        int index = load(file(place), place, bytes);
        return EntryFormat.read(RecordFormat.head(window, index), RecordFormat.content(window, index));
    }

    /** The publish that stands there, in its entry or alone. */
    byte[] publish(long place, int bytes, long queueId, long message) throws IOException {
        return publish(file(place), place, bytes, queueId, message);
    }

    /** The publish that stands there in this file. */
    byte[] publish(StoreFile file, long place, int bytes, long queueId, long message) throws IOException {
        int index = load(file, place, bytes);
        RecordFormat.Head head = RecordFormat.head(window, index);
        if (head.queueId() != queueId || head.message() != message) {
            throw damaged(place, "message " + message + " of queue " + queueId + " is not there");
        }
        ByteBuffer content = RecordFormat.content(window, index);
        return RecordFormat.type(window, index) == RecordType.ENTRY
                ? EntryFormat.payload(content)
                : EntryFormat.rest(content);
    }

    private StoreFile file(long place) {
        return Objects.requireNonNull(files.apply(PlaceTable.file(place)), "a place in a file that is gone");
    }

    /** Brings a record into the window; returns its index there. */
    private int load(StoreFile file, long place, int bytes) throws IOException {
        boolean isThere = isInWindow(place, bytes);
        if (!isThere) {
            fill(file, place, bytes);
        }
        if (!isSound(place, bytes) && isThere) {
            // The end of a file may have been read while it was being written.
            fill(file, place, bytes);
        }
        if (!isSound(place, bytes)) {
            throw damaged(place, "the record was sound when it was written, or read before");
        }
        return index(place);
    }

    private int index(long place) {
        return (int) (PlaceTable.position(place) - windowStart);
    }

    private boolean isInWindow(long place, int bytes) {
        long position = PlaceTable.position(place);
        return PlaceTable.file(place) == windowFile
                && position >= windowStart
                && position + bytes <= windowStart + window.limit();
    }

    private boolean isSound(long place, int bytes) {
        return isInWindow(place, bytes) && RecordFormat.INSTANCE.isSound(window, index(place));
    }

    private void fill(StoreFile file, long place, int bytes) throws IOException {
        if (bytes > window.capacity() || window.capacity() > KEPT_BYTES_MAX) {
            window = ByteBuffer.allocate(Math.max(bytes, WINDOW_BYTES));
        }
        window.clear();
        file.read(window, PlaceTable.position(place));
        window.flip();
        windowFile = PlaceTable.file(place);
        windowStart = PlaceTable.position(place);
    }
}
