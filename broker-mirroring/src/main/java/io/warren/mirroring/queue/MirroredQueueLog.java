package io.warren.mirroring.queue;

import io.warren.core.message.Message;
import io.warren.core.queue.DeathReason;
import io.warren.core.queue.OffsetBits;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.QueueLogListener;
import io.warren.core.spi.Settlement;
import io.warren.core.spi.Ticker;
import io.warren.core.store.format.Records;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The log of a master's local backing queue: what it is told goes into the ring, and what it asks for is in the replica.
 *
 * <p>It lives for one reign. Invariants: entries are broadcast in the order in which they were decided; what was delivered of them is a
 * beginning of what was broadcast.
 */
final class MirroredQueueLog implements QueueLog {
    private static final long NS_PER_MS = 1_000_000;
    private static final long LEFT_MS_MAX = Long.MAX_VALUE / NS_PER_MS;

    /** The hand-out limit is raised in steps that grow with how much was taken, up to this. */
    private static final int STEP_MAX = 1_024;

    /** Settlements that wait to be told at once. */
    private static final int SETTLED_MAX = 4_096;

    private final QueueSetup setup;
    private final long reign;
    private final ReplicaState state;
    private final Ticker ticker;
    private final MirroredQueueOutput output;
    private final boolean dropsTransient;

    /** Channels as of all that was broadcast. */
    private final ChannelTable channels;

    /** Who publishes what comes next; null when nobody would send it again. */
    private @Nullable ChannelId publisher;

    private long publisherSequence;
    private long publisherFirstOpen;

    // ---- what was broadcast, and how far that is stable

    private static final class Waiting {
        final byte[] entry;
        final boolean persistent;

        Waiting(byte[] entry, boolean persistent) {
            this.entry = entry;
            this.persistent = persistent;
        }
    }

    /** What the ring had no room for. */
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    private long broadcastCount;
    private long stableCount;
    private long nextOffset;
    private long safeOffset;
    private long deadLetterCount;

    /** Settled in this turn and not told yet, by reason. */
    private final Map<SettleReason, OffsetBits> settled = new EnumMap<>(SettleReason.class);

    private int settledCount;

    /** Messages that were being dead-lettered when this reign began: they are in no order, and neither ready nor out. */
    private final Set<Long> inherited = new HashSet<>();

    // ---- the hand-out limit, by priority

    private final long[] granted;
    private final long[] asked;
    private final int[] step;

    // ---- bodies

    /** Offsets whose bodies will be wanted from the replica. */
    private final OffsetBits toStore = new OffsetBits();

    private final List<Long> readOffsets = new ArrayList<>();
    private final List<Message> readMessages = new ArrayList<>();

    /** Offsets that were asked for, that are on the disk only, and that have not come. */
    private final OffsetBits awaited = new OffsetBits();

    /** Dead letters, by their numbers, that are to be published when the messages of those of before have come. */
    private final List<ReplicaSnapshot.Dying> toFinish = new ArrayList<>();

    /** So many of these are on the disk only and have not come. */
    private int dyingToCome;

    /** The messages that were being dead-lettered when this reign began, when they have come; until they are settled. */
    private final Map<Long, Message> inheritedMessages = new HashMap<>();

    private boolean wakeAsked;
    /** What was asked for and comes now is for nobody. */
    private boolean isDeleted;

    /** Fewer members are in sync than there have to be: no limit becomes stable, and what is stable is handed out all the same. */
    private boolean isBelowLimit;

    /**
     * The log of a reign.
     *
     * @param dropsTransient no in-sync member had survived before this reign: transient messages are settled
     * @param marksAll an earlier master may have handed out what no limit covers: everything counts as handed out
     */
    MirroredQueueLog(
            QueueSetup setup,
            long reign,
            boolean dropsTransient,
            boolean marksAll,
            ReplicaState state,
            Ticker ticker,
            MirroredQueueOutput output) {
        this.setup = setup;
        this.reign = reign;
        this.dropsTransient = dropsTransient;
        this.state = state;
        this.ticker = ticker;
        this.output = output;
        channels = state.channels().copy();
        nextOffset = state.nextOffset();
        safeOffset = nextOffset - 1;
        deadLetterCount = state.deadLetterCount();
        granted = new long[setup.priorityMax() + 1];
        Arrays.setAll(granted, priority -> marksAll ? nextOffset - 1 : state.limit(priority));
        asked = granted.clone();
        step = new int[granted.length];
        state.dying().forEach(each -> inherited.add(each.entry().offset()));
        if (marksAll && nextOffset > 0) {
            // For those who lead after this one.
            for (int priority = 0; priority < granted.length; priority++) {
                if (state.limit(priority) < granted[priority]) {
                    broadcast(QueueEntryCodec.encode(new QueueEntry.HandOut(reign, priority, granted[priority])), true);
                }
            }
        }
    }

