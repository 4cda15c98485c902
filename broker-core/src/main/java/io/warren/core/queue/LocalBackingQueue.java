package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.BackingQueueListener;
import io.warren.core.spi.MemoryBudget;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.QueueLogListener;
import io.warren.core.spi.ReleasedQueue;
import io.warren.core.spi.Settlement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The backing queue of one node: the order in memory, durability in a {@link QueueLog}, bodies in memory or there.
 *
 * <p>A lazy queue, and one that has more than its share while memory is short, keeps bodies in the log only, but for
 * those next to be handed out ({@link ReadAhead}). The answers of the log are called in the queue's mailbox.
 */
public final class LocalBackingQueue implements BackingQueue, QueueLogListener {

    /** Messages looked at for paging with each publish while memory is short. */
    private static final int PAGED_PER_PUBLISH = 32;

    private final QueueLog log;
    private final MemoryBudget memory;
    private final BackingQueueListener listener;
    private final MessageSlots slots = new MessageSlots();
    private final ReadyOrder[] levels;
    private final BitSet occupied = new BitSet();
    private final ReadAhead readAhead;

    /** Messages whose bodies the log was asked to store and has not yet. */
    private final OffsetBits storing = new OffsetBits();

    private long nextOffset;
    private long readyCount;
    private long readyBytes;
    private boolean lazy;

    /** Ready messages that can expire: while there are none, expiry costs nothing. */
    private long expiringCount;

    /** Bytes it has reported as held. */
    private long heldBytes;

    /** Where paging goes on: in which level, and from which offset. */
    private int pageLevel;

    private long pageFrom;

    /** Whether bodies may lie in memory behind those next to be handed out, and nobody has asked for them to be stored. */
    private boolean mayPageMore = true;

    /** Whether that has been found, or has come to be, since the first level was begun. */
    private boolean pagesAgain = true;

    /** The message that was taken and could not be had at once, or {@link #NONE}. */
    private long pending = NONE;

    private boolean pendingForConsumer;

    /** Null while nobody reads all of it. */
    private @Nullable ContentReading reading;

    /**
     * A backing queue with what the log has kept.
     *
     * @param priorityMax highest priority it orders by, 0 to 255; higher ones count as this
     * @param log where what must be durable is kept
     * @param memory told of bytes that it holds more, or less
     * @param listener told of bodies that come later
     */
    public LocalBackingQueue(int priorityMax, QueueLog log, MemoryBudget memory, BackingQueueListener listener) {
        this(priorityMax, log, memory, listener, ReadAhead.COUNT_MAX);
    }

    /** For tests: one that keeps few messages in memory. */
    LocalBackingQueue(
            int priorityMax, QueueLog log, MemoryBudget memory, BackingQueueListener listener, int readAheadMax) {
        this.log = log;
        this.memory = memory;
        this.listener = listener;
        this.levels = new ReadyOrder[priorityMax + 1];
        Arrays.setAll(levels, priority -> new ReadyOrder());
        this.readAhead = new ReadAhead(readAheadMax, slots, log);
        this.nextOffset = log.recover(this::recovered);
    }

    private void recovered(long offset, int bodyBytes, int priority, long expiresAtNs, boolean redelivered) {
        int level = Math.min(priority, levels.length - 1);
        slots.putPaged(offset, bodyBytes, level, expiresAtNs, redelivered);
        levels[level].add(offset);
        countReady(offset, level, 1);
        hold(MessageSlots.PAGED_BYTES);
    }

    // ---- publishing

    @Override
    public long publish(Message message, int priority, long expiresAtNs, boolean handOutExpected) {
        long offset = nextOffset++;
        int level = Math.min(priority, levels.length - 1);
        boolean page = !handOutExpected && isPaging();
        slots.put(offset, message, level, expiresAtNs);
        levels[level].add(offset);
        if (page) {
            storing.add(offset);
        } else {
            hasMoreToPage();
        }
        log.publish(offset, message, level, expiresAtNs, handOutExpected, page);
        countReady(offset, level, 1);
        hold(message.memoryBytes());
        if (page && mayPageMore) {
            pageSome();
        }
        return offset;
    }

