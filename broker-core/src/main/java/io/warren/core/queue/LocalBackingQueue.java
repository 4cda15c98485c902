package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.Settlement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;

/** The backing queue of one node: order and bodies in memory, durability in a {@link QueueLog}. */
public final class LocalBackingQueue implements BackingQueue {

    private final QueueLog log;
    private final LongConsumer memory;
    private final MessageSlots slots = new MessageSlots();
    private final ReadyOrder[] levels;
    private final BitSet occupied = new BitSet();
    private long nextOffset;
    private long readyCount;
    private long readyBytes;

    /** Ready messages that can expire: while there are none, expiry costs nothing. */
    private long expiringCount;

    /** Bytes it has reported as held. */
    private long heldBytes;

    /**
     * An empty backing queue.
     *
     * @param priorityMax highest priority it orders by, 0 to 255; higher ones count as this
     * @param log where what must be durable is kept
     * @param memory told of bytes that it holds more, or less
     */
    public LocalBackingQueue(int priorityMax, QueueLog log, LongConsumer memory) {
        this.log = log;
        this.memory = memory;
        this.levels = new ReadyOrder[priorityMax + 1];
        Arrays.setAll(levels, priority -> new ReadyOrder());
    }

    @Override
    public long publish(Message message, int priority, long expiresAtNs) {
        long offset = nextOffset++;
        int level = Math.min(priority, levels.length - 1);
        slots.put(offset, message, level, expiresAtNs);
        levels[level].add(offset);
        log.publish(offset, message, level, expiresAtNs);
        countReady(level, message, expiresAtNs, 1);
        hold(message.memoryBytes());
        return offset;
    }

    @Override
    public long safeOffset() {
        return log.safeOffset();
    }

    @Override
    public long readyCount() {
        return readyCount;
    }

    @Override
    public long readyBytes() {
        return readyBytes;
    }

    @Override
    public long head() {
        return readyCount == 0 ? NONE : levels[occupied.length() - 1].head();
    }

    @Override
    public long expiredHead(long nowNs) {
        if (expiringCount > 0) {
            for (int level = occupied.length() - 1; level >= 0; level = occupied.previousSetBit(level - 1)) {
                long head = levels[level].head();
                if (slots.expiresAtNs(head) <= nowNs) {
                    return head;
                }
            }
        }
        return NONE;
    }

    @Override
    public long nextExpiryNs() {
        long next = NEVER;
        if (expiringCount > 0) {
            for (int level = occupied.length() - 1; level >= 0; level = occupied.previousSetBit(level - 1)) {
                next = Math.min(next, slots.expiresAtNs(levels[level].head()));
            }
        }
        return next;
    }

    @Override
    public long expiresAtNs(long offset) {
        return slots.expiresAtNs(offset);
    }

    @Override
    public boolean isRedelivered(long offset) {
        return slots.isRedelivered(offset);
    }

    @Override
    public Message fetch(long offset) {
        Message message = take(offset);
        log.handedOut(offset);
        return message;
    }

    @Override
    public void drop(long offset, Settlement why) {
        take(offset);
        settle(offset, why);
    }

    private Message take(long offset) {
        int level = slots.priority(offset);
        long head = levels[level].poll();
        if (head != offset) {
            throw new IllegalArgumentException("offset=" + offset + " is not a head; that is " + head);
        }
        Message message = slots.message(offset);
        countReady(level, message, slots.expiresAtNs(offset), -1);
        return message;
    }

    @Override
    public void requeue(long offset) {
        slots.markRedelivered(offset);
        putBack(offset);
    }

    @Override
    public void putBack(long offset) {
        int level = slots.priority(offset);
        levels[level].putBack(offset);
        countReady(level, slots.message(offset), slots.expiresAtNs(offset), 1);
    }

    @Override
    public void settle(long offset, Settlement why) {
        hold(-slots.message(offset).memoryBytes());
        slots.remove(offset);
        log.settle(offset, why);
    }

    @Override
    public long purge() {
        long purged = readyCount;
        while (readyCount > 0) {
            drop(head(), Settlement.PURGED);
        }
        return purged;
    }

    @Override
    public List<Message> peek(int countMax) {
        List<Message> messages = new ArrayList<>();
        for (int level = occupied.length() - 1; level >= 0; level = occupied.previousSetBit(level - 1)) {
            for (long offset : levels[level].first(countMax - messages.size())) {
                messages.add(slots.message(offset));
            }
        }
        return messages;
    }

    @Override
    public void delete() {
        hold(-heldBytes);
        slots.clear();
        Arrays.setAll(levels, priority -> new ReadyOrder());
        occupied.clear();
        readyCount = 0;
        readyBytes = 0;
        expiringCount = 0;
        log.delete();
    }

    private void hold(long changeBytes) {
        heldBytes += changeBytes;
        memory.accept(changeBytes);
    }

    private void countReady(int level, Message message, long expiresAtNs, int change) {
        readyCount += change;
        readyBytes += (long) change * message.bodyBytes();
        if (expiresAtNs != NEVER) {
            expiringCount += change;
        }
        occupied.set(level, levels[level].size() > 0);
    }
}
