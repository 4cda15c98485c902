package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.metadata.LengthLimit;
import io.warren.core.metadata.Overflow;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.queue.FakeQueueLog.Settled;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.Settlement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a queue is, told with plain lists and no regard for cost: the measure for {@link QueueState}.
 *
 * <p>Every method says what follows from it in {@link #effects} and {@link #settled}.
 */
final class QueueModel {

    /** A message that is ready, held or on its way to the dead letter exchange. */
    static final class Entry {

        final Message message;
        final long offset;
        final int priority;
        final long expiresAtNs;
        boolean redelivered;

        Entry(Message message, long offset, int priority, long expiresAtNs) {
            this.message = message;
            this.offset = offset;
            this.priority = priority;
            this.expiresAtNs = expiresAtNs;
        }
    }

    /** A message somebody has and has not settled. */
    record Held(Entry entry, FakeChannel channel, @Nullable ModelConsumer consumer) {}

    /** A consumer, told by its tag. */
    static final class ModelConsumer {

        final QueueConsumer definition;
        int credit;

        ModelConsumer(QueueConsumer definition, int credit) {
            this.definition = definition;
            this.credit = credit;
        }

        FakeChannel channel() {
            return (FakeChannel) definition.channel();
        }
    }

    /** A publish that is not safe. */
    private record Unsafe(long offset, FakeChannel publisher, long sequence) {}

    /** An id that was seen, and when. */
    private record Seen(String id, long atNs) {}

    final List<QueueEffect> effects = new ArrayList<>();
    final List<Settled> settled = new ArrayList<>();

    /** In the order they are handed out. */
    final List<Entry> ready = new ArrayList<>();

    /** In the order they were handed out. */
    final List<Held> held = new ArrayList<>();

    /** Dead-lettered and not answered. */
    final List<Entry> dying = new ArrayList<>();

    /** In order of arrival. */
    final List<ModelConsumer> consumers = new ArrayList<>();

    /** Those who have room, the next first, whatever their priorities. */
    private final List<ModelConsumer> turn = new ArrayList<>();

    private final List<ModelConsumer> waitingForPermit = new ArrayList<>();
    private final Map<FakeChannel, Integer> permitsTaken = new HashMap<>();
    private final List<Unsafe> unsafe = new ArrayList<>();
    private final List<Seen> seen = new ArrayList<>();
    private @Nullable ModelConsumer active;
    private QueueSettings settings;
    private long nextOffset;
    private long safeOffset;
    private long lastUseNs;
    private boolean deleteAsked;

    QueueModel(QueueSettings settings, long safeOffset, long nowNs) {
        this.settings = settings;
        this.safeOffset = safeOffset;
        this.lastUseNs = nowNs;
    }

    // ---- publishing

    void publish(FakeChannel publisher, long sequence, Message message, long nowNs) {
        LengthLimit limit = settings.limit();
        if (limit.overflow() != Overflow.DROP_HEAD
                && (ready.size() + 1 > limit.countMax() || readyBytes() + message.bodyBytes() > limit.bytesMax())) {
            if (limit.overflow() == Overflow.REJECT_PUBLISH_DLX && settings.deadLetterExchange() != null) {
                effects.add(new QueueEffect.DeadLetter(
                        -1, message, DeathReason.MAXLEN, settings.deadLetterExchange(), null));
            }
            effects.add(new QueueEffect.Rejected(publisher, sequence));
            return;
        }
        if (isDuplicate(message, nowNs)) {
            effects.add(new QueueEffect.Confirmed(publisher, sequence));
            return;
        }
        Entry entry = new Entry(message, nextOffset++, priority(message), expiresAtNs(message, nowNs));
        putInPlace(entry);
        if (entry.offset <= safeOffset) {
            effects.add(new QueueEffect.Confirmed(publisher, sequence));
        } else {
            unsafe.add(new Unsafe(entry.offset, publisher, sequence));
        }
        if (ready.get(0) == entry) {
            serve();
        }
        follow(nowNs);
    }

    private int priority(Message message) {
        return Math.max(0, Math.min(message.properties().priority(), settings.priorityMax()));
    }

    private long expiresAtNs(Message message, long nowNs) {
        String expiration = message.properties().expiration();
        long own = expiration == null ? Long.MAX_VALUE : Long.parseLong(expiration) * 1_000_000;
        long ttlNs = Math.min(own, settings.messageTtlNs());
        return ttlNs == Long.MAX_VALUE ? BackingQueue.NEVER : nowNs + ttlNs;
    }

    private boolean isDuplicate(Message message, long nowNs) {
        String id = message.properties().messageId();
        if (settings.deduplication() == null || id == null) {
            return false;
        }
        seen.removeIf(one -> nowNs - one.atNs() >= settings.deduplication().ageNs());
        if (seen.stream().anyMatch(one -> one.id().equals(id))) {
            return true;
        }
        seen.add(new Seen(id, nowNs));
        if (seen.size() > settings.deduplication().countMax()) {
            seen.remove(0);
        }
        return false;
    }

    /** Ahead of lower priorities and of later messages of its own. */
    private void putInPlace(Entry entry) {
        int place = 0;
        while (place < ready.size() && isAhead(ready.get(place), entry)) {
            place++;
        }
        ready.add(place, entry);
    }

    private static boolean isAhead(Entry one, Entry other) {
        return one.priority > other.priority || (one.priority == other.priority && one.offset < other.offset);
    }

    void safe(long offset) {
        safeOffset = offset;
        while (!unsafe.isEmpty() && unsafe.get(0).offset() <= safeOffset) {
            Unsafe first = unsafe.remove(0);
            effects.add(new QueueEffect.Confirmed(first.publisher(), first.sequence()));
        }
    }

    // ---- consumers

    void consume(QueueConsumer definition, int credit, long nowNs) {
        boolean taken = !consumers.isEmpty() && consumers.get(0).definition.isExclusive();
        if (taken || (definition.isExclusive() && (!consumers.isEmpty() || settings.singleActiveConsumer()))) {
            effects.add(new QueueEffect.ConsumeRefused(
                    definition.tag(), "ACCESS_REFUSED - queue 'q' in vhost '/' in exclusive use"));
            return;
        }
        ModelConsumer consumer = new ModelConsumer(definition, credit);
        consumers.add(consumer);
        if (consumers.size() == 1) {
            active = consumer;
        }
        offer(consumer);
        effects.add(new QueueEffect.ConsumeOk(definition.tag()));
        follow(nowNs);
    }

    void cancel(ModelConsumer consumer, long nowNs) {
        consumers.remove(consumer);
        forget(consumer);
        activateNext();
        consumersLeft(nowNs);
        effects.add(new QueueEffect.CancelOk(consumer.definition.tag()));
        follow(nowNs);
    }

    private void forget(ModelConsumer consumer) {
        turn.remove(consumer);
        waitingForPermit.remove(consumer);
        if (active == consumer) {
            active = null;
        }
    }

    private void activateNext() {
        if (active != null) {
            return;
        }
        for (ModelConsumer consumer : consumers) {
            if (active == null || consumer.definition.priority() > active.definition.priority()) {
                active = consumer;
            }
        }
        if (active != null) {
            offer(active);
        }
    }

    private void consumersLeft(long nowNs) {
        if (consumers.isEmpty()) {
            lastUseNs = nowNs;
            if (settings.autoDelete()) {
                askDelete();
            }
        }
    }

    void credit(ModelConsumer consumer, int deliveries, long nowNs) {
        consumer.credit += deliveries;
        offer(consumer);
        follow(nowNs);
    }

    /** So many of the channel's deliveries are settled, and it says that it has permits again. */
    void permits(FakeChannel channel, int returned, long nowNs) {
        permitsTaken.merge(channel, -returned, Integer::sum);
        List<ModelConsumer> waiting = new ArrayList<>(waitingForPermit);
        for (ModelConsumer consumer : waiting) {
            if (consumer.channel() == channel) {
                waitingForPermit.remove(consumer);
                offer(consumer);
            }
        }
        follow(nowNs);
    }

    private void offer(ModelConsumer consumer) {
        if (hasRoom(consumer) && !turn.contains(consumer) && !waitingForPermit.contains(consumer)) {
            turn.add(consumer);
        }
    }

    private boolean hasRoom(ModelConsumer consumer) {
        int prefetch = consumer.definition.acknowledges() ? consumer.definition.prefetchCount() : 0;
        return consumers.contains(consumer)
                && (!settings.singleActiveConsumer() || consumer == active)
                && consumer.credit > 0
                && (prefetch == 0
                        || held.stream()
                                        .filter(one -> one.consumer() == consumer)
                                        .count()
                                < prefetch);
    }

    // ---- gets

    void get(FakeChannel channel, boolean acknowledges, long nowNs) {
        lastUseNs = nowNs;
        clearHead(nowNs);
        if (ready.isEmpty()) {
            effects.add(new QueueEffect.GetEmpty(channel));
        } else {
            Entry entry = ready.remove(0);
            if (acknowledges) {
                held.add(new Held(entry, channel, null));
            } else {
                settled.add(new Settled(entry.offset, Settlement.ACKNOWLEDGED));
            }
            effects.add(new QueueEffect.GetOk(channel, entry.message, entry.redelivered, ready.size()));
        }
        follow(nowNs);
    }

    // ---- settling

    void ack(List<Held> settling, long nowNs) {
        for (Held one : settling) {
            release(one);
            settled.add(new Settled(one.entry().offset, Settlement.ACKNOWLEDGED));
        }
        follow(nowNs);
    }

    void reject(List<Held> settling, long nowNs) {
        for (Held one : settling) {
            release(one);
            die(one.entry(), DeathReason.REJECTED, Settlement.REJECTED);
        }
        follow(nowNs);
    }

    void requeue(List<Held> settling, long nowNs) {
        for (Held one : settling) {
            release(one);
            comeBack(one.entry());
        }
        follow(nowNs);
    }

    private void release(Held one) {
        held.remove(one);
        if (one.consumer() != null) {
            offer(one.consumer());
        }
    }

    private void comeBack(Entry entry) {
        entry.redelivered = true;
        putInPlace(entry);
    }

    void deadLettered(Entry entry) {
        dying.remove(entry);
        settled.add(new Settled(entry.offset, Settlement.DEAD_LETTERED));
    }

    void channelClosed(FakeChannel channel, long nowNs) {
        List<ModelConsumer> leaving =
                consumers.stream().filter(one -> one.channel() == channel).toList();
        consumers.removeAll(leaving);
        leaving.forEach(this::forget);
        activateNext();
        for (Held one : List.copyOf(held)) {
            if (one.channel() == channel) {
                release(one);
                comeBack(one.entry());
            }
        }
        if (!leaving.isEmpty()) {
            consumersLeft(nowNs);
        }
        follow(nowNs);
    }

    // ---- the queue itself

    void declare(FakeChannel channel, long nowNs) {
        lastUseNs = nowNs;
        effects.add(new QueueEffect.DeclareOk(channel, ready.size(), consumers.size()));
    }

    void purge(FakeChannel channel, long nowNs) {
        effects.add(new QueueEffect.Purged(channel, ready.size()));
        ready.stream()
                .map(entry -> entry.offset)
                .sorted()
                .forEach(offset -> settled.add(new Settled(offset, Settlement.PURGED)));
        ready.clear();
        follow(nowNs);
    }

    void delete(FakeChannel channel, boolean ifUnused, boolean ifEmpty) {
        if (ifUnused && !consumers.isEmpty()) {
            effects.add(new QueueEffect.DeleteRefused(channel, "PRECONDITION_FAILED - queue 'q' in vhost '/' in use"));
        } else if (ifEmpty && !ready.isEmpty()) {
            effects.add(
                    new QueueEffect.DeleteRefused(channel, "PRECONDITION_FAILED - queue 'q' in vhost '/' not empty"));
        } else {
            effects.add(new QueueEffect.DeleteGranted(channel, ready.size()));
        }
    }

    void deleted() {
        safe(Long.MAX_VALUE);
        consumers.forEach(consumer -> effects.add(new QueueEffect.Cancelled(consumer.definition.tag())));
        consumers.clear();
        ready.clear();
        held.clear();
        dying.clear();
    }

    void settings(QueueSettings changed, long nowNs) {
        settings = changed;
        follow(nowNs);
    }

    // ---- what follows

    /** Looks at the head until nothing follows from it any more, then at the queue's own expiry. */
    void follow(long nowNs) {
        do {
            clearHead(nowNs);
        } while (serve());
        boolean unused = consumers.isEmpty() && settings.expiresNs() != QueueSettings.NO_TTL;
        if (unused && nowNs - lastUseNs >= settings.expiresNs()) {
            askDelete();
        }
    }

    private void askDelete() {
        if (!deleteAsked) {
            deleteAsked = true;
            effects.add(new QueueEffect.DeleteUnused());
        }
    }

    /** Expired messages go, and those over the limit: expiry first, whenever both are due. */
    private void clearHead(long nowNs) {
        while (true) {
            Entry expired = firstExpired(nowNs);
            if (expired != null) {
                ready.remove(expired);
                die(expired, DeathReason.EXPIRED, Settlement.EXPIRED);
            } else if (isOverLimit()) {
                die(ready.remove(0), DeathReason.MAXLEN, Settlement.MAXLEN);
            } else {
                return;
            }
        }
    }

    /** Only the first of each priority is looked at. */
    private @Nullable Entry firstExpired(long nowNs) {
        int priority = Integer.MAX_VALUE;
        for (Entry entry : ready) {
            if (entry.priority < priority && entry.expiresAtNs <= nowNs) {
                return entry;
            }
            priority = entry.priority;
        }
        return null;
    }

    private boolean isOverLimit() {
        LengthLimit limit = settings.limit();
        return limit.overflow() == Overflow.DROP_HEAD
                && !ready.isEmpty()
                && (ready.size() > limit.countMax() || readyBytes() > limit.bytesMax());
    }

    private void die(Entry entry, DeathReason reason, Settlement undelivered) {
        if (settings.deadLetterExchange() == null) {
            settled.add(new Settled(entry.offset, undelivered));
        } else {
            dying.add(entry);
            effects.add(new QueueEffect.DeadLetter(
                    entry.offset, entry.message, reason, settings.deadLetterExchange(), null));
        }
    }

    /** The head goes to the consumer whose turn it is; false if there is none of either. */
    private boolean serve() {
        if (ready.isEmpty()) {
            return false;
        }
        ModelConsumer consumer = takeTurn();
        if (consumer == null) {
            return false;
        }
        Entry entry = ready.remove(0);
        consumer.credit--;
        if (consumer.definition.acknowledges()) {
            held.add(new Held(entry, consumer.channel(), consumer));
        } else {
            settled.add(new Settled(entry.offset, Settlement.ACKNOWLEDGED));
        }
        effects.add(new QueueEffect.Deliver(consumer.definition.tag(), entry.message, entry.redelivered));
        offer(consumer);
        return true;
    }

    private @Nullable ModelConsumer takeTurn() {
        while (!turn.isEmpty()) {
            ModelConsumer next = turn.get(0);
            for (ModelConsumer consumer : turn) {
                if (consumer.definition.priority() > next.definition.priority()) {
                    next = consumer;
                }
            }
            turn.remove(next);
            if (takePermit(next)) {
                return next;
            }
            waitingForPermit.add(next);
        }
        return null;
    }

    /** Without one left nobody is served, and only who acknowledges uses one up. */
    private boolean takePermit(ModelConsumer consumer) {
        FakeChannel channel = consumer.channel();
        int taken = permitsTaken.getOrDefault(channel, 0);
        if (channel.limit != 0 && taken >= channel.limit) {
            return false;
        }
        if (consumer.definition.acknowledges()) {
            permitsTaken.put(channel, taken + 1);
        }
        return true;
    }

    // ---- what it holds

    long readyBytes() {
        long bytes = 0;
        for (Entry entry : ready) {
            bytes += entry.message.bodyBytes();
        }
        return bytes;
    }

    long heldBytes() {
        long bytes = 0;
        for (Entry entry : ready) {
            bytes += entry.message.memoryBytes();
        }
        for (Held one : held) {
            bytes += one.entry().message.memoryBytes();
        }
        for (Entry entry : dying) {
            bytes += entry.message.memoryBytes();
        }
        return bytes;
    }
}
