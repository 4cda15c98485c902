package io.warren.mirroring.entrylog;

import io.warren.core.store.DamagedStoreException;
import io.warren.core.store.StoreFile;
import io.warren.core.store.StoreFiles;
import io.warren.mirroring.ring.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;

/** Reads records at places, many with each access where they stand one behind the other. Owned by one thread. */
final class RecordReader {
    private static final String REMEDY =
            "Restore the directory from a copy, or remove it: then this node's copies are taken from other"
                    + " nodes that hold them";

    private static final int WINDOW_BYTES = 256 * 1024;

    private final StoreFiles disk;
    private final Map<Long, StoreFile> files;
    private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
    private long windowFile;
    private long windowStart;

    RecordReader(StoreFiles disk, Map<Long, StoreFile> files) {
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
        int index = load(place, bytes);
        return EntryFormat.read(RecordFormat.head(window, index), RecordFormat.content(window, index));
    }

    /** The publish that stands there, in its entry or alone. */
    byte[] publish(long place, int bytes) throws IOException {
        int index = load(place, bytes);
        ByteBuffer content = RecordFormat.content(window, index);
        return RecordFormat.type(window, index) == RecordType.ENTRY
                ? EntryFormat.payload(content)
                : EntryFormat.rest(content);
    }

    /** Brings a record into the window; returns its index there. */
    private int load(long place, int bytes) throws IOException {
        long file = PlaceTable.file(place);
        long position = PlaceTable.position(place);
        boolean isThere =
                file == windowFile && position >= windowStart && position + bytes <= windowStart + window.limit();
        if (!isThere) {
            if (bytes > window.capacity()) {
                window = ByteBuffer.allocate(bytes);
            }
            window.clear();
            Objects.requireNonNull(files.get(file), "a place in a file that is gone")
                    .read(window, position);
            window.flip();
            windowFile = file;
            windowStart = position;
        }
        int index = (int) (position - windowStart);
        if (!RecordFormat.INSTANCE.isSound(window, index)) {
            throw damaged(place, "the record was sound when it was read before");
        }
        return index;
    }
}
