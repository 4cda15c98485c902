package io.warren.core.store;

import io.warren.core.message.Message;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.QueueLogListener;
import io.warren.core.spi.Settlement;
import io.warren.core.store.format.QueueStates;
import io.warren.core.store.format.QueueTable;
import io.warren.core.store.format.RecordKind;
import io.warren.core.store.format.Records;
import io.warren.core.store.format.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The log of one queue: entries on their way to the writer, and what the writer knows of the queue.
 *
 * <p>Three owners, kept apart below: the queue's mailbox calls {@link QueueLog}; the writer calls the rest; the table of
 * places is shared with the mover and the reader under its own lock, which is never held during input or output.
 */
final class DurableQueueLog implements QueueLog {

    /** Offsets are granted to consumers in steps that grow with how many were taken, up to this. */
    private static final int GRANT_STEP_MAX = 1024;

    private static final int PRIORITY_LEVELS = 256;

    /** Ranges that one record holds. */
    private static final int RANGES_PER_RECORD = 4096;

    private final long id;
    private final boolean durable;
    private final LogWriter writer;
    private final BodyReader reader;
    private final QueueLogListener listener;

    // ---- the queue's mailbox

    private @Nullable RecoveredQueue recovered;
    private long lastPublished = -1;

    /** Offset of the last publish that is promised to be safe. */
    private long lastPromised = -1;

    private long lastBarrier;

    /** Whether anything of it was ever handed to the writer: while not, settlements need not be. */
    private boolean everWritten;

    /** By priority: what a consumer may see, as far as this side knows. */
    private final long[] granted;

    private final long[] asked;
    private final int[] grantStep;

    // ---- written by one side, read by the other

    /** By priority: what a consumer may see, by marks that are written. */
    private final AtomicLongArray written;

    /** By priority: what a consumer was really given. */
    private final AtomicLongArray seen;

    private volatile long safeOffset = -1;
    private volatile long passedBarrier;
    private volatile boolean stopped;

    // ---- shared

    private final QueueTable table;

    // ---- the writer

    private long nextOffset;
    private final long[] limits;

    /** The log file in which its state stands that is to be replaced when that file goes; MAX_VALUE without any. */
    private long stateFile = Long.MAX_VALUE;

    /** Whether segments came that its last state does not name. */
    private boolean stateIsOld;

    private volatile boolean gone;
    private long roundSafe = -1;
    private long roundBarrier;
    private boolean roundHandOut;
    private List<Long> roundStored = new ArrayList<>();
    private final List<long[]> roundSettled = new ArrayList<>();

    DurableQueueLog(
            long id,
            boolean durable,
            int priorityMax,
            LogWriter writer,
            BodyReader reader,
            QueueLogListener listener,
            @Nullable RecoveredQueue recovered) {
        this.id = id;
        this.durable = durable;
        this.writer = writer;
        this.reader = reader;
        this.listener = listener;
        this.recovered = recovered;
        this.table = recovered == null ? new QueueTable() : recovered.table();
        int levels = Math.min(priorityMax + 1, PRIORITY_LEVELS);
        this.granted = new long[levels];
        this.asked = new long[levels];
        this.grantStep = new int[levels];
        this.limits = new long[levels];
        this.written = new AtomicLongArray(levels);
        this.seen = new AtomicLongArray(levels);
        for (int level = 0; level < levels; level++) {
            long limit = recovered == null ? -1 : recovered.handOutLimit(level);
            granted[level] = limit;
            asked[level] = limit;
            limits[level] = limit;
            written.set(level, limit);
            seen.set(level, limit);
        }
        if (recovered != null) {
            nextOffset = recovered.nextOffset();
            stateFile = recovered.stateFile();
            everWritten = true;
            lastPublished = nextOffset - 1;
            lastPromised = nextOffset - 1;
            safeOffset = nextOffset - 1;
        }
    }

    long id() {
        return id;
    }

    // ---- the queue's mailbox

    @Override
    public long recover(Recovered to) {
        RecoveredQueue kept = recovered;
        recovered = null;
        return kept == null ? 0 : reader.tell(kept, to);
    }

    @Override
    public boolean keepsBodies() {
        return !stopped;
    }

    @Override
    public void publish(
            long offset, Message message, int priority, long expiresAtNs, boolean handOutExpected, boolean store) {
        lastPublished = offset;
        boolean survives = durable && message.properties().isPersistent();
        if (!survives && !store) {
            return;
        }
        int flags = survives ? 0 : Records.TRANSIENT;
        if (survives) {
            lastPromised = offset;
            if (handOutExpected) {
                flags |= Records.HANDED_OUT;
                granted[priority] = Math.max(granted[priority], offset);
            }
        }
        everWritten = true;
        writer.add(new QueueEntries.Publish(this, offset, message, priority, expiresAtNs, flags, store));
    }

