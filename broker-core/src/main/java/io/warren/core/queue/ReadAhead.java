package io.warren.core.queue;

import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.QueueLog;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks for the bodies that are next before they are needed, so that a queue on disk is drained at the disk's pace and
 * not one message for each way there and back.
 *
 * <p>At most {@value #COUNT_MAX} messages or {@value #BYTES_MAX} bytes are ahead, but always one. When half of them are
 * taken, the next are asked for. Owned by the queue.
 */
final class ReadAhead {

    static final int COUNT_MAX = 512;
    static final int BYTES_MAX = 1024 * 1024;

    private final int countMax;
    private final MessageSlots slots;
    private final QueueLog log;

    /** Asked for, and not taken yet. */
    private final OffsetBits ahead = new OffsetBits();

    /** Asked for, and not there yet. */
    private final OffsetBits underWay = new OffsetBits();

    /** Bodies of those ahead. */
    private long aheadBytes;

    /** @param countMax messages it asks for ahead; {@link #COUNT_MAX}, or few in a test */
    ReadAhead(int countMax, MessageSlots slots, QueueLog log) {
        this.countMax = countMax;
        this.slots = slots;
        this.log = log;
    }

    /** A message was taken from the head of its level. */
    void onTaken(long offset, ReadyOrder level) {
        if (ahead.remove(offset)) {
            aheadBytes -= slots.bodyBytes(offset);
            if (underWay.size() == 0 && ahead.size() <= countMax / 2 && aheadBytes <= BYTES_MAX / 2) {
                ask(new ArrayList<>(), level);
            }
        }
    }

    /** A message is needed now. */
    void want(long offset, ReadyOrder level) {
        if (!slots.isResident(offset) && !underWay.contains(offset)) {
            underWay.add(offset);
            List<Long> offsets = new ArrayList<>();
            offsets.add(offset);
            ask(offsets, level);
        }
    }

    private void ask(List<Long> offsets, ReadyOrder level) {
        long next = level.head();
        // What is resident or asked for is stepped over; that is no more than the window.
        for (int steps = 0; next != BackingQueue.NONE && steps < 2 * countMax && hasRoom(); steps++) {
            if (!slots.isResident(next) && !ahead.contains(next)) {
                ahead.add(next);
                underWay.add(next);
                aheadBytes += slots.bodyBytes(next);
                offsets.add(next);
            }
            next = level.next(next + 1);
        }
        if (!offsets.isEmpty()) {
            log.read(offsets);
        }
    }

    private boolean hasRoom() {
        return ahead.size() < countMax && aheadBytes < BYTES_MAX;
    }

    int countMax() {
        return countMax;
    }

    /** A body came; false if nobody waits for it any more. */
    boolean onRead(long offset) {
        return underWay.remove(offset);
    }

    void clear() {
        ahead.clear();
        underWay.clear();
        aheadBytes = 0;
    }
}
