package io.warren.mirroring.queue;

import io.warren.core.queue.OffsetBits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is true of the queue after some entries: a function of these entries in their order, and not of how they were cut into batches.
 *
 * <p>Invariant: every unsettled message lies below the next offset; every unfinished dead letter is an unsettled message, or one that is
 * missing. Its size is the queue's.
 *
 * <p>A member that comes late begins with everything but the messages, and those of before are <em>missing</em>: they are put in while
 * entries go on being applied, and what was settled in the meantime is not put in any more.
 */
final class ReplicaState {
    private static final int PRIORITY_LEVELS = 256;

    private final MessageTable messages = new MessageTable();
    private final ChannelTable channels;
    /** By priority: up to here consumers may have seen messages. */
    private final long[] limits = new long[PRIORITY_LEVELS];
    /** Unfinished dead letters by number, and their numbers by offset. */
    private final TreeMap<Long, QueueEntry.DeadLetter> dying = new TreeMap<>();

    private final Map<Long, Long> dyingNumbers = new HashMap<>();
    private long nextOffset;
    /** Below this offset every message is on disk only. */
    private long pagedBelow;

    private long deadLetterCount;
    /** Messages below this offset may be missing; 0 if none is. Never rises. */
    private long missingBelow;
    /** How many are missing, about: what is purged may have counted twice. */
    private long missingCount;
    /** While messages are missing: what was settled of them since this state began. */
    private @Nullable OffsetBits settledSince;

    ReplicaState(ReplicaSnapshot snapshot) {
        channels = ChannelTable.of(snapshot.channels);
        Arrays.fill(limits, -1);
        for (int priority = 0; priority < snapshot.limits.size(); priority++) {
            limits[priority] = snapshot.limits.get(priority);
        }
        for (byte[] entry : snapshot.messages) {
            messages.put(publish(entry).offset(), entry);
        }
        nextOffset = snapshot.nextOffset;
        deadLetterCount = snapshot.deadLetterCount;
        missingBelow = snapshot.missingBelow;
        settledSince = missingBelow > 0 ? new OffsetBits() : null;
        missingCount = snapshot.missingCount;
        snapshot.dying.forEach(each -> addDying(each.number(), each.entry()));
    }

    ReplicaSnapshot snapshot() {
        List<byte[]> entries = new ArrayList<>();
        messages.forEach(entries::add);
        int highest = PRIORITY_LEVELS - 1;
        while (highest >= 0 && limits[highest] < 0) {
            highest--;
        }
        List<Long> set = new ArrayList<>();
        for (int priority = 0; priority <= highest; priority++) {
            set.add(limits[priority]);
        }
        return new ReplicaSnapshot(nextOffset, deadLetterCount, missingBelow, entries, channels.rows(), set, dying());
    }

    // ---- what it knows

    long nextOffset() {
        return nextOffset;
    }

    long messageCount() {
        return messages.size();
    }

    /** Bytes in memory of what is not settled. */
    long bytes() {
        return messages.bytes();
    }

    /** The publish entries of unsettled messages below an offset, by offset; a copy. */
    Map<Long, byte[]> entriesBelow(long offset) {
        Map<Long, byte[]> entries = new TreeMap<>();
        messages.forEachBelow(offset, entry -> entries.put(QueueEntryCodec.offset(entry), entry));
        return entries;
    }

    boolean has(long offset) {
        return messages.get(offset) != null;
    }

    /** The publish of a message that is not settled. */
    QueueEntry.Publish publishAt(long offset) {
        byte[] entry = messages.get(offset);
        if (entry == null) {
            throw new IllegalStateException("offset=" + offset + " is settled or was never published");
        }
        return publish(entry);
    }

    /** Calls for each unsettled message, by offset. */
    void forEach(Consumer<QueueEntry.Publish> action) {
        messages.forEach(entry -> action.accept(publish(entry)));
    }

    ChannelTable channels() {
        return channels;
    }

    /** Up to here consumers may have seen messages of that priority; -1 if they have seen none. */
    long limit(int priority) {
        return limits[priority];
    }

    /** How many dead letters there were: each one's number is what this was with it. */
    long deadLetterCount() {
        return deadLetterCount;
    }

    /** Unfinished dead letters, by number. */
    List<ReplicaSnapshot.Dying> dying() {
        List<ReplicaSnapshot.Dying> all = new ArrayList<>();
        dying.forEach((number, entry) -> all.add(new ReplicaSnapshot.Dying(number, entry)));
        return all;
    }

    private static QueueEntry.Publish publish(byte[] entry) {
        return PagedEntry.publish(entry);
    }

    // ---- what is on disk only

    /**
     * Lets the bytes of messages go, which a disk has: of the oldest first, so many messages at most.
     */
    void page(int countMax) {
        List<byte[]> entries = new ArrayList<>();
        messages.forEachFrom(pagedBelow, entry -> {
            if (!PagedEntry.is(entry)) {
                entries.add(entry);
            }
            return entries.size() < countMax;
        });
        for (byte[] entry : entries) {
            QueueEntry.Publish publish = publish(entry);
            messages.replace(publish.offset(), PagedEntry.of(publish));
            pagedBelow = publish.offset() + 1;
        }
        if (entries.size() < countMax) {
            pagedBelow = nextOffset;
        }
    }

    // ---- what is missing

    /** Below this offset messages may be missing; 0 if none is. */
    long missingBelow() {
        return missingBelow;
    }

    /** The lowest offset of an unsettled message; the next offset if there is none. */
    long oldest() {
        byte[] first = messages.first();
        return first == null ? nextOffset : QueueEntryCodec.offset(first);
    }

    /** As {@link #fill(byte[], boolean)}, as it is. */
    void fill(byte[] entry) {
        fill(entry, false);
    }