    /** Whether fewer members are in sync than there have to be. */
    void isBelowLimit(boolean below) {
        isBelowLimit = below;
    }

    // ------------------------------------------------------------------------------------------- to begin with

    @Override
    public long recover(Recovered to) {
        long nowNs = ticker.nowNs();
        long nowMs = ticker.now().toEpochMilli();
        state.forEach(publish -> {
            long offset = publish.offset();
            if (inherited.contains(offset)) {
                return;
            }
            if (dropsTransient && !publish.isPersistent()) {
                notKept(publish);
                return;
            }
            int priority = Math.min(publish.priority(), setup.priorityMax());
            to.message(
                    offset,
                    publish.bodyBytes(),
                    priority,
                    expiresAtNs(publish.expiresAtMs(), nowNs, nowMs),
                    offset <= granted[priority]);
        });
        return nextOffset;
    }

    private void notKept(QueueEntry.Publish publish) {
        ChannelId channel = publish.channel();
        if (channel != null) {
            channels.onNotKept(channel, publish.sequence());
        }
        settled(publish.offset(), SettleReason.NOT_KEPT);
    }

    private static long expiresAtNs(long atMs, long nowNs, long nowMs) {
        if (atMs == Records.NEVER_MS) {
            return BackingQueue.NEVER;
        }
        long leftNs = Math.max(-LEFT_MS_MAX, Math.min(LEFT_MS_MAX, atMs - nowMs)) * NS_PER_MS;
        long atNs = nowNs + leftNs;
        if (leftNs < 0) {
            return atNs > nowNs ? nowNs : atNs;
        }
        return atNs < nowNs ? BackingQueue.NEVER - 1 : atNs;
    }

    private long expiresAtMs(long atNs) {
        if (atNs == BackingQueue.NEVER) {
            return Records.NEVER_MS;
        }
        long nowNs = ticker.nowNs();
        long leftNs = atNs - nowNs;
        if (leftNs < 0 && atNs > nowNs) {
            leftNs = Long.MAX_VALUE;
        }
        // Rounded up: nothing expires early.
        return ticker.now().toEpochMilli() - Math.floorDiv(-leftNs, NS_PER_MS);
    }

    // ------------------------------------------------------------------------------------------- the channels

    ChannelTable.Known recognise(ChannelId channel, long sequence) {
        return channels.recognise(channel, sequence);
    }

    List<ChannelId> channels() {
        return channels.channels();
    }

    /** Names who publishes what comes next. */
    void beginPublish(ChannelId channel, long sequence, long firstOpen) {
        publisher = channel;
        publisherSequence = sequence;
        publisherFirstOpen = firstOpen;
    }

    /** What came may be no publish of this queue after all: refused, or known by its message id. */
    void endPublish() {
        publisher = null;
    }

    void channelGone(ChannelId channel) {
        channels.remove(channel);
        broadcast(QueueEntryCodec.encode(new QueueEntry.ChannelGone(reign, channel)), false);
    }

    // ------------------------------------------------------------------------------ what the local queue says

    @Override
    public boolean keepsBodies() {
        return true;
    }

    @Override
    public void publish(
            long offset, Message message, int priority, long expiresAtNs, boolean handOutExpected, boolean store) {
        Invariant.checkSame(nextOffset, "the local queue numbers as the entries do", offset);
        nextOffset = offset + 1;
        ChannelId channel = publisher;
        long sequence = channel == null ? 0 : publisherSequence;
        publisher = null;
        boolean persistent = setup.durable() && message.properties().isPersistent();
        byte[] entry = QueueEntryCodec.publish(
                new QueueEntryCodec.Publishing(
                        reign,
                        setup.queueId(),
                        offset,
                        channel,
                        sequence,
                        publisherFirstOpen,
                        priority,
                        expiresAtMs(expiresAtNs),
                        persistent,
                        handOutExpected),
                message);
        if (channel != null) {
            channels.onPublish(channel, sequence, publisherFirstOpen);
        }
        if (handOutExpected) {
            asked[priority] = Math.max(asked[priority], offset);
        }
        if (store) {
            toStore.add(offset);
        }
        broadcast(entry, persistent || !setup.durable());
    }

