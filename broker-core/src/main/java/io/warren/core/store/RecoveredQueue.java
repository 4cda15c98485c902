package io.warren.core.store;

import io.warren.core.spi.QueueLog;
import io.warren.core.store.format.QueueStates;
import io.warren.core.store.format.QueueTable;
import io.warren.core.store.format.Records;
import io.warren.core.store.format.Segment;
import io.warren.core.store.format.SegmentIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the log files say of one queue, record by record, and at the end the messages that wait in it. */
final class RecoveredQueue {

    /** Where segments are read from. */
    interface Indexes {
        /** The index of a segment, or null if the file is gone: then a later record must say that it may be. */
        @Nullable SegmentIndex read(long queueId, long number) throws IOException;
    }

    private final long id;
    private final Indexes indexes;
    private final QueueTable table = new QueueTable();
    private final Map<Integer, Long> handOutLimits = new HashMap<>();

    // Messages in log files, as they came; those that are gone since are told apart by their place.
    private long[] offsets = new long[64];
    private long[] places = new long[64];
    private long[] expiriesMs = new long[64];
    private int[] bodyBytes = new int[64];
    private byte[] priorities = new byte[64];
    private int count;

    /** Segments the last state names, all of which was settled since: they go when a state without them is forced. */
    private final List<Segment> emptied = new ArrayList<>();

    /** Segments that an old state names and that are gone. */
    private final Set<Long> missing = new HashSet<>();

    /** The greatest number of a segment that any state names, whether it is there or not. */
    private long lastSegment;

    private long nextOffset;
    private long stateFile = Long.MAX_VALUE;
    private long wallOffsetMs;

    RecoveredQueue(long id, Indexes indexes) {
        this.id = id;
        this.indexes = indexes;
    }

    /** A record of the queue, in the order of the log. */
    void record(ByteBuffer bytes, int start, long fileNumber, long position) throws IOException {
        stateFile = Math.min(stateFile, fileNumber);
        switch (Objects.requireNonNull(Records.kind(bytes, start))) {
            case PUBLISH -> published(bytes, start, QueueTable.place(fileNumber, position));
            case SETTLE -> settled(bytes, start);
            case HANDED_OUT -> handOutLimits.put(Records.priority(bytes, start), Records.offset(bytes, start));
            case PURGE -> purged(bytes, start);
            case QUEUE_STATE -> state(QueueStates.read(bytes, start), fileNumber);
            case COMMAND -> throw new IOException("a command of the topology in a log of messages");
        }
    }

    private void published(ByteBuffer bytes, int start, long place) {
        long offset = Records.offset(bytes, start);
        nextOffset = Math.max(nextOffset, offset + 1);
        int flags = Records.flags(bytes, start);
        if ((flags & Records.TRANSIENT) != 0) {
            return;
        }
        int priority = Records.priority(bytes, start);
        if ((flags & Records.HANDED_OUT) != 0) {
            handOutLimits.merge(priority, offset, Math::max);
        }
        table.put(offset, place);
        if (count == offsets.length) {
            grow();
        }
        offsets[count] = offset;
        places[count] = place;
        expiriesMs[count] = Records.value(bytes, start);
        bodyBytes[count] = Records.bodyBytes(bytes, start);
        priorities[count] = (byte) priority;
        count++;
    }

    private void grow() {
        int length = count * 2;
        offsets = Arrays.copyOf(offsets, length);
        places = Arrays.copyOf(places, length);
        expiriesMs = Arrays.copyOf(expiriesMs, length);
        bodyBytes = Arrays.copyOf(bodyBytes, length);
        priorities = Arrays.copyOf(priorities, length);
    }

    private void settled(ByteBuffer bytes, int start) {
        int end = start + Records.length(bytes, start);
        for (int at = start + Records.HEADER_BYTES; at < end; at += 2 * Long.BYTES) {
            long last = bytes.getLong(at + Long.BYTES);
            for (long offset = bytes.getLong(at); offset <= last; offset++) {
                settle(offset);
            }
            nextOffset = Math.max(nextOffset, last + 1);
        }
    }

    private void settle(long offset) {
        if (table.remove(offset) == QueueTable.NONE) {
            Segment segment = table.segmentOf(offset);
            if (segment != null) {
                segment.unsettled().remove(offset);
            }
        }
    }

    private void purged(ByteBuffer bytes, int start) {
        long endOffset = Records.offset(bytes, start);
        Set<Long> except = new HashSet<>();
        int end = start + Records.length(bytes, start);
        for (int at = start + Records.HEADER_BYTES; at < end; at += Long.BYTES) {
            except.add(bytes.getLong(at));
        }
        table.removeIf(offset -> offset < endOffset && !except.contains(offset), (offset, place) -> {});
        nextOffset = Math.max(nextOffset, endOffset);
    }

