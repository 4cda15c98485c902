package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A log that writes down what it was told, and is as safe as a test says. */
final class FakeQueueLog implements QueueLog {

    /** A message that is gone for good. */
    record Settled(long offset, Settlement why) {}

    final List<Settled> settled = new ArrayList<>();
    final List<String> entries = new ArrayList<>();
    long safeOffset = Long.MAX_VALUE;

    /** False where texts would cost too much. */
    boolean writesEntries = true;

    /** What was written since this was last called. */
    List<String> takeEntries() {
        List<String> taken = List.copyOf(entries);
        entries.clear();
        return taken;
    }

    private void write(Supplier<String> entry) {
        if (writesEntries) {
            entries.add(entry.get());
        }
    }

    @Override
    public void publish(long offset, Message message, int priority, long expiresAtNs) {
        write(() -> "publish " + offset + " " + message.routingKey() + " priority=" + priority
                + (expiresAtNs == BackingQueue.NEVER ? "" : " expires=" + expiresAtNs));
    }

    @Override
    public void handedOut(long offset) {
        write(() -> "handedOut " + offset);
    }

    @Override
    public void settle(long offset, Settlement why) {
        settled.add(new Settled(offset, why));
        write(() -> "settle " + offset + " " + why);
    }

    @Override
    public long safeOffset() {
        return safeOffset;
    }

    @Override
    public void delete() {
        write(() -> "delete");
    }
}
