package io.warren.core.store.format;

import io.warren.core.queue.OffsetBits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a queue but for the messages in log files, as a record: it replaces all that older log files say.
 *
 * <pre>
 * record   offset: of the next message; value: log files up to this number hold nothing of the queue any more
 * content  short priorities, for each: long hand-out limit
 *          int segments, for each: long number, long first, long last, int count, int unsettled,
 *                                  and where these differ: ranges as pairs of longs, after their int number
 * </pre>
 *
 * @param nextOffset the offset the next message gets
 * @param upToFile log files up to this one hold nothing of the queue any more
 * @param handOutLimits by priority: what lies at or below may have been seen
 */
public record QueueStates(long nextOffset, long upToFile, List<Long> handOutLimits, List<Segment> segments) {

    /** An upper bound of what {@link #write} needs. */
    public int bytesMax() {
        long bytes = Records.HEADER_BYTES + 16L + 8L * handOutLimits.size();
        for (Segment segment : segments) {
            bytes += 40 + (isWhole(segment) ? 0 : 4 + 16L * ranges(segment).size());
        }
        return Math.toIntExact(bytes);
    }

    private static boolean isWhole(Segment segment) {
        return segment.unsettled().size() == segment.count();
    }

    /** Writes the record. */
    public void write(ByteBuffer to, long queueId) {
        int start = Records.begin(to, RecordKind.QUEUE_STATE, 0, 0, queueId, nextOffset);
        Records.value(to, start, upToFile);
        to.putShort((short) handOutLimits.size());
        handOutLimits.forEach(to::putLong);
        to.putInt(segments.size());
        for (Segment segment : segments) {
            to.putLong(segment.number()).putLong(segment.first()).putLong(segment.last());
            to.putInt(segment.count()).putInt((int) segment.unsettled().size());
            if (!isWhole(segment)) {
                List<long[]> ranges = ranges(segment);
                to.putInt(ranges.size());
                ranges.forEach(range -> to.putLong(range[0]).putLong(range[1]));
            }
        }
        Records.end(to, start, 0);
    }

    /**
     * Reads the record. A segment all of which waits comes without its offsets: {@link #isWholeOf} tells, and the
     * segment's index has them.
     */
    public static QueueStates read(ByteBuffer record, int start) {
        int end = start + Records.length(record, start);
        ByteBuffer from = record.duplicate().limit(end).position(start + Records.HEADER_BYTES);
        int levels = from.getShort() & 0xffff;
        List<Long> limits = new ArrayList<>();
        for (int i = 0; i < levels; i++) {
            limits.add(from.getLong());
        }
        List<Segment> segments = new ArrayList<>();
        int count = from.getInt();
        for (int i = 0; i < count; i++) {
            segments.add(readSegment(from));
        }
        return new QueueStates(Records.offset(record, start), Records.value(record, start), limits, segments);
    }

    private static Segment readSegment(ByteBuffer from) {
        long number = from.getLong();
        long first = from.getLong();
        long last = from.getLong();
        int count = from.getInt();
        OffsetBits unsettled = new OffsetBits();
        if (from.getInt() != count) {
            int ranges = from.getInt();
            for (int i = 0; i < ranges; i++) {
                long to = from.getLong(from.position() + 8);
                for (long offset = from.getLong(); offset <= to; offset++) {
                    unsettled.add(offset);
                }
                from.getLong();
            }
        }
        return new Segment(number, first, last, count, unsettled);
    }

    /** Whether a segment that was just read stands for all of its messages: an empty one is never written. */
    public static boolean isWholeOf(Segment read) {
        return read.unsettled().size() == 0;
    }

    private static List<long[]> ranges(Segment segment) {
        List<long[]> ranges = new ArrayList<>();
        segment.unsettled().forEach(offset -> addTo(ranges, offset));
        return ranges;
    }

    /** Adds an offset to ascending ranges of first and last. */
    public static void addTo(List<long[]> ranges, long offset) {
        long[] last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
        if (last != null && last[1] + 1 == offset) {
            last[1] = offset;
        } else {
            ranges.add(new long[] {offset, offset});
        }
    }
}