    /**
     * A missing message, unsettled when this state began or later; it is put in if it still is.
     *
     * @param page whether no more than what has to stay in memory is put in
     * @return whether it was put in
     */
    boolean fill(byte[] entry, boolean page) {
        OffsetBits settled = settledSince;
        long offset = QueueEntryCodec.offset(entry);
        Invariant.check(settled != null && offset < missingBelow, "only what is missing is put in", offset);
        if (settled != null && !settled.contains(offset) && !has(offset)) {
            QueueEntry.Publish publish = publish(entry);
            publish.check();
            messages.put(offset, page && !publish.isPaged() ? PagedEntry.of(publish) : entry);
            pagedBelow = page ? pagedBelow : Math.min(pagedBelow, offset);
            missingCount = Math.max(0, missingCount - 1);
            return true;
        }
        return false;
    }

    /** How many are missing, about. */
    long missingCount() {
        return missingCount;
    }

    /** Nothing is missing: every message has come, or those that have not are settled by what is applied. */
    void onComplete() {
        missingBelow = 0;
        missingCount = 0;
        settledSince = null;
    }

    /** What is missing is given up, since nobody has it: this member leads the queue without it. */
    void giveUpMissing() {
        dying.values().removeIf(dead -> !has(dead.offset()));
        dyingNumbers.keySet().removeIf(offset -> !has(offset));
        onComplete();
    }

    // ---- entries

    /** Applies entries in their order; what is settled among them never enters. */
    void apply(List<byte[]> batch) {
        OffsetBits settled = settledWithin(batch);
        for (byte[] entry : batch) {
            apply(QueueEntryCodec.decode(entry), settled);
        }
    }

    /** Of the messages that come with the batch, those that also go with it. */
    private OffsetBits settledWithin(List<byte[]> batch) {
        OffsetBits settled = new OffsetBits();
        long end = nextOffset + batch.size();
        for (byte[] entry : batch) {
            if (QueueEntryCodec.isSettle(entry)
                    && QueueEntryCodec.decode(entry) instanceof QueueEntry.Settle settle
                    && settle.reason() != SettleReason.NOT_KEPT) {
                for (OffsetRange range : settle.ranges()) {
                    long last = Math.min(range.last(), end - 1);
                    for (long offset = Math.max(range.first(), nextOffset); offset <= last; offset++) {
                        settled.add(offset);
                    }
                }
            }
        }
        return settled;
    }

    private void apply(QueueEntry entry, OffsetBits settledLater) {
        if (entry instanceof QueueEntry.Publish publish) {
            onPublish(publish, settledLater);
        } else if (entry instanceof QueueEntry.Settle settle) {
            if (settle.reason() == SettleReason.NOT_KEPT) {
                settle.ranges().forEach(this::onNotKept);
            }
            settle.ranges().forEach(this::onSettled);
        } else if (entry instanceof QueueEntry.HandOut limit) {
            raise(limit.priority(), limit.upTo());
        } else if (entry instanceof QueueEntry.DeadLetter dead) {
            onDeadLetter(dead, settledLater);
        } else if (entry instanceof QueueEntry.ChannelGone gone) {
            channels.remove(gone.channel());
        }
    }

    private void onPublish(QueueEntry.Publish publish, OffsetBits settledLater) {
        long offset = publish.offset();
        Invariant.checkSame(nextOffset, "offsets grow by one", offset);
        nextOffset = offset + 1;
        ChannelId channel = publish.channel();
        if (channel != null) {
            channels.onPublish(channel, publish.sequence(), publish.firstOpen());
        }
        if (publish.raisesLimit()) {
            raise(publish.priority(), offset);
        }
        if (!settledLater.contains(offset)) {
            publish.check();
            messages.put(offset, publish.bytes());
        }
    }

    private void raise(int priority, long upTo) {
        limits[priority] = Math.max(limits[priority], upTo);
    }

    /** What its channel sends again was taken and is gone. */
    private void onNotKept(OffsetRange range) {
        for (long offset = range.first(); offset <= Math.min(range.last(), nextOffset - 1); offset++) {
            if (has(offset)) {
                QueueEntry.Publish gone = publishAt(offset);
                ChannelId channel = gone.channel();
                if (channel != null) {
                    channels.onNotKept(channel, gone.sequence());
                }
            }
        }
    }

    private void onSettled(OffsetRange range) {
        long held = messages.size();
        messages.remove(range);
        if (missingCount > 0 && range.first() < missingBelow) {
            long below = Math.min(range.last(), missingBelow - 1) - range.first() + 1;
            missingCount = Math.max(0, missingCount - Math.max(0, below - (held - messages.size())));
        }
        OffsetBits settled = settledSince;
        if (settled != null) {
            for (long offset = range.first(); offset <= Math.min(range.last(), missingBelow - 1); offset++) {
                settled.add(offset);
            }
        }
        if (!dyingNumbers.isEmpty()) {
            dyingNumbers.entrySet().removeIf(each -> {
                boolean gone = each.getKey() >= range.first() && each.getKey() <= range.last();
                if (gone) {
                    dying.remove(each.getValue());
                }
                return gone;
            });
        }
    }

    private void onDeadLetter(QueueEntry.DeadLetter dead, OffsetBits settledLater) {
        deadLetterCount++;
        if (!settledLater.contains(dead.offset())) {
            boolean isHere = has(dead.offset()) || dead.offset() < missingBelow;
            Invariant.check(isHere, "what is dead-lettered is in the queue", dead.offset());
            addDying(deadLetterCount, dead);
        }
    }

    private void addDying(long number, QueueEntry.DeadLetter dead) {
        dying.put(number, dead);
        dyingNumbers.put(dead.offset(), number);
    }
}