    @Override
    public long safeOffset() {
        return log.safeOffset();
    }

    @Override
    public long barrier() {
        return log.barrier();
    }

    @Override
    public long passedBarrier() {
        return log.passedBarrier();
    }

    // ---- what it holds

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
    public List<Message> peek(int countMax) {
        List<Message> messages = new ArrayList<>();
        for (int level = occupied.length() - 1; level >= 0; level = occupied.previousSetBit(level - 1)) {
            for (long offset : levels[level].first(countMax - messages.size())) {
                if (!slots.isResident(offset)) {
                    return messages;
                }
                messages.add(slots.message(offset));
            }
        }
        return messages;
    }

    // ---- taking

    @Override
    public @Nullable Message fetch(long offset) {
        return take(offset, true);
    }

    @Override
    public @Nullable Message take(long offset) {
        return take(offset, false);
    }

    private @Nullable Message take(long offset, boolean forConsumer) {
        int level = remove(offset);
        readAhead.onTaken(offset, levels[level]);
        Message message = available(offset, forConsumer);
        if (message == null) {
            pending = offset;
            pendingForConsumer = forConsumer;
            readAhead.want(offset, levels[level]);
        }
        return message;
    }

    /** The message, if it is in memory and may be handed out. */
    private @Nullable Message available(long offset, boolean forConsumer) {
        Message message = slots.isResident(offset) ? slots.message(offset) : null;
        boolean survives = message == null || message.properties().isPersistent();
        boolean may = !forConsumer || log.mayHandOut(slots.priority(offset), offset, survives);
        return may ? message : null;
    }

    /** Takes a head out of the order; returns its level. */
    private int remove(long offset) {
        int level = slots.priority(offset);
        long head = levels[level].head();
        if (head != offset) {
            throw new IllegalArgumentException("offset=" + offset + " is not a head; that is " + head);
        }
        levels[level].poll();
        countReady(offset, level, -1);
        return level;
    }

    private void answerPending() {
        if (pending != NONE) {
            Message message = available(pending, pendingForConsumer);
            if (message != null) {
                long offset = pending;
                pending = NONE;
                listener.onFetched(offset, message);
            }
        }
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
        hasMoreToPage();
        countReady(offset, level, 1);
    }

    // ---- settling

    @Override
    public void settle(long offset, Settlement why) {
        forget(offset);
        log.settle(offset, why);
    }

    @Override
    public void drop(long offset, Settlement why) {
        int level = remove(offset);
        readAhead.onTaken(offset, levels[level]);
        settle(offset, why);
    }

    private void forget(long offset) {
        hold(-slots.memoryBytes(offset));
        slots.remove(offset);
        storing.remove(offset);
    }

    @Override
    public long purge() {
        long purged = readyCount;
        for (ReadyOrder level : levels) {
            level.drain(this::forget);
        }
        readAhead.clear();
        occupied.clear();
        readyCount = 0;
        readyBytes = 0;
        expiringCount = 0;
        if (purged > 0) {
            log.purge(nextOffset, slots.offsets());
        }
        return purged;
    }

    @Override
    public void read(Set<Long> except, ReleasedQueue.Reader reader) {
        ContentReading all = new ContentReading(slots, log, except, nextOffset, reader);
        reading = all;
        all.goOn();
    }

    @Override
    public void delete() {
        hold(-heldBytes);
        slots.clear();
        Arrays.setAll(levels, priority -> new ReadyOrder());
        occupied.clear();
        storing.clear();
        readAhead.clear();
        pending = NONE;
        readyCount = 0;
        readyBytes = 0;
        expiringCount = 0;
        log.delete();
    }

    // ---- memory

