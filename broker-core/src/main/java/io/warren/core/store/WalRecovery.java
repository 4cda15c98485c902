package io.warren.core.store;

import io.warren.core.store.format.FileHeader;
import io.warren.core.store.format.Records;
import io.warren.core.store.format.SegmentIndex;
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
 * Reads what an earlier run has left: the log files in order, the segments they name. Cuts a torn tail, refuses damage,
 * and removes files nothing refers to, in that order: whatever is refused is left as it was found.
 */
final class WalRecovery {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.store");

    private final StoreFiles files;
    private final Set<Long> durableQueues;
    private final Map<Long, RecoveredQueue> queues = new HashMap<>();
    private final NavigableMap<Long, StoreFile> open = new TreeMap<>();
    private final NavigableMap<Long, Long> sizes = new TreeMap<>();
    private long cutBytes;
    private long records;
    private long lastSegment;

    /** @param durableQueues the queues there are, by the topology: records of others are dropped */
    WalRecovery(StoreFiles files, Set<Long> durableQueues) {
        this.files = files;
        this.durableQueues = durableQueues;
    }

    /** Reads everything; after this nothing is torn, and every file but the segments is open. */
    void run() throws IOException {
        NavigableMap<Long, String> names = logNames();
        for (Map.Entry<Long, String> log : names.entrySet()) {
            boolean isNewest = log.getKey().equals(names.lastKey());
            readLog(log.getKey(), log.getValue(), isNewest);
        }
        for (RecoveredQueue queue : queues.values()) {
            for (long lost : queue.dropEmptySegments()) {
                throw missing(FileNames.segment(queue.id(), lost));
            }
        }
        removeUnreferenced();
    }

    private NavigableMap<Long, String> logNames() throws IOException {
        NavigableMap<Long, String> names = new TreeMap<>();
        for (String name : files.list()) {
            long number = FileNames.logNumber(FileNames.WAL, name);
            if (number >= 0) {
                names.put(number, name);
            }
        }
        long expected = names.isEmpty() ? 0 : names.firstKey();
        for (long number : names.keySet()) {
            if (number != expected++) {
                throw missing(FileNames.log(FileNames.WAL, expected - 1));
            }
        }
        return names;
    }

    private void readLog(long number, String name, boolean isNewest) throws IOException {
        StoreFile file = files.open(name);
        String location = files.location(name);
        if (!hasHeader(file, number, location, isNewest)) {
            LOG.warn("{} was begun and never used; it goes", location);
            file.close();
            files.delete(name);
            files.forceDirectory();
            return;
        }
        LogReader.Scan scan = new LogReader(location, number, file)
                .scan(isNewest, (bytes, index, position) -> record(bytes, index, number, position));
        if (isNewest) {
            finish(file, number, location, scan);
        }
        open.put(number, file);
        sizes.put(number, file.size());
    }

    /** False for a file whose very first bytes did not get to the disk, so that nothing behind them did. */
    private static boolean hasHeader(StoreFile file, long number, String location, boolean isNewest)
            throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(FileHeader.BYTES);
        file.read(bytes, 0);
        FileHeader header = FileHeader.read(bytes.flip());
        if (header == null) {
            if (isNewest && file.size() <= FileHeader.BYTES) {
                return false;
            }
            throw new DamagedStoreException(location, 0, "it has no header");
        }
        Versions.check(header, location);
        if (header.kind() != FileHeader.Kind.LOG || header.number() != number) {
            throw new DamagedStoreException(location, 0, "its header is that of another file: " + header);
        }
        return true;
    }

    private void record(ByteBuffer bytes, int index, long number, long position) throws IOException {
        records++;
        long queueId = Records.queueId(bytes, index);
        if (durableQueues.contains(queueId)) {
            queues.computeIfAbsent(queueId, id -> new RecoveredQueue(id, this::readIndex))
                    .record(bytes, index, number, position);
        }
    }

    /** Cuts what is torn and says in the file that it ends there; all that was read is on disk after this. */
    private void finish(StoreFile file, long number, String location, LogReader.Scan scan) throws IOException {
        if (scan.isSealed()) {
            return;
        }
        if (scan.cutBytes() > 0) {
            cutBytes = scan.cutBytes();
            LOG.warn(
                    "{} is torn: {} bytes from byte {} on were not written to their end and are cut; none of them had"
                            + " been confirmed",
                    location,
                    scan.cutBytes(),
                    scan.end());
            file.truncate(scan.end());
        }
        file.force();
        LogFile reopened = LogFile.reopened(number, file, scan.end());
        reopened.seal();
        reopened.force();
    }

    private DamagedStoreException missing(String name) {
        return new DamagedStoreException(files.location(name), 0, "the file is missing");
    }

    private void removeUnreferenced() throws IOException {
        Set<String> referenced = new HashSet<>();
        queues.forEach((id, queue) -> {
            queue.table().segments().forEach(segment -> referenced.add(FileNames.segment(id, segment.number())));
            queue.emptied().forEach(segment -> referenced.add(FileNames.segment(id, segment.number())));
        });
        List<String> names = new ArrayList<>(files.list());
        for (String segment : referenced) {
            if (!names.contains(segment)) {
                throw missing(segment);
            }
        }
        for (String name : names) {
            lastSegment = Math.max(lastSegment, FileNames.segmentNumber(name));
            boolean isLeft = FileNames.isSegment(name) && !referenced.contains(name);
            if (isLeft) {
                files.delete(name);
            }
        }
    }

    private @Nullable SegmentIndex readIndex(long queueId, long number) throws IOException {
        String name = FileNames.segment(queueId, number);
        String location = files.location(name);
        if (!files.exists(name)) {
            return null;
        }
        try (StoreFile file = files.open(name)) {
            return SegmentFile.readIndex(file, location, queueId, number);
        }
    }

    // ---- the outcome

    /** A queue, for its new owner. */
    @Nullable RecoveredQueue take(long id) {
        return queues.remove(id);
    }

    Map<Long, RecoveredQueue> queues() {
        return queues;
    }

    NavigableMap<Long, StoreFile> logFiles() {
        return open;
    }

    long logBytes(long number) {
        Long bytes = sizes.get(number);
        return bytes == null ? 0 : bytes;
    }

    long cutBytes() {
        return cutBytes;
    }

    long recordCount() {
        return records;
    }

    /**
     * The greatest number that a segment has or had, or 0. Records that name one may outlive its file, so its number must not be
     * used again: they would be taken to speak of the new one.
     */
    long lastSegment() {
        return queues.values().stream().mapToLong(RecoveredQueue::lastSegment).reduce(lastSegment, Math::max);
    }

    long messageCount() {
        return queues.values().stream().mapToLong(RecoveredQueue::messageCount).sum();
    }
}
