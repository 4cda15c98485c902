package io.warren.core.store;

import io.warren.core.store.format.FileHeader;
import io.warren.core.store.format.QueueTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The log files there are, how many waiting messages each holds, and the queues they belong to.
 *
 * <p>Changed by the writer only; others look files up.
 */
final class WalFiles {

    /** A log file; {@code live} is the writer's. */
    static final class WalFile {

        final long number;
        final StoreFile file;

        /** Messages in it that still wait. */
        long live;

        WalFile(long number, StoreFile file) {
            this.number = number;
            this.file = file;
        }
    }

    private final StoreFiles files;
    private final NavigableMap<Long, WalFile> byNumber = new ConcurrentSkipListMap<>();
    private final Map<Long, DurableQueueLog> queues = new ConcurrentHashMap<>();
    private long nextNumber;
    private @Nullable LogFile current;

    /** Bytes of the files that are finished. */
    private long finishedBytes;

    WalFiles(StoreFiles files, long nextNumber) {
        this.files = files;
        this.nextNumber = nextNumber;
    }

    /** A file of an earlier run. */
    void addFinished(long number, StoreFile file, long bytes) {
        byNumber.put(number, new WalFile(number, file));
        finishedBytes += bytes;
    }

    LogFile current() {
        return Objects.requireNonNull(current, "no log file was begun");
    }

    /** Begins the next file; the one before is finished. If that fails, nothing has changed, and it may be tried again. */
    void begin() throws IOException {
        LogFile next = LogFile.create(files, FileNames.log(FileNames.WAL, nextNumber), FileHeader.Kind.LOG, nextNumber);
        if (current != null) {
            finishedBytes += current.end();
        }
        current = next;
        byNumber.put(nextNumber, new WalFile(nextNumber, next.file()));
        nextNumber++;
    }

    /** The oldest file that is finished, or null. */
    @Nullable WalFile oldestFinished() {
        Map.Entry<Long, WalFile> first = byNumber.firstEntry();
        return first == null || first.getKey() == current().number() ? null : first.getValue();
    }

    long oldestNumber() {
        return byNumber.firstKey();
    }

    /** The oldest finished files, as far as nothing waits in them. */
    List<WalFile> idleFromOldest() {
        List<WalFile> idle = new ArrayList<>();
        for (WalFile file : byNumber.values()) {
            if (file.live > 0 || file.number == current().number()) {
                break;
            }
            idle.add(file);
        }
        return idle;
    }

    /** Bytes of the files that are finished. */
    long finishedBytes() {
        return finishedBytes;
    }

    int count() {
        return byNumber.size();
    }

    /** The open file of that number, or null if it is gone. */
    @Nullable StoreFile file(long number) {
        WalFile file = byNumber.get(number);
        return file == null ? null : file.file;
    }

    /** A message stands there now. */
    void came(long place) {
        fileOf(place).live++;
    }

    /** A message that stood there does not any more. */
    void left(long place) {
        if (place != QueueTable.NONE) {
            fileOf(place).live--;
        }
    }

    private WalFile fileOf(long place) {
        return Objects.requireNonNull(byNumber.get(QueueTable.fileNumber(place)), "a place in a file that is gone");
    }

    /** The oldest file goes. Files go in order, so that a gap between them is always damage. */
    void deleteOldest(WalFile file) throws IOException {
        long bytes = file.file.size();
        files.delete(FileNames.log(FileNames.WAL, file.number));
        byNumber.remove(file.number);
        finishedBytes -= bytes;
        files.forceDirectory();
        file.file.close();
    }

    void close() throws IOException {
        for (WalFile file : byNumber.values()) {
            file.file.close();
        }
        byNumber.clear();
    }

    // ---- queues

    void addQueue(DurableQueueLog queue) {
        queues.put(queue.id(), queue);
    }

    void removeQueue(DurableQueueLog queue) {
        queues.remove(queue.id());
    }

    @Nullable DurableQueueLog queue(long id) {
        return queues.get(id);
    }

    List<DurableQueueLog> queues() {
        return new ArrayList<>(queues.values());
    }
}