    @Override
    public void lazy(boolean isLazy) {
        lazy = isLazy;
        if (lazy && log.keepsBodies()) {
            for (int level = occupied.nextSetBit(0); level >= 0; level = occupied.nextSetBit(level + 1)) {
                pageOut(levels[level], 0, Integer.MAX_VALUE);
            }
        }
    }

    private boolean isPaging() {
        return (lazy || memory.mustPage()) && log.keepsBodies();
    }

    private void hasMoreToPage() {
        mayPageMore = true;
        pagesAgain = true;
    }

    /** Looks at some messages more, behind those next to be handed out, and sends their bodies to the disk. */
    private void pageSome() {
        if (levels[pageLevel].size() > 0) {
            pageFrom = pageOut(levels[pageLevel], pageFrom, PAGED_PER_PUBLISH);
        } else {
            pageFrom = NONE;
        }
        if (pageFrom == NONE) {
            int next = occupied.nextSetBit(pageLevel + 1);
            if (next < 0) {
                mayPageMore = pagesAgain;
                pagesAgain = false;
            }
            pageLevel = next < 0 ? Math.max(0, occupied.nextSetBit(0)) : next;
            pageFrom = 0;
        }
    }

    /** Returns where it stopped, or {@link #NONE} at the end of the level. */
    private long pageOut(ReadyOrder level, long from, int countMax) {
        long offset = level.next(Math.max(from, keptUpTo(level)));
        for (int i = 0; i < countMax && offset != NONE; i++) {
            page(offset);
            offset = level.next(offset + 1);
        }
        return offset;
    }

    /** Those next to be handed out stay in memory: as many as would be read ahead. */
    private long keptUpTo(ReadyOrder level) {
        long meanBytes = readyBytes / Math.max(1, readyCount);
        return level.head() + Math.max(1, Math.min(readAhead.countMax(), ReadAhead.BYTES_MAX / Math.max(1, meanBytes)));
    }

    private void page(long offset) {
        if (slots.isResident(offset)) {
            if (slots.isStored(offset)) {
                pagesAgain = true;
                evict(offset);
            } else if (!storing.contains(offset)) {
                pagesAgain = true;
                storing.add(offset);
                log.store(offset, slots.message(offset), slots.priority(offset), slots.expiresAtNs(offset));
            }
        }
    }

    private void evict(long offset) {
        hold(MessageSlots.PAGED_BYTES - slots.memoryBytes(offset));
        slots.evict(offset);
    }

    @Override
    public void onStored(List<Long> offsets) {
        boolean paging = isPaging();
        for (long offset : offsets) {
            if (storing.remove(offset) && slots.has(offset)) {
                slots.markStored(offset);
                ReadyOrder level = levels[slots.priority(offset)];
                if (paging && level.contains(offset) && offset >= keptUpTo(level)) {
                    evict(offset);
                } else {
                    hasMoreToPage();
                }
            }
        }
    }

    @Override
    public void onRead(List<Long> offsets, List<Message> messages) {
        if (reading != null) {
            reading.onRead(offsets, messages);
            return;
        }
        for (int i = 0; i < offsets.size(); i++) {
            long offset = offsets.get(i);
            boolean wanted = readAhead.onRead(offset) || offset == pending;
            if (wanted && slots.has(offset) && !slots.isResident(offset)) {
                Message message = messages.get(i);
                slots.fill(offset, message);
                hold(message.memoryBytes() - MessageSlots.PAGED_BYTES);
            }
        }
        answerPending();
    }

    @Override
    public void onHandOutAllowed() {
        answerPending();
    }

    @Override
    public void onSafe() {
        listener.onSafe();
    }

    private void hold(long changeBytes) {
        heldBytes += changeBytes;
        memory.held(changeBytes);
    }

    private void countReady(long offset, int level, int change) {
        readyCount += change;
        readyBytes += (long) change * slots.bodyBytes(offset);
        if (slots.expiresAtNs(offset) != NEVER) {
            expiringCount += change;
        }
        occupied.set(level, levels[level].size() > 0);
    }
}