    @Override
    public void store(long offset, Message message, int priority, long expiresAtNs) {
        everWritten = true;
        writer.add(new QueueEntries.Publish(this, offset, message, priority, expiresAtNs, Records.TRANSIENT, true));
    }

    @Override
    public void read(List<Long> offsets) {
        reader.read(this, offsets);
    }

    @Override
    public boolean mayHandOut(int priority, long offset, boolean survives) {
        if (!durable || !survives || stopped) {
            return true;
        }
        if (offset > granted[priority]) {
            granted[priority] = Math.max(granted[priority], written.get(priority));
        }
        if (offset <= granted[priority]) {
            if (offset > seen.getPlain(priority)) {
                seen.lazySet(priority, offset);
            }
            return true;
        }
        if (offset > asked[priority]) {
            // As many again as were taken before: what is marked and was not seen is never more than what was.
            grantStep[priority] = Math.min(GRANT_STEP_MAX, Math.max(1, 2 * grantStep[priority]));
            asked[priority] = Math.min(offset + grantStep[priority] - 1, Math.max(offset, lastPublished));
            writer.add(new QueueEntries.HandOut(this, priority, asked[priority]));
        }
        return false;
    }

    @Override
    public void settle(long offset, Settlement why) {
        if (everWritten) {
            writer.add(new QueueEntries.Settle(this, offset));
        }
    }

    @Override
    public void purge(long endOffset, List<Long> except) {
        if (everWritten) {
            writer.add(new QueueEntries.Purge(this, endOffset, except));
        }
    }

    @Override
    public long safeOffset() {
        return safeOffset >= lastPromised ? Long.MAX_VALUE : safeOffset;
    }

    @Override
    public long barrier() {
        if (!everWritten || !durable) {
            return passedBarrier;
        }
        lastBarrier++;
        writer.add(new QueueEntries.Barrier(this, lastBarrier));
        return lastBarrier;
    }

    @Override
    public long passedBarrier() {
        return passedBarrier;
    }

    @Override
    public void delete() {
        writer.add(new QueueEntries.Delete(this));
    }

    // ---- shared: places

    /** Where a message stands in a log file, or {@link QueueTable#NONE}. */
    long place(long offset) {
        synchronized (table) {
            return table.get(offset);
        }
    }

    /** The number of the segment a message is in, or -1. */
    long segmentOf(long offset) {
        synchronized (table) {
            Segment segment = table.segmentOf(offset);
            return segment == null ? -1 : segment.number();
        }
    }

    /** Segments so little of which waits that they are to be copied. */
    List<Segment> sparseSegments() {
        synchronized (table) {
            return table.segments().stream().filter(Segment::isSparse).toList();
        }
    }

    /** The messages of a segment that wait, now. */
    List<Long> waitingIn(Segment segment) {
        List<Long> offsets = new ArrayList<>();
        synchronized (table) {
            segment.unsettled().forEach(offsets::add);
        }
        return offsets;
    }

    // ---- the writer

    /** Segments and places as they are, for the writer to change. */
    QueueTable table() {
        return table;
    }

    boolean isGone() {
        return gone;
    }

    /** Whether its state must be written again before log files up to that one go. */
    boolean needsStateFor(long upToFile) {
        return stateIsOld || stateFile <= upToFile;
    }

    /** A segment is in the table that no state names; under the table's lock. */
    void addSegment(Segment segment) {
        table.addSegment(segment);
        stateIsOld = true;
    }

    private void touch() {
        writer.touch(this);
        if (durable && stateFile == Long.MAX_VALUE) {
            stateFile = writer.wal().current().number();
        }
    }

    void published(QueueEntries.Publish publish) throws IOException {
        if (gone) {
            return;
        }
        touch();
        if (publish.store && isKnown(publish.offset)) {
            roundStored.add(publish.offset);
            return;
        }
        long place = writer.writeMessage(
                id, publish.offset, publish.message, publish.priority, publish.expiresAtNs, publish.flags);
        moved(publish.offset, place);
        nextOffset = Math.max(nextOffset, publish.offset + 1);
        if ((publish.flags & Records.HANDED_OUT) != 0) {
            limits[publish.priority] = Math.max(limits[publish.priority], publish.offset);
        }
        if ((publish.flags & Records.TRANSIENT) == 0) {
            roundSafe = publish.offset;
            writer.wantForce();
        }
        if (publish.store) {
            roundStored.add(publish.offset);
        }
    }

    private boolean isKnown(long offset) {
        synchronized (table) {
            return table.get(offset) != QueueTable.NONE || table.segmentOf(offset) != null;
        }
    }

    /** A message stands in a log file now, wherever it stood before. */
    void moved(long offset, long place) {
        synchronized (table) {
            writer.wal().left(table.get(offset));
            table.put(offset, place);
        }
        writer.wal().came(place);
    }