    /** Replaces the segments, and drops what older log files said of messages that are elsewhere now. */
    private void state(QueueStates state, long fileNumber) throws IOException {
        stateFile = fileNumber;
        nextOffset = Math.max(nextOffset, state.nextOffset());
        for (int priority = 0; priority < state.handOutLimits().size(); priority++) {
            handOutLimits.put(priority, state.handOutLimits().get(priority));
        }
        List<Long> moved = new ArrayList<>();
        table.forEachPlace((offset, place) -> {
            if (QueueTable.fileNumber(place) <= state.upToFile()) {
                moved.add(offset);
            }
        });
        moved.forEach(table::remove);
        Map<Long, Segment> known = new HashMap<>();
        for (Segment segment : table.segments()) {
            known.put(segment.number(), segment);
            table.removeSegment(segment);
        }
        for (Segment segment : state.segments()) {
            lastSegment = Math.max(lastSegment, segment.number());
            Segment before = known.get(segment.number());
            Segment now = QueueStates.isWholeOf(segment) ? before == null ? filled(segment) : before : segment;
            table.addSegment(now);
            if (before == null) {
                // The file its messages were moved out of may be there still, and named by nothing yet.
                now.unsettled().forEach(table::remove);
            }
        }
    }

    private Segment filled(Segment whole) throws IOException {
        SegmentIndex index = indexes.read(id, whole.number());
        if (index == null) {
            missing.add(whole.number());
            return whole;
        }
        for (int entry = 0; entry < index.count(); entry++) {
            if (!index.isTransient(entry)) {
                whole.unsettled().add(index.offset(entry));
            }
        }
        return whole;
    }

    // ---- the outcome

    void wallOffsetMs(long offsetMs) {
        wallOffsetMs = offsetMs;
    }

    long id() {
        return id;
    }

    QueueTable table() {
        return table;
    }

    long nextOffset() {
        long next = nextOffset;
        for (long limit : handOutLimits.values()) {
            next = Math.max(next, limit + 1);
        }
        return next;
    }

    long stateFile() {
        return stateFile;
    }

    long lastSegment() {
        return lastSegment;
    }

    /** Segments that may go when a state without them is forced. */
    List<Segment> emptied() {
        return emptied;
    }

    /** Drops segments nothing waits in; returns those that are named and have no file. */
    Set<Long> dropEmptySegments() {
        Set<Long> lost = new HashSet<>();
        for (Segment segment : table.segments()) {
            if (missing.contains(segment.number())) {
                lost.add(segment.number());
            } else if (segment.unsettled().size() == 0) {
                table.removeSegment(segment);
                emptied.add(segment);
            }
        }
        return lost;
    }

    long handOutLimit(int priority) {
        return handOutLimits.getOrDefault(priority, -1L);
    }

    /** How many messages wait. */
    long messageCount() {
        long[] total = new long[1];
        table.forEachPlace((offset, place) -> total[0]++);
        for (Segment segment : table.segments()) {
            total[0] += segment.unsettled().size();
        }
        return total[0];
    }

    /** Tells every message that waits. Reads the indexes of segments. */
    void forEach(QueueLog.Recovered to) throws IOException {
        for (Segment segment : table.segments()) {
            SegmentIndex index = Objects.requireNonNull(indexes.read(id, segment.number()));
            for (int entry = 0; entry < index.count(); entry++) {
                if (index.isTransient(entry)) {
                    segment.unsettled().remove(index.offset(entry));
                } else if (segment.unsettled().contains(index.offset(entry))) {
                    tell(
                            to,
                            index.offset(entry),
                            index.bodyBytes(entry),
                            index.priority(entry),
                            index.expiresAtMs(entry));
                }
            }
        }
        for (int i = 0; i < count; i++) {
            if (table.get(offsets[i]) == places[i]) {
                tell(to, offsets[i], bodyBytes[i], priorities[i] & 0xff, expiriesMs[i]);
            }
        }
    }

    private void tell(QueueLog.Recovered to, long offset, int bytes, int priority, long expiresAtMs) {
        to.message(offset, bytes, priority, expiresAtNs(expiresAtMs), offset <= handOutLimit(priority));
    }

    private long expiresAtNs(long expiresAtMs) {
        return expiresAtMs == Records.NEVER_MS
                ? io.warren.core.spi.BackingQueue.NEVER
                : TimeUnit.MILLISECONDS.toNanos(expiresAtMs - wallOffsetMs);
    }
}