    @Override
    public void store(long offset, Message message, int priority, long expiresAtNs) {
        toStore.add(offset);
        wake();
    }

    @Override
    public void read(List<Long> offsets) {
        // The replica has them, or its disk. The answer must not come within this call.
        List<Long> paged = new ArrayList<>();
        for (long offset : offsets) {
            QueueEntry.Publish publish = state.publishAt(offset);
            if (publish.isPaged()) {
                awaited.add(offset);
                paged.add(offset);
            } else {
                readOffsets.add(offset);
                readMessages.add(publish.message());
            }
        }
        if (!paged.isEmpty()) {
            output.read(reign, paged);
        }
        if (!readOffsets.isEmpty()) {
            wake();
        }
    }

    /** What the disk has of what was asked for. Of what somebody waits for it has everything. */
    void onRead(List<Long> asked, Map<Long, byte[]> entries, QueueLogListener local) {
        if (isDeleted) {
            return;
        }
        List<Long> offsets = new ArrayList<>();
        List<Message> messages = new ArrayList<>();
        for (long offset : asked) {
            byte[] entry = entries.get(offset);
            boolean isDying = inherited.contains(offset);
            Invariant.check(
                    entry != null || !(isDying || awaited.contains(offset)), "what is not settled is on disk", offset);
            if (entry != null && isDying) {
                inheritedMessages.put(offset, PagedEntry.publish(entry).message());
                dyingToCome--;
            } else if (entry != null && awaited.remove(offset)) {
                offsets.add(offset);
                messages.add(PagedEntry.publish(entry).message());
            }
        }
        finishIfAllHaveCome();
        if (!offsets.isEmpty()) {
            local.onRead(offsets, messages);
        }
    }

    // ------------------------------------------------------------------------------- dead letters of before

    /** What earlier masters began to dead-letter is published again, as soon as all of it is in memory: targets count numbers that come late as refused. */
    void finishDying() {
        List<Long> paged = new ArrayList<>();
        for (ReplicaSnapshot.Dying each : state.dying()) {
            toFinish.add(each);
            long offset = each.entry().offset();
            QueueEntry.Publish publish = state.publishAt(offset);
            if (publish.isPaged()) {
                paged.add(offset);
            } else {
                // It may leave memory before somebody asks for it.
                inheritedMessages.put(offset, publish.message());
            }
        }
        dyingToCome = paged.size();
        if (!paged.isEmpty()) {
            output.read(reign, paged);
        }
        finishIfAllHaveCome();
    }

    private void finishIfAllHaveCome() {
        if (dyingToCome == 0 && !toFinish.isEmpty()) {
            List<ReplicaSnapshot.Dying> all = List.copyOf(toFinish);
            toFinish.clear();
            all.forEach(each -> output.deadLetter(
                    each.number(), each.entry().offset(), each.entry().reason()));
        }
    }

    /** The message of a dead letter that an earlier master began and did not finish; not before that is to be published. */
    Message inheritedMessage(long offset) {
        return Objects.requireNonNull(inheritedMessages.get(offset), "no dead letter of an earlier master");
    }

    @Override
    public boolean mayHandOut(int priority, long offset, boolean survives) {
        // The limit's entry is behind the message's: what the limit lets go is stable.
        if (offset <= granted[priority]) {
            return true;
        }
        if (offset > asked[priority]) {
            // As many again as were taken before: what is marked and was not seen is never more than what was.
            step[priority] = Math.min(STEP_MAX, Math.max(1, 2 * step[priority]));
            asked[priority] = Math.max(offset, Math.min(offset + step[priority] - 1, nextOffset - 1));
            broadcast(QueueEntryCodec.encode(new QueueEntry.HandOut(reign, priority, asked[priority])), true);
        }
        // Whoever leads next marks everything: it has seen that the group was below its limit.
        return isBelowLimit && offset <= safeOffset;
    }

    @Override
    public void settle(long offset, Settlement why) {
        inherited.remove(offset);
        inheritedMessages.remove(offset);
        settled(offset, SettleReason.of(why));
    }

    private void settled(long offset, SettleReason reason) {
        toStore.remove(offset);
        awaited.remove(offset);
        settled.computeIfAbsent(reason, key -> new OffsetBits()).add(offset);
        settledCount++;
        if (settledCount >= SETTLED_MAX) {
            tellSettled();
        } else {
            wake();
        }
    }

