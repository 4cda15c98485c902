package io.warren.mirroring.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * Unsettled messages in a row, published in one reign, that a member holds already: what nobody needs to send it.
 *
 * <p>Within one metadata log a reign has one master, which gives each offset once. So reign and offset name a publish for ever, and two
 * members that hold it hold the same bytes, however far apart their logs are.
 *
 * @param first offset of the first
 * @param last offset of the last
 * @param reign in which they were published
 */
public record HeldMessages(long first, long last, long reign) {
    /** Most runs that are told: a member that holds more is sent the others again. */
    public static final int RUNS_MAX = 4_096;

    public HeldMessages {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException("first=" + first + " last=" + last);
        }
    }

    /** The runs of these publishes, which ascend. */
    public static List<HeldMessages> of(Iterable<byte[]> entries) {
        List<HeldMessages> runs = new ArrayList<>();
        long first = -1;
        long last = -1;
        long reign = 0;
        for (byte[] entry : entries) {
            long offset = QueueEntryCodec.offset(entry);
            long its = QueueEntryCodec.reign(entry);
            if (first >= 0 && (offset != last + 1 || its != reign)) {
                runs.add(new HeldMessages(first, last, reign));
                first = -1;
                if (runs.size() == RUNS_MAX) {
                    return runs;
                }
            }
            first = first < 0 ? offset : first;
            last = offset;
            reign = its;
        }
        if (first >= 0) {
            runs.add(new HeldMessages(first, last, reign));
        }
        return runs;
    }

    /** Whether it is one of these runs, which ascend. */
    static boolean has(List<HeldMessages> runs, long offset, long reign) {
        int low = 0;
        int high = runs.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            HeldMessages run = runs.get(middle);
            if (offset < run.first) {
                high = middle - 1;
            } else if (offset > run.last) {
                low = middle + 1;
            } else {
                return run.reign == reign;
            }
        }
        return false;
    }
}
