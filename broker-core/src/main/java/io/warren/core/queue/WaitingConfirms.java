package io.warren.core.queue;

import java.util.ArrayDeque;

/** Publishes whose offset is not safe yet, in order of offset. */
final class WaitingConfirms {

    private record Waiting(long offset, ChannelRef publisher, long sequence) {}

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    void add(long offset, ChannelRef publisher, long sequence) {
        waiting.addLast(new Waiting(offset, publisher, sequence));
    }

    void clear() {
        waiting.clear();
    }

    void confirmUpTo(long safeOffset, QueueOutput output) {
        for (Waiting first = waiting.peekFirst();
                first != null && first.offset <= safeOffset;
                first = waiting.peekFirst()) {
            waiting.removeFirst();
            output.confirmed(first.publisher, first.sequence);
        }
    }
}
