package io.warren.core.store;

import io.warren.core.metadata.Queue;
import io.warren.core.spi.MessageStore;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.QueueLogListener;
import io.warren.core.spi.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages in files: see the package. Thread-safe. */
public final class DurableMessageStore implements MessageStore {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.store");

    /** Longest that {@link #close} waits for what was handed in to be written. */
    private static final long CLOSE_SECONDS = 30;

    private final WalRecovery recovery;
    private final WalFiles wal;
    private final LogWriter writer;
    private final BodyReader reader;
    private final StoreThread writerThread;
    private final StoreThread moverThread;
    private final StoreThread readerThread;

    private DurableMessageStore(
            StoreFiles files,
            StoreSettings settings,
            Ticker ticker,
            Executor notifier,
            StoreListener listener,
            Function<String, StoreThread> threads,
            WalRecovery recovery)
            throws IOException {
        this.recovery = recovery;
        this.wal = files(files, recovery);
        this.writerThread = threads.apply(settings.name() + "-log");
        this.moverThread = threads.apply(settings.name() + "-log-mover");
        this.readerThread = threads.apply(settings.name() + "-log-reader");
        Mover mover = new Mover(files, settings, wal, moverThread, recovery.lastSegment());
        this.writer = new LogWriter(files, settings, listener, ticker, notifier, wal, mover);
        mover.deliverTo(writer);
        this.reader = new BodyReader(files, wal, readerThread, writer::failFromOutside);
        long wallOffsetMs = ticker.now().toEpochMilli() - TimeUnit.NANOSECONDS.toMillis(ticker.nowNs());
        recovery.queues().values().forEach(queue -> queue.wallOffsetMs(wallOffsetMs));
    }

    private static WalFiles files(StoreFiles files, WalRecovery recovery) throws IOException {
        long next = recovery.logFiles().isEmpty() ? 1 : recovery.logFiles().lastKey() + 1;
        WalFiles wal = new WalFiles(files, next);
        recovery.logFiles().forEach((number, file) -> wal.addFinished(number, file, recovery.logBytes(number)));
        wal.begin();
        recovery.queues().values().forEach(queue -> queue.table().forEachPlace((offset, place) -> wal.came(place)));
        return wal;
    }

    /**
     * Opens the store in a directory and reads what is there. On the calling thread, which must be the store's own.
     *
     * @param durableQueues ids of the queues there are: what others left is dropped
     * @param notifier where queues are told while the writer is busy
     * @param threads makes the store's threads, by name
     * @throws DamagedStoreException if what had been forced is not what was written
     */
    static DurableMessageStore open(
            StoreFiles files,
            StoreSettings settings,
            Ticker ticker,
            Executor notifier,
            Set<Long> durableQueues,
            StoreListener listener,
            Function<String, StoreThread> threads)
            throws IOException {
        WalRecovery recovery = new WalRecovery(files, durableQueues);
        recovery.run();
        return new DurableMessageStore(files, settings, ticker, notifier, listener, threads, recovery);
    }

    /** Begins to write; every queue of the topology has been opened by now. */
    public void start() {
        dropUnopened();
        writerThread.execute(writer);
    }

    /** What was recovered for queues that were deleted before anybody opened them. */
    void dropUnopened() {
        recovery.queues().values().forEach(writer.reclaiming()::onNobodys);
        recovery.queues().clear();
    }

    /** What an earlier run left. */
    WalRecovery recovery() {
        return recovery;
    }

    /** For tests: writes what was handed in, on the calling thread. */
    LogWriter writer() {
        return writer;
    }

    /** For tests: returns when no copy and no read is under way. */
    void quiesce() {
        try {
            moverThread.call(() -> true);
            readerThread.call(() -> true);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Bytes written to log files since the start. */
    public long writtenBytes() {
        return writer.writtenBytes();
    }

    /** Forces since the start. */
    public long forceCount() {
        return writer.forceCount();
    }

    @Override
    public QueueLog openLog(String vhost, Queue queue, QueueLogListener listener) {
        boolean durable = queue.definition().durable() && !queue.definition().isExclusive();
        RecoveredQueue recovered = durable ? recovery.take(queue.id()) : null;
        DurableQueueLog log = new DurableQueueLog(
                queue.id(), durable, queue.settings().priorityMax(), writer, reader, listener, recovered);
        wal.addQueue(log);
        if (writer.hasFailed()) {
            log.onStopped();
        }
        if (recovered != null) {
            recovered.emptied().forEach(segment -> writer.reclaiming().onReplaced(log, segment));
        }
        return log;
    }

    @Override
    public boolean keeps(Queue queue) {
        RecoveredQueue recovered = recovery.queues().get(queue.id());
        return recovered != null && recovered.messageCount() > 0;
    }

    @Override
    public void close() {
        writer.stop();
        try {
            writerThread.end(CLOSE_SECONDS);
            moverThread.end(CLOSE_SECONDS);
            readerThread.call(() -> {
                reader.close();
                return Map.of();
            });
            readerThread.end(CLOSE_SECONDS);
            wal.close();
        } catch (IOException notClosed) {
            LOG.warn("the message store did not close all of its files", notClosed);
        }
    }

    /** For tests: what it failed with, or null. */
    @Nullable Throwable failure() {
        return writer.failure();
    }
}