    void settled(long offset) {
        if (gone) {
            return;
        }
        synchronized (table) {
            long place = table.remove(offset);
            if (place == QueueTable.NONE) {
                Segment segment = table.segmentOf(offset);
                if (segment == null) {
                    return;
                }
                segment.unsettled().remove(offset);
                writer.reclaiming().onSettledInSegment(this, segment);
            } else {
                writer.wal().left(place);
            }
        }
        touch();
        if (durable) {
            QueueStates.addTo(roundSettled, offset);
        }
    }

    void purged(QueueEntries.Purge purge) throws IOException {
        if (gone) {
            return;
        }
        touch();
        writeSettled();
        Set<Long> except = new HashSet<>(purge.except);
        synchronized (table) {
            table.removeIf(
                    offset -> offset < purge.endOffset && !except.contains(offset),
                    (offset, place) -> writer.wal().left(place));
            table.segments().forEach(segment -> writer.reclaiming().onSettledInSegment(this, segment));
        }
        long[] kept = purge.except.stream().mapToLong(Long::longValue).toArray();
        writer.writeLongs(RecordKind.PURGE, 0, id, purge.endOffset, 0, List.of(kept));
    }

    void handedOut(int priority, long upTo) throws IOException {
        if (gone) {
            return;
        }
        touch();
        limits[priority] = upTo;
        roundHandOut = true;
        writer.writeLongs(RecordKind.HANDED_OUT, priority, id, upTo, 0, List.of());
    }

    private void writeSettled() throws IOException {
        for (int from = 0; from < roundSettled.size(); from += RANGES_PER_RECORD) {
            List<long[]> ranges = roundSettled.subList(from, Math.min(roundSettled.size(), from + RANGES_PER_RECORD));
            writer.writeLongs(RecordKind.SETTLE, 0, id, ranges.get(0)[0], 0, ranges);
        }
        roundSettled.clear();
    }

    /** Writes what was gathered in this round. */
    void writeRoundEnd() throws IOException {
        writeSettled();
    }

    /** Writes what was really seen in place of what might have been. */
    void writeStop(LogWriter to) throws IOException {
        for (int level = 0; level < limits.length; level++) {
            if (limits[level] != seen.get(level) && durable) {
                to.writeLongs(RecordKind.HANDED_OUT, level, id, seen.get(level), 0, List.of());
            }
        }
    }

    /** Writes all that is known but for messages in younger log files, so that older ones may go. */
    void writeState(LogWriter to, long upToFile) throws IOException {
        if (stateFile == Long.MAX_VALUE || gone) {
            return;
        }
        List<Long> handOut = new ArrayList<>();
        for (long limit : limits) {
            handOut.add(limit);
        }
        List<Segment> segments;
        synchronized (table) {
            segments = table.segments().stream()
                    .filter(segment -> segment.unsettled().size() > 0)
                    .toList();
        }
        QueueStates state = new QueueStates(nextOffset, upToFile, handOut, segments);
        ByteBuffer buffer = to.reserve(state.bytesMax());
        stateFile = to.wal().current().number();
        stateIsOld = false;
        state.write(buffer, id);
    }

    void barrierAsked(long number) {
        writer.touch(this);
        writer.wantForce();
        roundBarrier = number;
    }

    void deleted() {
        gone = true;
        List<Segment> segments;
        synchronized (table) {
            table.forEachPlace((offset, place) -> writer.wal().left(place));
            segments = table.segments();
            // Whoever still reads for it finds nothing, and does not look for files that are gone.
            table.clear();
        }
        writer.wal().removeQueue(this);
        writer.reclaiming().onQueueGone(this, segments);
    }

    /** The round's records are written: a crash of the process keeps them. Adds what is to be told of that. */
    void onWritten(List<Runnable> told) {
        if (roundHandOut) {
            roundHandOut = false;
            for (int level = 0; level < limits.length; level++) {
                written.set(level, Math.max(written.get(level), limits[level]));
            }
            told.add(listener::onHandOutAllowed);
        }
        List<Long> stored = roundStored;
        if (!stored.isEmpty()) {
            roundStored = new ArrayList<>();
            told.add(() -> listener.onStored(stored));
        }
    }

    /** The round's records are forced. Adds what is to be told of that. */
    void onForced(List<Runnable> told) {
        if (roundSafe >= 0 || roundBarrier > 0) {
            safeOffset = Math.max(safeOffset, roundSafe);
            passedBarrier = Math.max(passedBarrier, roundBarrier);
            roundSafe = -1;
            roundBarrier = 0;
            told.add(listener::onSafe);
        }
    }

    /** The store has stopped: consumers still get what is in memory. */
    void onStopped() {
        stopped = true;
        listener.onHandOutAllowed();
    }

    void tellRead(List<Long> offsets, List<Message> messages) {
        listener.onRead(offsets, messages);
    }
}
