package io.warren.mirroring.entrylog;

import io.warren.core.store.StoreFiles;
import io.warren.core.store.format.Batch;
import io.warren.mirroring.ring.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes records, one behind the other, into file after file. Owned by the log's thread. */
final class EntryWriter {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.entrylog");

    /** Records are written when so many bytes of them are there, and at the end of a round. */
    private static final int BUFFER_BYTES = 1024 * 1024;

    private final StoreFiles disk;
    private final EntryLogSettings settings;
    private final EntryFiles files;
    private final int bufferBytes;
    private ByteBuffer buffer;
    private long writtenBytes;
    private long forces;
    private volatile boolean stopping;

    EntryWriter(StoreFiles disk, EntryLogSettings settings, EntryFiles files) {
        this.disk = disk;
        this.settings = settings;
        this.files = files;
        bufferBytes = (int) Math.max(Batch.HEADER_BYTES + 1024, Math.min(BUFFER_BYTES, settings.fileBytes()));
        buffer = ByteBuffer.allocateDirect(bufferBytes);
        clearBuffer();
    }

    /** Where a record stands, and its bytes. */
    record Written(long place, int bytes) {}

    // ---- records

    Written entry(CopyPlaces copy, Entry<byte[]> entry, long message) throws IOException {
        ByteBuffer to = reserve(RecordFormat.HEADER_BYTES + EntryFormat.bytesMax(entry));
        int flags = entry.persistent() ? RecordFormat.PERSISTENT : 0;
        int start = RecordFormat.begin(
                to,
                new RecordFormat.Head(
                        RecordType.ENTRY,
                        flags,
                        copy.generation,
                        copy.queueId,
                        entry.offset(),
                        entry.epoch(),
                        message));
        EntryFormat.write(to, entry);
        return end(to, start);
    }

    Written mark(RecordType type, CopyPlaces copy, long offset) throws IOException {
        return plain(type, copy, offset, -1, new byte[0]);
    }

    Written message(CopyPlaces copy, long offset, byte[] publish) throws IOException {
        return plain(RecordType.MESSAGE, copy, 0, offset, publish);
    }

    Written state(CopyPlaces copy, CopyState state) throws IOException {
        return plain(RecordType.STATE, copy, 0, -1, StateFormat.bytes(state));
    }

    /** A record that is there as it is. */
    Written again(ByteBuffer record) throws IOException {
        ByteBuffer to = reserve(record.remaining());
        int start = to.position();
        to.put(record);
        return new Written(placeOf(start), to.position() - start);
    }

    private Written plain(RecordType type, CopyPlaces copy, long offset, long message, byte[] content)
            throws IOException {
        ByteBuffer to = reserve(RecordFormat.HEADER_BYTES + content.length);
        int start = RecordFormat.begin(
                to, new RecordFormat.Head(type, 0, copy.generation, copy.queueId, offset, 0, message));
        to.put(content);
        return end(to, start);
    }

    /** Names the files there are. */
    void files(List<Long> numbers) throws IOException {
        ByteBuffer to = reserve(RecordFormat.HEADER_BYTES + Long.BYTES * numbers.size());
        int start = RecordFormat.begin(to, new RecordFormat.Head(RecordType.FILES, 0, 0, 0, 0, 0, -1));
        numbers.forEach(to::putLong);
        RecordFormat.end(to, start);
    }

    private Written end(ByteBuffer to, int start) {
        int bytes = RecordFormat.end(to, start);
        return new Written(placeOf(start), bytes);
    }

    private long placeOf(int start) {
        return PlaceTable.place(files.current().number(), files.current().end() + start);
    }

    private ByteBuffer reserve(int bytes) throws IOException {
        if (bytes > buffer.remaining()) {
            flush();
        }
        if (bytes > buffer.remaining()) {
            // A file may have begun, with a record of its own.
            append();
            buffer = ByteBuffer.allocateDirect(Math.addExact(bytes, Batch.HEADER_BYTES));
            clearBuffer();
        }
        return buffer;
    }

    private void clearBuffer() {
        buffer.clear().position(Batch.HEADER_BYTES);
    }

    // ---- files

    /** Begins the first file of this run. */
    void begin() throws IOException {
        withRoom(files::begin);
        files(files.numbers());
    }

    /** Writes the records that are in the buffer, as one batch, and begins the next file when it is time. */
    void flush() throws IOException {
        append();
        if (files.current().end() >= settings.fileBytes()) {
            finish();
            begin();
        }
    }

    /** Whoever is about to read there finds what was written there. */
    void flushIfHas(long place) throws IOException {
        if (PlaceTable.file(place) == files.current().number()
                && PlaceTable.position(place) >= files.current().end()) {
            flush();
        }
    }

    private void append() throws IOException {
        int bytes = buffer.position();
        if (bytes == Batch.HEADER_BYTES) {
            return;
        }
        withRoom(() -> files.current().append(buffer, 0));
        clearBuffer();
        if (buffer.capacity() > 4 * bufferBytes) {
            buffer = ByteBuffer.allocateDirect(bufferBytes);
            clearBuffer();
        }
        writtenBytes += bytes;
    }

    void force() throws IOException {
        if (!files.current().isForced()) {
            forces++;
            files.current().force();
        }
    }

    /** Nothing follows in the present file, and all of it is on the disk. */
    void finish() throws IOException {
        withRoom(files.current()::seal);
        forces++;
        files.current().force();
    }

    /** What may be tried again when it has failed. */
    private interface Writing {
        void run() throws IOException;
    }

    /** On a full disk it waits and tries again: nothing was forced yet, so nothing is in doubt. */
    private void withRoom(Writing writing) throws IOException {
        while (true) {
            try {
                writing.run();
                return;
            } catch (IOException refused) {
                if (stopping || settings.retryNs() == 0) {
                    throw refused;
                }
                LOG.warn("{} cannot be written; what comes waits for room", disk.location(""), refused);
                LockSupport.parkNanos(this, settings.retryNs());
            }
        }
    }

    /** A wait for room ends. Any thread. */
    void stopWaiting() {
        stopping = true;
    }

    /** Bytes written to files since the start. */
    long writtenBytes() {
        return writtenBytes;
    }

    long forceCount() {
        return forces;
    }
}
