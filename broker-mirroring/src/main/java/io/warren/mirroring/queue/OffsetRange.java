package io.warren.mirroring.queue;

import io.warren.core.queue.OffsetBits;
import java.util.ArrayList;
import java.util.List;

/** Offsets from the first to the last, both included. */
public record OffsetRange(long first, long last) {

    public OffsetRange {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException("first=" + first + " last=" + last);
        }
    }

    /** A set of offsets as ascending ranges that do not touch. */
    static List<OffsetRange> of(OffsetBits offsets) {
        Collector collector = new Collector();
        offsets.forEach(collector::add);
        return collector.end();
    }

    /** The offsets of publish entries, which ascend, as ranges that do not touch. */
    public static List<OffsetRange> of(Iterable<byte[]> publishes) {
        Collector collector = new Collector();
        publishes.forEach(publish -> collector.add(QueueEntryCodec.offset(publish)));
        return collector.end();
    }

    /** Everything below an end, but for some offsets, which ascend. */
    static List<OffsetRange> below(long end, Iterable<Long> except) {
        List<OffsetRange> ranges = new ArrayList<>();
        long from = 0;
        for (long kept : except) {
            if (kept >= end) {
                break;
            }
            if (kept > from) {
                ranges.add(new OffsetRange(from, kept - 1));
            }
            from = Math.max(from, kept + 1);
        }
        if (from < end) {
            ranges.add(new OffsetRange(from, end - 1));
        }
        return ranges;
    }

    /** Puts ascending offsets together. */
    private static final class Collector {
        private final List<OffsetRange> ranges = new ArrayList<>();
        private long first = -1;
        private long last;

        void add(long offset) {
            if (first >= 0 && offset == last + 1) {
                last = offset;
                return;
            }
            close();
            first = offset;
            last = offset;
        }

        private void close() {
            if (first >= 0) {
                ranges.add(new OffsetRange(first, last));
            }
        }

        List<OffsetRange> end() {
            close();
            return ranges;
        }
    }
}
