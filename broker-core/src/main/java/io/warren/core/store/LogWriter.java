package io.warren.core.store;

import io.warren.core.message.Message;
import io.warren.core.spi.Ticker;
import io.warren.core.store.format.Batch;
import io.warren.core.store.format.FileHeader;
import io.warren.core.store.format.MessageCodec;
import io.warren.core.store.format.QueueTable;
import io.warren.core.store.format.RecordKind;
import io.warren.core.store.format.Records;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the log: takes all entries there are, writes their records, forces once if one of them asks for it, and tells
 * their queues. What comes meanwhile goes into the next round.
 *
 * <p>One thread runs {@link #run}; a test may call {@link #round} instead. After a failed force it writes nothing more.
 */
final class LogWriter implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.store");

    /** Records are written when so many bytes of them are there, and at the end of a round. */
    private static final int BUFFER_BYTES = 1024 * 1024;

    /** More than the parts of a message need that are not body and headers: fifteen short strings and the record. */
    private static final int ENVELOPE_BYTES_MAX = 8 * 1024;

    /** What an entry is charged besides its body, by estimate. */
    static final int ENTRY_BYTES = 256;

    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(60);

    /** Written since the free space was looked at last. */
    private static final long CHECK_FREE_EVERY_BYTES = 4 * 1024 * 1024;

    private final StoreFiles files;
    private final StoreSettings settings;
    private final StoreListener listener;
    private final Ticker ticker;
    private final Executor notifier;
    private final Inbox inbox = new Inbox();
    private final WalFiles wal;
    private final Reclaiming reclaiming;

    /** Queues that something was written for in this round. */
    private final Set<DurableQueueLog> touched = new LinkedHashSet<>();

    private final AtomicLong pendingBytes = new AtomicLong();
    private final AtomicLong writtenBytes = new AtomicLong();
    private final AtomicLong forces = new AtomicLong();
    private final int bufferBytes;
    private ByteBuffer buffer;
    private boolean forceWanted;
    private boolean diskLow;
    private volatile boolean behind;
    private long uncheckedBytes = Long.MAX_VALUE / 2;

    /** Wall clock minus the ticker, both in milliseconds: read once a round. */
    private long wallOffsetMs;

    private volatile boolean stopped;
    private boolean closing;

    /** Whether it is to end: a wait for room on the disk ends too. */
    private volatile boolean stopping;

    private volatile @Nullable Throwable failure;

    LogWriter(
            StoreFiles files,
            StoreSettings settings,
            StoreListener listener,
            Ticker ticker,
            Executor notifier,
            WalFiles wal,
            Mover mover) {
        this.files = files;
        this.settings = settings;
        this.listener = listener;
        this.ticker = ticker;
        this.notifier = notifier;
        this.wal = wal;
        this.reclaiming = new Reclaiming(files, settings, wal, this, mover);
        this.bufferBytes = (int) Math.max(2 * ENVELOPE_BYTES_MAX, Math.min(BUFFER_BYTES, settings.fileBytes()));
        this.buffer = ByteBuffer.allocateDirect(bufferBytes);
        clearBuffer();
    }

    // ---- handing in, any thread

    void add(LogEntry entry) {
        long bytes = entry.pendingBytes();
        if (bytes > 0 && pendingBytes.addAndGet(bytes) > settings.pendingBytesMax() && !behind) {
            checkBehind();
        }
        inbox.add(entry);
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** Bytes written to log files since the start, and forces: for measuring. */
    long writtenBytes() {
        return writtenBytes.get();
    }

    long forceCount() {
        return forces.get();
    }

    // ---- the thread

    @Override
    public void run() {
        while (!stopped) {
            if (!round()) {
                inbox.await(diskLow ? settings.retryNs() : IDLE_NS);
            }
        }
    }

    /** Writes all that was handed in; false if there was nothing. */
    boolean round() {
        LogEntry first = inbox.takeAll();
        if (first == null) {
            if (diskLow) {
                checkFree();
            }
            return false;
        }
        wallOffsetMs = ticker.now().toEpochMilli() - TimeUnit.NANOSECONDS.toMillis(ticker.nowNs());
        long bytes = 0;
        for (LogEntry entry = first; entry != null; entry = entry.next) {
            bytes += entry.pendingBytes();
        }
        try {
            if (failure == null) {
                write(first);
            } else {
                drop(first);
            }
        } catch (Throwable broken) {
            // Whatever it is, an error too: publishers wait, and have to hear that nothing will be confirmed.
            fail(broken);
            drop(first);
        } finally {
            release(bytes);
        }
        if (closing || (stopping && failure != null)) {
            finish();
        }
        return true;
    }

    private void write(LogEntry first) throws IOException {
        for (LogEntry entry = first; entry != null; entry = entry.next) {
            entry.write(this);
        }
        for (DurableQueueLog queue : touched) {
            queue.writeRoundEnd();
        }
        flush();
        List<Runnable> told = new ArrayList<>();
        touched.forEach(queue -> queue.onWritten(told));
        tell(told);
        if (forceWanted) {
            force();
            List<Runnable> safe = new ArrayList<>();
            touched.forEach(queue -> queue.onForced(safe));
            tell(safe);
        }
        touched.clear();
        reclaiming.afterRound();
    }

    /** An idle writer tells on the spot, which is one hand-over less; a busy one lets others do it and writes on. */
    private void tell(List<Runnable> told) {
        if (told.isEmpty()) {
            return;
        }
        if (inbox.isEmpty() || stopping) {
            told.forEach(Runnable::run);
        } else {
            notifier.execute(() -> told.forEach(Runnable::run));
        }
    }

    private void drop(LogEntry first) {
        for (LogEntry entry = first; entry != null; entry = entry.next) {
            entry.dropped();
        }
    }

    private void release(long bytes) {
        if (pendingBytes.addAndGet(-bytes) <= settings.pendingBytesMax() / 2 && behind) {
            checkBehind();
        }
    }

    /** Decided in one place at a time, by what is pending then: who saw it cross a limit may be late. */
    private synchronized void checkBehind() {
        long limit = behind ? settings.pendingBytesMax() / 2 : settings.pendingBytesMax();
        boolean now = pendingBytes.get() > limit;
        if (now != behind) {
            behind = now;
            listener.onBehind(now);
        }
    }

    /** What is on disk is not known any more: nothing is written, forced or confirmed after this. */
    void fail(Throwable broken) {
        if (failure != null) {
            return;
        }
        failure = broken;
        touched.clear();
        LOG.error(
                "the message store in {} has stopped: nothing is confirmed any more. Restart the broker on a disk that"
                        + " works; what was confirmed until now is there",
                files.location(""),
                broken);
        listener.onStopped(String.valueOf(broken.getMessage()), broken);
        wal.queues().forEach(DurableQueueLog::onStopped);
    }

    /** Something went wrong on another thread of the store. */
    void failFromOutside(Throwable broken) {
        add(new LogEntry() {
            @Override
            void write(LogWriter writer) {
                writer.fail(broken);
            }
        });
    }

    @Nullable Throwable failure() {
        return failure;
    }

    // ---- for entries

    /** Room for a record of so many bytes at most; the buffer is written out first where it must be. */
    ByteBuffer reserve(long bytesMax) throws IOException {
        if (bytesMax > buffer.remaining()) {
            flush();
        }
        if (bytesMax > buffer.remaining()) {
            buffer = ByteBuffer.allocateDirect(Math.toIntExact(bytesMax + Batch.HEADER_BYTES));
            clearBuffer();
        }
        return buffer;
    }

    /** Where a record that begins at an index of the buffer will stand. */
    long placeOf(int start) {
        return QueueTable.place(wal.current().number(), wal.current().end() + start);
    }

    /** Writes a message's record; returns its place. */
    long writeMessage(long queueId, long offset, Message message, int priority, long expiresAtNs, int flags)
            throws IOException {
        long bytesMax = (long) message.bodyBytes() + ENVELOPE_BYTES_MAX;
        long expiresAtMs = expiresAtMs(expiresAtNs);
        while (true) {
            ByteBuffer to = reserve(bytesMax);
            int start = to.position();
            try {
                MessageCodec.write(to, queueId, offset, message, priority, expiresAtMs, flags);
                return placeOf(start);
            } catch (BufferOverflowException headersAreLong) {
                to.position(start);
                bytesMax *= 2;
            }
        }
    }

    private long expiresAtMs(long expiresAtNs) {
        return expiresAtNs == Long.MAX_VALUE
                ? Records.NEVER_MS
                : TimeUnit.NANOSECONDS.toMillis(expiresAtNs) + wallOffsetMs;
    }

    /** Writes a record that is there as it is; returns its place. */
    long writeRecord(ByteBuffer record) throws IOException {
        ByteBuffer to = reserve(record.remaining());
        int start = to.position();
        to.put(record);
        return placeOf(start);
    }

    /** Writes a record without content but for longs. */
    void writeLongs(RecordKind kind, int priority, long queueId, long offset, long value, List<long[]> content)
            throws IOException {
        long count = content.stream().mapToLong(longs -> longs.length).sum();
        ByteBuffer to = reserve(Records.HEADER_BYTES + Long.BYTES * count);
        int start = Records.begin(to, kind, 0, priority, queueId, offset);
        Records.value(to, start, value);
        for (long[] longs : content) {
            for (long one : longs) {
                to.putLong(one);
            }
        }
        Records.end(to, start, 0);
    }

    void touch(DurableQueueLog queue) {
        touched.add(queue);
    }

    void wantForce() {
        forceWanted = true;
    }

    WalFiles wal() {
        return wal;
    }

    Reclaiming reclaiming() {
        return reclaiming;
    }

    // ---- the disk

    private void clearBuffer() {
        buffer.clear().position(Batch.HEADER_BYTES);
    }

    /** Writes the records that are in the buffer, as one batch. */
    void flush() throws IOException {
        int bytes = buffer.position();
        if (bytes == Batch.HEADER_BYTES) {
            return;
        }
        withRoom(bytes, () -> wal.current().append(buffer, 0));
        clearBuffer();
        if (buffer.capacity() > 4 * bufferBytes) {
            buffer = ByteBuffer.allocateDirect(bufferBytes);
            clearBuffer();
        }
        writtenBytes.addAndGet(bytes);
        uncheckedBytes += bytes;
        if (uncheckedBytes >= CHECK_FREE_EVERY_BYTES) {
            checkFree();
        }
        if (wal.current().end() >= settings.fileBytes()) {
            roll();
        }
    }

    /** What may be tried again when it has failed. */
    private interface Writing {
        void run() throws IOException;
    }

    /** On a full disk it waits and tries again: nothing was forced yet, so nothing is in doubt. */
    private void withRoom(long bytes, Writing writing) throws IOException {
        boolean hadRoom = false;
        while (true) {
            try {
                writing.run();
                return;
            } catch (IOException refused) {
                // With room it is worth one more try: somebody may have made it in this moment.
                long free = files.usableBytes();
                if (stopping || hadRoom) {
                    throw refused;
                }
                hadRoom = free >= bytes + settings.freeBytesMin();
                LOG.warn("{} is full; writing waits for room", files.location(""), refused);
                diskLow(true, free);
                LockSupport.parkNanos(this, settings.retryNs());
            }
        }
    }

    private void checkFree() {
        uncheckedBytes = 0;
        try {
            long free = files.usableBytes();
            diskLow(free < settings.freeBytesMin(), free);
        } catch (IOException unknown) {
            LOG.warn("cannot tell how much room {} has", files.location(""), unknown);
        }
    }

    private void diskLow(boolean low, long free) {
        if (low != diskLow) {
            diskLow = low;
            listener.onDiskLow(low, free);
        }
    }

    void force() throws IOException {
        forceWanted = false;
        if (!wal.current().isForced()) {
            forces.incrementAndGet();
            wal.current().force();
        }
    }

    private void roll() throws IOException {
        LOG.debug("rolling log file {}", wal.current().number());
        withRoom(Batch.HEADER_BYTES, wal.current()::seal);
        forces.incrementAndGet();
        wal.current().force();
        withRoom(FileHeader.BYTES, wal::begin);
        reclaiming.onRolled();
        LOG.debug("rolled to log file {}", wal.current().number());
    }

    // ---- the end

    /** Writes all that is left, says that this was a clean stop, and ends the thread. In the thread. */
    private void finish() {
        stopped = true;
        if (failure != null) {
            return;
        }
        try {
            for (DurableQueueLog queue : wal.queues()) {
                queue.writeStop(this);
            }
            flush();
            wal.current().force();
            wal.current().seal();
            wal.current().force();
        } catch (IOException broken) {
            fail(broken);
        }
    }

    /** The last entry: what was handed in before it is written, and what comes after it is not. */
    static final class Stop extends LogEntry {
        @Override
        void write(LogWriter writer) {
            writer.closing = true;
        }

        @Override
        void dropped() {
            // A store that has failed has nothing to finish.
        }
    }

    /** Ends the thread even if the store has failed. */
    void stop() {
        stopping = true;
        add(new Stop());
    }
}