    @Override
    public void purge(long endOffset, List<Long> except) {
        tellSettled();
        List<Long> stillToStore = except.stream().filter(toStore::contains).toList();
        toStore.clear();
        stillToStore.forEach(toStore::add);
        List<Long> stillAwaited = except.stream().filter(awaited::contains).toList();
        awaited.clear();
        stillAwaited.forEach(awaited::add);
        Set<Long> kept = new TreeSet<>(except);
        kept.addAll(inherited);
        tellSettled(SettleReason.PURGED, OffsetRange.below(endOffset, kept));
    }

    private void tellSettled() {
        settled.forEach((reason, offsets) -> tellSettled(reason, OffsetRange.of(offsets)));
        settled.clear();
        settledCount = 0;
    }

    private void tellSettled(SettleReason reason, List<OffsetRange> ranges) {
        for (int from = 0; from < ranges.size(); from += QueueEntryCodec.RANGES_MAX) {
            List<OffsetRange> some = ranges.subList(from, Math.min(ranges.size(), from + QueueEntryCodec.RANGES_MAX));
            broadcast(QueueEntryCodec.encode(new QueueEntry.Settle(reign, reason, some)), true);
        }
    }

    /** A message that is out is to be dead-lettered: it is said to the others first. */
    void deadLetter(long offset, DeathReason reason) {
        broadcast(QueueEntryCodec.encode(new QueueEntry.DeadLetter(reign, offset, reason)), true);
    }

    /** Whether it was being dead-lettered when this reign began. */
    boolean isInherited(long offset) {
        return inherited.contains(offset);
    }

    @Override
    public long safeOffset() {
        return safeOffset;
    }

    @Override
    public long barrier() {
        tellSettled();
        return broadcastCount;
    }

    @Override
    public long passedBarrier() {
        return stableCount;
    }

    @Override
    public void delete() {
        // The queue goes by a command of the metadata; what is broadcast of it nobody will apply.
        settled.clear();
        toStore.clear();
        isDeleted = true;
        waiting.clear();
    }

    private void broadcast(byte[] entry, boolean persistent) {
        broadcastCount++;
        if (!waiting.isEmpty() || !output.broadcast(entry, persistent)) {
            waiting.addLast(new Waiting(entry, persistent));
        }
    }

    private void wake() {
        if (!wakeAsked) {
            wakeAsked = true;
            output.wakeSoon();
        }
    }

    // --------------------------------------------------------------------------------------- from the ring

    /** An entry of this reign is stable. */
    void onStable(QueueEntry entry) {
        stableCount++;
        if (entry instanceof QueueEntry.Publish publish) {
            safeOffset = publish.offset();
            if (publish.raisesLimit()) {
                grant(publish.priority(), publish.offset());
            }
        } else if (entry instanceof QueueEntry.HandOut limit) {
            grant(limit.priority(), limit.upTo());
        } else if (entry instanceof QueueEntry.DeadLetter dead) {
            deadLetterCount++;
            toFinish.add(new ReplicaSnapshot.Dying(deadLetterCount, dead));
            finishIfAllHaveCome();
        }
    }

    private void grant(int priority, long upTo) {
        granted[priority] = Math.max(granted[priority], upTo);
    }

    /** There may be room in the ring again. */
    void onRoom() {
        for (Waiting next = waiting.peekFirst(); next != null; next = waiting.peekFirst()) {
            if (!output.broadcast(next.entry, next.persistent)) {
                return;
            }
            waiting.removeFirst();
        }
    }

    /** Says what was left for the end of a turn. */
    void onWake(QueueLogListener local) {
        wakeAsked = false;
        onRoom();
        tellSettled();
        if (!readOffsets.isEmpty()) {
            List<Long> offsets = List.copyOf(readOffsets);
            List<Message> messages = List.copyOf(readMessages);
            readOffsets.clear();
            readMessages.clear();
            local.onRead(offsets, messages);
        }
        tellStored(local);
    }

    /** Of the bodies that will be wanted, tells those which the replica has by now. */
    void tellStored(QueueLogListener local) {
        long first = toStore.first();
        if (first == BackingQueue.NONE || first >= state.nextOffset()) {
            return;
        }
        List<Long> offsets = new ArrayList<>();
        for (long next = first; next != BackingQueue.NONE && next < state.nextOffset(); next = toStore.first()) {
            toStore.remove(next);
            if (state.has(next)) {
                offsets.add(next);
            }
        }
        local.onStored(offsets);
    }

    /** Entries that the ring has not taken yet. */
    int waitingCount() {
        return waiting.size();
    }
}
