package io.warren.core.store;

import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Restart;
import io.warren.core.store.format.Batch;
import io.warren.core.store.format.CommandCodec;
import io.warren.core.store.format.FileHeader;
import io.warren.core.store.format.Records;
import io.warren.core.store.format.TopologySnapshot;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commands of the topology in a file that begins with a snapshot. Owned by one thread.
 *
 * <p>Each start, and each time the file has grown long, writes the snapshot into a new file, which takes its name when
 * all of it is on the disk: there is always one whole file.
 */
final class TopologyLog {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.store");
    private static final int BUFFER_BYTES = 64 * 1024;

    /** A file is rewritten when it is longer than this and than four snapshots. */
    private static final long COMPACT_BYTES_MIN = 1024 * 1024;

    private final StoreFiles files;
    private Definitions recovered = Definitions.initial();
    private boolean isNew = true;
    private long cutBytes;
    private long number;
    private long snapshotBytes;
    private long records;
    private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private @Nullable LogFile current;

    private TopologyLog(StoreFiles files) {
        this.files = files;
        clearBuffer();
    }

    /** Reads what is there, takes off what a restart ends, and begins a new file with it. */
    static TopologyLog open(StoreFiles files) throws IOException {
        TopologyLog log = new TopologyLog(files);
        NavigableMap<Long, String> names = new TreeMap<>();
        for (String name : files.list()) {
            long number = FileNames.logNumber(FileNames.METADATA, name);
            if (number >= 0) {
                names.put(number, name);
            } else if (name.startsWith(FileNames.METADATA) && name.endsWith(FileNames.UNFINISHED_END)) {
                files.delete(name);
            }
        }
        if (!names.isEmpty()) {
            log.isNew = false;
            log.read(names.lastKey(), names.lastEntry().getValue());
            log.recovered = Restart.of(log.recovered);
        }
        try {
            log.begin(log.recovered);
        } catch (NotWrittenException full) {
            throw new IOException("the topology cannot be written: " + full.getMessage(), full);
        }
        for (String name : names.values()) {
            files.delete(name);
        }
        return log;
    }

    private void read(long fileNumber, String name) throws IOException {
        String location = files.location(name);
        number = fileNumber;
        try (StoreFile file = files.open(name)) {
            ByteBuffer header = ByteBuffer.allocate(FileHeader.BYTES);
            file.read(header, 0);
            FileHeader read = FileHeader.read(header.flip());
            if (read == null || read.kind() != FileHeader.Kind.METADATA || read.number() != fileNumber) {
                throw new DamagedStoreException(location, 0, "it has no header");
            }
            Versions.check(read, location);
            LogReader.Scan scan = new LogReader(location, fileNumber, file)
                    .scan(true, (bytes, index, position) -> apply(bytes, index));
            if (scan.cutBytes() > 0) {
                cutBytes = scan.cutBytes();
                LOG.warn(
                        "{} is torn: {} bytes from byte {} on were not written to their end and are left out; no"
                                + " answer had been given for them",
                        location,
                        scan.cutBytes(),
                        scan.end());
            }
        }
    }

    private void apply(ByteBuffer bytes, int index) {
        Command command = CommandCodec.read(bytes, index);
        recovered = recovered
                .withNextQueueId(Records.queueId(bytes, index))
                .apply(command)
                .definitions();
    }

    Definitions recovered() {
        return recovered;
    }

    /** Whether there was nothing before. */
    boolean isNew() {
        return isNew;
    }

    long cutBytes() {
        return cutBytes;
    }

    // ---- writing

    /** Adds a command to what is written next. */
    void add(long nextQueueId, Command command) {
        while (true) {
            int start = buffer.position();
            try {
                CommandCodec.write(buffer, ++records, nextQueueId, command);
                return;
            } catch (BufferOverflowException full) {
                buffer = ByteBuffer.allocate(buffer.capacity() * 2)
                        .put(buffer.duplicate().position(start).flip());
            }
        }
    }

    /**
     * Writes what was added, or forgets it.
     *
     * @throws NotWrittenException if nothing of it was taken, and later commands may be
     */
    void write(boolean force) throws IOException {
        LogFile file = Objects.requireNonNull(current);
        if (buffer.position() > Batch.HEADER_BYTES) {
            try {
                file.append(buffer, 0);
            } catch (IOException full) {
                throw new NotWrittenException(full);
            } finally {
                clearBuffer();
            }
        }
        if (force && !file.isForced()) {
            file.force();
        }
    }

    /** Forgets what was added and not written. */
    void discard() {
        clearBuffer();
    }

    /** Commands that are not on the disk, while the log is as it was: there was no room. */
    static final class NotWrittenException extends IOException {
        private static final long serialVersionUID = 1L;

        NotWrittenException(IOException why) {
            super(why.getMessage(), why);
        }
    }

    private void clearBuffer() {
        buffer.clear().position(Batch.HEADER_BYTES);
    }

    void compactIfLong(Definitions definitions) throws IOException {
        LogFile file = Objects.requireNonNull(current);
        if (file.end() > COMPACT_BYTES_MIN && file.end() > 4 * snapshotBytes) {
            long before = file.number();
            try {
                begin(definitions);
            } catch (NotWrittenException full) {
                LOG.warn("{} stays as long as it is: a new one cannot be written", files.location(""), full);
                return;
            }
            file.file().close();
            files.delete(FileNames.log(FileNames.METADATA, before));
        }
    }

    /**
     * Writes a snapshot into a new file, which is the log from then on.
     *
     * @throws NotWrittenException if there is none, and the log is the old one
     */
    private void begin(Definitions definitions) throws IOException {
        String name = FileNames.log(FileNames.METADATA, number + 1);
        LogFile file = unfinished(definitions, name + FileNames.UNFINISHED_END);
        files.rename(name + FileNames.UNFINISHED_END, name);
        files.forceDirectory();
        number++;
        snapshotBytes = file.end();
        current = file;
    }

    private LogFile unfinished(Definitions definitions, String name) throws NotWrittenException {
        try {
            LogFile file = LogFile.create(files, name, FileHeader.Kind.METADATA, number + 1);
            try {
                TopologySnapshot.of(definitions, this::add);
                file.append(buffer, 0);
                file.force();
                return file;
            } catch (IOException failed) {
                LogFile.discard(files, name, file.file(), failed);
                throw failed;
            } finally {
                clearBuffer();
            }
        } catch (IOException failed) {
            throw new NotWrittenException(failed);
        }
    }

    void close() throws IOException {
        LogFile file = current;
        if (file != null) {
            file.force();
            file.seal();
            file.force();
            file.file().close();
        }
    }

    /** Closes a log whose force has failed: nobody knows what is in it, and nothing may say that it was forced. */
    void abandon() throws IOException {
        LogFile file = current;
        if (file != null) {
            file.file().close();
        }
    }
}
