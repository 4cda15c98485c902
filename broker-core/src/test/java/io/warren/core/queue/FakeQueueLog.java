package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.Settlement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
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

    /** Offsets of what was published and is not settled. */
    final TreeSet<Long> live = new TreeSet<>();

    /** Whether bodies can be stored: what was asked for is in {@code storing} until a test answers. */
    boolean keepsBodies;

    /** Offsets up to this may be handed out. */
    long handOutLimit = Long.MAX_VALUE;

    /** Barriers up to this are passed. */
    long passedBarrier = Long.MAX_VALUE;

    long lastBarrier;
    final List<Long> storing = new ArrayList<>();
    final List<Long> reading = new ArrayList<>();
    final List<Long> askedHandOuts = new ArrayList<>();
    final Map<Long, Message> bodies = new HashMap<>();

    /** What an earlier life left. */
    Consumer<Recovered> kept = to -> {};

    long recoveredNextOffset;

    @Override
    public long recover(Recovered to) {
        kept.accept(to);
        return recoveredNextOffset;
    }

    @Override
    public boolean keepsBodies() {
        return keepsBodies;
    }

    @Override
    public void publish(
            long offset, Message message, int priority, long expiresAtNs, boolean handOutExpected, boolean store) {
        live.add(offset);
        if (store) {
            store(offset, message, priority, expiresAtNs);
        }
        write(() -> "publish " + offset + " " + message.routingKey() + " priority=" + priority
                + (expiresAtNs == BackingQueue.NEVER ? "" : " expires=" + expiresAtNs));
    }

    @Override
    public void store(long offset, Message message, int priority, long expiresAtNs) {
        storing.add(offset);
        bodies.put(offset, message);
    }

    @Override
    public void read(List<Long> offsets) {
        reading.addAll(offsets);
    }

    @Override
    public boolean mayHandOut(int priority, long offset, boolean survives) {
        if (offset > handOutLimit) {
            askedHandOuts.add(offset);
            return false;
        }
        write(() -> "handedOut " + offset);
        return true;
    }

    /** Every message below it but those, told one by one. */
    @Override
    public void purge(long endOffset, List<Long> except) {
        for (long offset : List.copyOf(live.headSet(endOffset))) {
            if (!except.contains(offset)) {
                settle(offset, Settlement.PURGED);
            }
        }
    }

    @Override
    public long barrier() {
        return ++lastBarrier;
    }

    @Override
    public long passedBarrier() {
        return passedBarrier;
    }

    @Override
    public void settle(long offset, Settlement why) {
        live.remove(offset);
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
