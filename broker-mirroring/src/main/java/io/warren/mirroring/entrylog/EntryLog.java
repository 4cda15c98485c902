package io.warren.mirroring.entrylog;

import io.warren.core.store.StoreFiles;
import io.warren.core.store.StoreThread;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.queue.StoredReplica;
import io.warren.mirroring.ring.Entry;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies of mirrored queues that one node keeps on disk, in one log; the package says how. Thread-safe.
 *
 * <p>Limits: an entry of 128 MiB, as its link has; 2^32 files. It holds in memory the copies that were found and not taken.
 */
public final class EntryLog implements AutoCloseable {
    static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.entrylog");

    private static final String LOCK = "lock";
    private static final long END_SECONDS = 30;
    private final StoreFiles disk;
    private final StoreThread thread;
    /** Reads messages. */
    private final StoreThread readingThread;

    private final EntryFiles files;
    private final AsideFiles aside;
    private final EntryWriter writer;
    private final CopyWriter copies;
    private final Map<Long, FoundCopy> found = new ConcurrentHashMap<>();
    private final Map<Long, AtomicInteger> generations = new ConcurrentHashMap<>();
    private @Nullable Closeable lock;
    private long cutBytes;
    private boolean isClosed;

    private EntryLog(
            StoreFiles disk,
            EntryLogSettings settings,
            EntryLogListener listener,
            StoreThread thread,
            StoreThread readingThread,
            Executor rounds,
            Executor reads) {
        this.disk = disk;
        this.thread = thread;
        files = new EntryFiles(disk);
        aside = new AsideFiles(disk);
        writer = new EntryWriter(disk, settings, files);
        this.readingThread = readingThread;
        RecordReader again = new RecordReader(disk, number -> files.get(number).file);
        MessageReading reading = new MessageReading(new RecordReader(disk, number -> null), reads);
        copies = new CopyWriter(settings, files, writer, again, reading, listener, rounds);
    }

    /**
     * Opens what there is, or begins.
     *
     * @throws io.warren.core.store.DamagedStoreException if something that was on disk is not what was written
     * @throws IOException if the directory cannot be used, or is in use
     */
    public static EntryLog open(StoreFiles disk, EntryLogSettings settings, EntryLogListener listener)
            throws IOException {
        StoreThread thread = new StoreThread(settings.name() + "-copies");
        StoreThread reading = new StoreThread(settings.name() + "-copies-reading");
        return open(new EntryLog(disk, settings, listener, thread, reading, thread, reading));
    }

    /** As {@link #open(StoreFiles, EntryLogSettings, EntryLogListener)}, with rounds, and readings, that somebody else has run. */
    static EntryLog open(
            StoreFiles disk, EntryLogSettings settings, EntryLogListener listener, StoreThread thread, Executor rounds)
            throws IOException {
        StoreThread reading = new StoreThread(settings.name() + "-copies-reading");
        return open(new EntryLog(disk, settings, listener, thread, reading, rounds, rounds));
    }

    private static EntryLog open(EntryLog log) throws IOException {
        try {
            log.thread.call(log::recover);
        } catch (IOException | RuntimeException failed) {
            log.thread.end(END_SECONDS);
            log.readingThread.end(END_SECONDS);
            throw failed;
        }
        return log;
    }

    private Boolean recover() throws IOException {
        Closeable locked = disk.lock(LOCK);
        try {
            EntryRecovery recovery = new EntryRecovery(disk, files);
            Map<Long, Integer> latest = new HashMap<>();
            recovery.run(copies, found, latest);
            latest.forEach((queueId, generation) -> generations.put(queueId, new AtomicInteger(generation)));
            writer.begin();
            writer.flush();
            cutBytes = recovery.cutBytes();
            LOG.info(
                    "{} has {} copies of queues with {} messages, in {} records; {} bytes were cut",
                    disk.location(""),
                    found.size(),
                    found.values().stream()
                            .mapToLong(copy -> copy.snapshot().messageCount())
                            .sum(),
                    recovery.recordCount(),
                    cutBytes);
        } catch (IOException | RuntimeException failed) {
            locked.close();
            throw failed;
        }
        lock = locked;
        return true;
    }

