package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.ReleasedQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Shows all messages of a queue that has stopped, in order; those whose bodies are on disk are read in batches of {@value #BATCH_COUNT}. Owned by the
 * queue.
 */
final class ContentReading {
    private static final int BATCH_COUNT = 256;

    private final MessageSlots slots;
    private final QueueLog log;
    private final long nextOffset;
    private final ReleasedQueue.Reader reader;
    private final List<Long> offsets = new ArrayList<>();
    /** Those that were read and are not shown yet. */
    private final Map<Long, Message> read = new HashMap<>();

    /** Those that were asked for and have not come. */
    private final Set<Long> underWay = new HashSet<>();

    private int shown;

    ContentReading(MessageSlots slots, QueueLog log, Set<Long> except, long nextOffset, ReleasedQueue.Reader reader) {
        this.slots = slots;
        this.log = log;
        this.nextOffset = nextOffset;
        this.reader = reader;
        slots.offsets().stream().filter(offset -> !except.contains(offset)).forEach(offsets::add);
    }

    /** Shows what can be had, and asks for the next where that is not all. */
    void goOn() {
        while (shown < offsets.size()) {
            long offset = offsets.get(shown);
            Message message = slots.isResident(offset) ? slots.message(offset) : read.remove(offset);
            if (message == null) {
                askFrom(shown);
                return;
            }
            reader.message(
                    offset, message, slots.priority(offset), slots.expiresAtNs(offset), slots.isRedelivered(offset));
            shown++;
        }
        reader.end(nextOffset);
    }

    /** What was in memory when others were asked for may have left it since: it was being stored. */
    private void askFrom(int first) {
        if (underWay.contains(offsets.get(first))) {
            return;
        }
        List<Long> wanted = new ArrayList<>();
        for (int index = first; index < offsets.size() && wanted.size() < BATCH_COUNT; index++) {
            long offset = offsets.get(index);
            if (!slots.isResident(offset) && !read.containsKey(offset) && !underWay.contains(offset)) {
                wanted.add(offset);
            }
        }
        underWay.addAll(wanted);
        log.read(wanted);
    }

    void onRead(List<Long> came, List<Message> messages) {
        for (int i = 0; i < came.size(); i++) {
            underWay.remove(came.get(i));
            read.put(came.get(i), messages.get(i));
        }
        if (shown < offsets.size()) {
            goOn();
        }
    }
}