    // ---- copies

    /** What an earlier process has left of a queue and nobody has taken yet; else null. */
    public @Nullable FoundCopy found(long queueId) {
        return found.get(queueId);
    }

    /** All that was found and nobody has taken. */
    public List<FoundCopy> found() {
        return List.copyOf(found.values());
    }

    /** Bytes that were torn from the end at the start. */
    public long cutBytes() {
        return cutBytes;
    }

    /**
     * A copy is written on from where it was found.
     *
     * @param logId the metadata log that it follows from now on
     */
    public Copy goOn(FoundCopy copy, long logId) {
        found.remove(copy.queueId());
        AtomicInteger generation = generation(copy.queueId());
        return attach(copy, logId, generation, generation.get());
    }

    /** A copy begins that holds nothing. What was there of the queue counts no more when this is on disk. */
    public Copy begin(long queueId, long logId) {
        found.remove(queueId);
        AtomicInteger generation = generation(queueId);
        return attach(FoundCopy.empty(queueId, logId), logId, generation, generation.incrementAndGet());
    }

    private AtomicInteger generation(long queueId) {
        return generations.computeIfAbsent(queueId, id -> new AtomicInteger());
    }

    private Copy attach(FoundCopy from, long logId, AtomicInteger generationsOfIt, int generation) {
        Copy copy = new Copy(copies, from, logId, generationsOfIt, generation);
        CopyState state = from.state(logId);
        List<byte[]> kept = CopyState.kept(from.snapshot());
        copies.post(rounds -> rounds.attach(copy, generation, state, kept));
        return copy;
    }

    /** A queue's copy is not wanted any more. */
    public void drop(long queueId) {
        found.remove(queueId);
        copies.post(rounds -> rounds.drop(queueId));
    }

    /**
     * Puts what was found of a queue into a file of its own, all entries applied; the log knows it no more.
     *
     * @return where the file is
     */
    public String setAside(FoundCopy copy) throws IOException {
        String location = thread.call(
                () -> aside.write(copy, applied(copy), messages -> copies.publishes(copy.queueId(), messages)));
        drop(copy.queueId());
        return location;
    }

    private static ReplicaSnapshot applied(FoundCopy copy) {
        StoredReplica replica = new StoredReplica(copy.snapshot(), copy.applied());
        for (Entry<byte[]> entry : copy.entries()) {
            if (entry.offset() > copy.applied().offset()) {
                replica.onEntry(entry);
            }
        }
        replica.applyUpTo(Long.MAX_VALUE);
        return replica.snapshot();
    }

    /** Names of all that was set aside and not deleted. */
    public List<String> setAside() throws IOException {
        return thread.call(aside::names);
    }

    /**
     * Reads what was set aside, whole.
     *
     * @throws java.io.FileNotFoundException if there is none of this name
     */
    public SetAside readAside(String name) throws IOException {
        return thread.call(() -> aside.read(name));
    }

    /**
     * Deletes what was set aside under a name.
     *
     * @throws java.io.FileNotFoundException if there is nothing of this name
     */
    public void deleteAside(String name) throws IOException {
        thread.call(() -> {
            aside.delete(name);
            return true;
        });
    }

    // ---- the end

    /** Everything that was handed in is on the disk when this returns. */
    @Override
    public void close() throws IOException {
        end(() -> {
            copies.finish();
            return true;
        });
    }

    /** Ends as a process that is killed: what was not written is lost. */
    public void abandon() throws IOException {
        end(() -> true);
    }

    private synchronized void end(Callable<Boolean> last) throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        writer.stopWaiting();
        try {
            // Whoever waits for a message is ending too.
            readingThread.end(END_SECONDS);
            thread.call(() -> {
                try {
                    return last.call();
                } finally {
                    copies.end();
                    files.close();
                    Closeable locked = lock;
                    if (locked != null) {
                        locked.close();
                    }
                }
            });
        } finally {
            thread.end(END_SECONDS);
        }
    }
}
