package io.warren.core.queue;

import io.warren.core.error.Refusals;
import io.warren.core.message.Message;
import io.warren.core.metadata.DeduplicationLimits;
import io.warren.core.metadata.LengthLimit;
import io.warren.core.metadata.Overflow;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.Settlement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue: who gets which of its messages, and what becomes of the others.
 *
 * <p>Pure: a method in, effects out through {@link QueueOutput}; owned by the queue's mailbox. After every input the
 * head of the queue is looked at ({@link #run}) until nothing more follows from it: expired messages go, then those over
 * the limit, then gets are answered, then consumers are served.
 *
 * <p>Invariants: a message is ready in the backing queue, or being fetched, or in exactly one {@link Attachment}, or
 * waits for its dead-letter publish; no consumer that has room waits while a message is ready.
 */
public final class QueueState {

    private final QueueRef self;
    private final BackingQueue backing;
    private final QueueOutput output;
    private final Consumers consumers;
    private final WaitingConfirms confirms = new WaitingConfirms();

    /** Channels that wait until their settlements are safe, by barrier. */
    private final WaitingConfirms barriers = new WaitingConfirms();

    private final Map<ChannelRef, Attachment> attachments = new LinkedHashMap<>();
    private final ArrayDeque<Fetch> waitingGets = new ArrayDeque<>();
    private QueueSettings settings;
    private @Nullable DeduplicationWindow deduplication;

    /** The head whose body was asked for; while it is under way nothing else touches the head. */
    private @Nullable Fetch fetching;

    private boolean deleted;

    /** Messages whose dead letters are not answered. */
    private final Set<Long> dying = new HashSet<>();

    private boolean deleteAsked;
    private long unackedCount;

    /** When it was last used without a consumer: x-expires counts from here. */
    private long lastUseNs;

    private long wakeAtNs = BackingQueue.NEVER;

    /**
     * @param self the queue's identity, which its deliveries carry
     * @param settings what arguments and policies ask of it
     */
    public QueueState(QueueRef self, QueueSettings settings, BackingQueue backing, QueueOutput output, long nowNs) {
        this.self = self;
        this.settings = settings;
        this.backing = backing;
        this.output = output;
        this.consumers = new Consumers(settings.singleActiveConsumer());
        this.deduplication = window(settings);
        this.lastUseNs = nowNs;
        backing.lazy(settings.lazy());
        setTimer();
    }

    // ---- what it holds

    public long readyCount() {
        return backing.readyCount();
    }

    public long unackedCount() {
        return unackedCount;
    }

    /** Whether the head's body is on its way. */
    public boolean isFetching() {
        return fetching != null;
    }

    public int consumerCount() {
        return consumers.count();
    }

    /** At most so many ready messages from the head on; nothing is taken or marked. */
    public List<Message> peek(int countMax) {
        return backing.peek(countMax);
    }

    // ---- publishing

    /**
     * A message is routed here.
     *
     * @param publisher who wants to know when it is safe, or null
     * @param sequence number of the publish on that channel
     */
    public void onPublish(@Nullable ChannelRef publisher, long sequence, Message message, long nowNs) {
        if (deleted) {
            confirm(publisher, sequence);
            return;
        }
        if (refuses(message)) {
            refuse(publisher, sequence, message);
            return;
        }
        if (deduplication != null && deduplication.isDuplicate(message, nowNs)) {
            confirm(publisher, sequence);
            return;
        }
        boolean handOutExpected = backing.readyCount() == 0 && isIdle() && consumers.isAnyInTurn();
        long offset =
                backing.publish(message, priority(message), Expiry.atNs(message, settings, nowNs), handOutExpected);
        confirmWhenSafe(publisher, sequence, offset);
        // A message whose time to live is zero is for whoever can take it now: served before it can expire.
        if (backing.head() == offset && isIdle()) {
            serveConsumer();
        }
        run(nowNs);
    }

    private boolean refuses(Message message) {
        LengthLimit limit = settings.limit();
        return limit.overflow() != Overflow.DROP_HEAD
                && limit.isExceededBy(backing.readyCount() + 1, backing.readyBytes() + message.bodyBytes());
    }

    private void refuse(@Nullable ChannelRef publisher, long sequence, Message message) {
        String exchange = settings.deadLetterExchange();
        if (settings.limit().overflow() == Overflow.REJECT_PUBLISH_DLX && exchange != null) {
            output.deadLetter(
                    BackingQueue.NONE, message, DeathReason.MAXLEN, exchange, settings.deadLetterRoutingKey());
        }
        if (publisher != null) {
            output.rejected(publisher, sequence);
        }
    }

    private int priority(Message message) {
        return Math.min(Math.max(message.properties().priority(), 0), settings.priorityMax());
    }

    private void confirmWhenSafe(@Nullable ChannelRef publisher, long sequence, long offset) {
        if (publisher == null) {
            return;
        }
        long safeOffset = backing.safeOffset();
        if (safeOffset >= offset) {
            // The store may have been quicker than its word: those before it that wait for that are safe as well.
            confirms.confirmUpTo(safeOffset, output);
            output.confirmed(publisher, sequence);
        } else {
            confirms.add(offset, publisher, sequence);
        }
    }

    private void confirm(@Nullable ChannelRef publisher, long sequence) {
        if (publisher != null) {
            output.confirmed(publisher, sequence);
        }
    }

    /** More publishes are safe. */
    public void onSafe() {
        confirms.confirmUpTo(backing.safeOffset(), output);
        barriers.confirmUpTo(backing.passedBarrier(), output);
    }

    /**
     * A transaction has settled here: its channel is told with {@link QueueOutput#confirmed} when all that was settled
     * before this is safe.
     */
    public void onBarrier(ChannelRef channel, long sequence) {
        if (deleted) {
            output.confirmed(channel, sequence);
            return;
        }
        long barrier = backing.barrier();
        if (backing.passedBarrier() >= barrier) {
            output.confirmed(channel, sequence);
        } else {
            barriers.add(barrier, channel, sequence);
        }
    }

    /** The backing queue's head may have changed by itself. */
    public void onReady(long nowNs) {
        run(nowNs);
    }

    // ---- consumers

    public void onConsume(QueueConsumer consumer, long nowNs) {
        if (deleted) {
            output.consumeRefused(consumer, Refusals.noQueue(settings.vhost(), settings.name()));
        } else if (!consumers.admits(consumer)) {
            output.consumeRefused(consumer, Refusals.queueInExclusiveUse(settings.vhost(), settings.name()));
        } else {
            consumers.add(consumer);
            output.consumeOk(consumer);
            run(nowNs);
        }
    }

    /** A consumer leaves; what it holds stays with its channel. */
    public void onCancel(QueueConsumer consumer, long nowNs) {
        boolean left = consumers.remove(consumer);
        if (left) {
            consumersLeft(nowNs);
        }
        output.cancelOk(consumer);
        if (left) {
            run(nowNs);
        }
    }

    private void consumersLeft(long nowNs) {
        if (consumers.count() == 0) {
            lastUseNs = nowNs;
            if (settings.autoDelete()) {
                askDelete();
            }
        }
    }

    /** The consumer's side has dealt with so many deliveries. */
    public void onCredit(QueueConsumer consumer, int deliveries, long nowNs) {
        consumer.credit += deliveries;
        consumers.offer(consumer);
        run(nowNs);
    }

    /** The channel has permits again. */
    public void onPermits(ChannelRef channel, long nowNs) {
        consumers.permitted(channel);
        run(nowNs);
    }

    /** The channel is gone: its consumers leave, what it held goes back to its place. */
    public void onChannelClosed(ChannelRef channel, long nowNs) {
        boolean left = consumers.removeAll(channel);
        Attachment attachment = attachments.remove(channel);
        if (attachment != null) {
            for (QueueDelivery delivery = attachment.first(); delivery != null; delivery = attachment.first()) {
                detach(delivery);
                backing.requeue(delivery.offset());
            }
        }
        waitingGets.removeIf(get -> get.getter == channel);
        if (fetching != null && fetching.getter == channel) {
            fetching.getter = null;
        }
        if (left) {
            consumersLeft(nowNs);
        }
        run(nowNs);
    }

    public void onGet(ChannelRef channel, boolean acknowledges, long nowNs) {
        if (deleted) {
            output.getEmpty(channel);
            return;
        }
        lastUseNs = nowNs;
        waitingGets.add(Fetch.forGet(channel, acknowledges));
        run(nowNs);
    }

    // ---- settling

    public void onAck(Iterable<QueueDelivery> deliveries, long nowNs) {
        for (QueueDelivery delivery : deliveries) {
            if (detach(delivery)) {
                backing.settle(delivery.offset(), Settlement.ACKNOWLEDGED);
            }
        }
        run(nowNs);
    }

    /** Rejected without requeue: dead-lettered or forgotten. */
    public void onReject(Iterable<QueueDelivery> deliveries, long nowNs) {
        for (QueueDelivery delivery : deliveries) {
            if (detach(delivery)) {
                die(delivery.offset(), delivery.message(), DeathReason.REJECTED);
            }
        }
        run(nowNs);
    }

    /** Back to their places, marked redelivered. */
    public void onRequeue(Iterable<QueueDelivery> deliveries, long nowNs) {
        for (QueueDelivery delivery : deliveries) {
            if (detach(delivery)) {
                backing.requeue(delivery.offset());
            }
        }
        run(nowNs);
    }

    /** Takes a delivery out of its attachment; false if it is settled or taken back already. */
    private boolean detach(QueueDelivery delivery) {
        Attachment attachment = delivery.attachment;
        if (attachment == null) {
            return false;
        }
        attachment.remove(delivery);
        unackedCount--;
        QueueConsumer consumer = delivery.consumer();
        if (consumer != null) {
            consumer.unacked--;
            consumers.offer(consumer);
        }
        return true;
    }

    /** Every queue the dead message was published to has answered. */
    public void onDeadLettered(long offset) {
        dying.remove(offset);
        if (!deleted) {
            backing.settle(offset, Settlement.DEAD_LETTERED);
        }
    }

    // ---- the queue itself

    /** Declared again, actively or passively: renews the lease of x-expires. */
    public void onDeclare(ChannelRef channel, long nowNs) {
        lastUseNs = nowNs;
        output.declareOk(channel, backing.readyCount(), consumers.count());
        setTimer();
    }

    public void onPurge(ChannelRef channel, long nowNs) {
        output.purged(channel, deleted ? 0 : backing.purge());
        run(nowNs);
    }

    public void onDelete(ChannelRef channel, boolean ifUnused, boolean ifEmpty) {
        if (ifUnused && consumers.count() > 0) {
            output.deleteRefused(channel, Refusals.queueInUse(settings.vhost(), settings.name()));
        } else if (ifEmpty && backing.readyCount() > 0) {
            output.deleteRefused(channel, Refusals.queueNotEmpty(settings.vhost(), settings.name()));
        } else {
            output.deleteGranted(channel, backing.readyCount());
        }
    }

    /** The queue was taken out of the topology: consumers are told, messages are gone, publishes count as safe. */
    public void onDeleted() {
        deleted = true;
        confirms.confirmUpTo(Long.MAX_VALUE, output);
        barriers.confirmUpTo(Long.MAX_VALUE, output);
        consumers.forEach(output::cancelled);
        consumers.clear();
        attachments.values().forEach(QueueState::forget);
        attachments.clear();
        unackedCount = 0;
        waitingGets.forEach(get -> output.getEmpty(get.getterOrFail()));
        waitingGets.clear();
        if (fetching != null && fetching.getter != null) {
            output.getEmpty(fetching.getter);
        }
        fetching = null;
        backing.delete();
    }

    /**
     * The reign in which this state was made is over: whoever leads the queue next begins with another. Nothing is said to anybody, and whatever
     * still comes changes nothing.
     */
    public void onReignEnded() {
        confirms.clear();
        barriers.clear();
        stop();
    }

    private void stop() {
        deleted = true;
        consumers.clear();
        attachments.values().forEach(QueueState::forget);
        attachments.clear();
        unackedCount = 0;
        waitingGets.clear();
        fetching = null;
        setTimer();
    }

    /**
     * The queue is mirrored from now on, and another process goes on with it. What was handed out is back, marked redelivered; publishers that wait
     * are answered by {@link #onTakenOver}, or when they are safe here.
     */
    public Release release() {
        for (Attachment attachment : attachments.values()) {
            for (QueueDelivery delivery = attachment.first(); delivery != null; delivery = attachment.first()) {
                attachment.remove(delivery);
                backing.requeue(delivery.offset());
            }
        }
        List<Release.Get> gets = new ArrayList<>();
        Fetch under = fetching;
        if (under != null) {
            backing.putBack(under.offset);
            addGet(gets, under);
        }
        waitingGets.forEach(get -> addGet(gets, get));
        Map<QueueConsumer, Integer> credits = new LinkedHashMap<>();
        consumers.forEach(consumer -> credits.put(consumer, consumer.credit));
        stop();
        return new Release(gets, credits, Set.copyOf(dying));
    }

    private static void addGet(List<Release.Get> gets, Fetch fetch) {
        ChannelRef getter = fetch.getter;
        if (fetch.purpose == Fetch.Purpose.GET && getter != null) {
            gets.add(new Release.Get(getter, fetch.acknowledges));
        }
    }

    /** The other process holds all of it: whoever waits here for an answer gets it. */
    public void onTakenOver() {
        confirms.confirmUpTo(Long.MAX_VALUE, output);
        barriers.confirmUpTo(Long.MAX_VALUE, output);
    }

    private static void forget(Attachment attachment) {
        for (QueueDelivery delivery = attachment.first(); delivery != null; delivery = attachment.first()) {
            attachment.remove(delivery);
        }
    }

    /** A policy changed: what waits is measured by the new limits, its expiry stays as it was published. */
    public void onSettings(QueueSettings changed, long nowNs) {
        if (!Objects.equals(changed.deduplication(), settings.deduplication())) {
            deduplication = window(changed);
        }
        if (changed.lazy() != settings.lazy()) {
            backing.lazy(changed.lazy());
        }
        settings = changed;
        run(nowNs);
    }

    private static @Nullable DeduplicationWindow window(QueueSettings settings) {
        DeduplicationLimits limits = settings.deduplication();
        return limits == null ? null : new DeduplicationWindow(limits);
    }

    /** The time asked for with {@link QueueOutput#wakeAt} has come. */
    public void onTimer(long nowNs) {
        wakeAtNs = BackingQueue.NEVER;
        run(nowNs);
    }

    // ---- the head

    private void run(long nowNs) {
        boolean follows = true;
        while (follows && !deleted && fetching == null) {
            follows = step(nowNs);
        }
        if (!deleted && nowNs >= leaseEndNs()) {
            askDelete();
        }
        setTimer();
    }

    /** One thing that follows from the head; false if nothing does. */
    private boolean step(long nowNs) {
        return expireHead(nowNs) || dropHead() || answerGet() || serveConsumer();
    }

    private boolean isIdle() {
        return fetching == null && waitingGets.isEmpty();
    }

    private boolean expireHead(long nowNs) {
        long offset = backing.expiredHead(nowNs);
        return offset != BackingQueue.NONE && kill(offset, DeathReason.EXPIRED);
    }

    private boolean dropHead() {
        LengthLimit limit = settings.limit();
        return limit.overflow() == Overflow.DROP_HEAD
                && limit.isExceededBy(backing.readyCount(), backing.readyBytes())
                && backing.head() != BackingQueue.NONE
                && kill(backing.head(), DeathReason.MAXLEN);
    }

    private boolean kill(long offset, DeathReason reason) {
        if (!settings.hasDeadLetterExchange()) {
            backing.drop(offset, reason.withoutExchange());
            return true;
        }
        fetch(Fetch.forDeath(reason), offset);
        return true;
    }

    private boolean answerGet() {
        Fetch get = waitingGets.peek();
        if (get == null) {
            return false;
        }
        waitingGets.remove();
        long head = backing.head();
        if (head == BackingQueue.NONE) {
            output.getEmpty(get.getterOrFail());
        } else {
            fetch(get, head);
        }
        return true;
    }

    private void fetch(Fetch purpose, long offset) {
        Message message = purpose.purpose == Fetch.Purpose.DEATH ? backing.take(offset) : backing.fetch(offset);
        if (message == null) {
            purpose.offset = offset;
            fetching = purpose;
        } else {
            fetched(purpose, offset, message);
        }
    }

    private boolean serveConsumer() {
        long head = backing.head();
        if (head == BackingQueue.NONE) {
            return false;
        }
        QueueConsumer consumer = consumers.next();
        if (consumer == null) {
            return false;
        }
        Message message = backing.fetch(head);
        if (message == null) {
            consumers.putBack(consumer);
            fetching = Fetch.forConsumer(head);
        } else {
            handOut(consumer, head, message);
        }
        return true;
    }

    /** The body that was asked for; whom it was for may have left meanwhile, or its time may have come. */
    public void onFetched(long offset, Message message, long nowNs) {
        Fetch fetch = fetching;
        if (deleted || fetch == null || fetch.offset != offset) {
            return;
        }
        fetching = null;
        if (fetch.purpose != Fetch.Purpose.DEATH && backing.expiresAtNs(offset) <= nowNs) {
            backing.putBack(offset);
            if (fetch.purpose == Fetch.Purpose.GET && fetch.getter != null) {
                waitingGets.addFirst(fetch);
            }
        } else {
            fetched(fetch, offset, message);
        }
        run(nowNs);
    }

    private void fetched(Fetch fetch, long offset, Message message) {
        switch (fetch.purpose) {
            case DEATH -> die(offset, message, fetch.reasonOrFail());
            case GET -> got(fetch, offset, message);
            case CONSUMER -> {
                QueueConsumer consumer = consumers.next();
                if (consumer == null) {
                    backing.putBack(offset);
                } else {
                    handOut(consumer, offset, message);
                }
            }
        }
    }

    private void got(Fetch get, long offset, Message message) {
        ChannelRef channel = get.getter;
        if (channel == null) {
            backing.putBack(offset);
            return;
        }
        QueueDelivery delivery = new QueueDelivery(self, offset, message, backing.isRedelivered(offset), null);
        if (get.acknowledges) {
            attach(channel, delivery);
        } else {
            backing.settle(offset, Settlement.ACKNOWLEDGED);
        }
        output.getOk(channel, delivery, backing.readyCount());
    }

    private void handOut(QueueConsumer consumer, long offset, Message message) {
        QueueDelivery delivery = new QueueDelivery(self, offset, message, backing.isRedelivered(offset), consumer);
        consumer.credit--;
        if (consumer.acknowledges()) {
            consumer.unacked++;
            attach(consumer.channel(), delivery);
        } else {
            backing.settle(offset, Settlement.ACKNOWLEDGED);
        }
        output.deliver(consumer, delivery);
        consumers.offer(consumer);
    }

    private void attach(ChannelRef channel, QueueDelivery delivery) {
        attachments.computeIfAbsent(channel, ref -> new Attachment()).add(delivery);
        unackedCount++;
    }

    private void die(long offset, Message message, DeathReason reason) {
        String exchange = settings.deadLetterExchange();
        if (exchange == null) {
            backing.settle(offset, reason.withoutExchange());
        } else {
            dying.add(offset);
            output.deadLetter(offset, message, reason, exchange, settings.deadLetterRoutingKey());
        }
    }

    // ---- time

    private void askDelete() {
        if (!deleteAsked) {
            deleteAsked = true;
            output.deleteUnused();
        }
    }

    private long leaseEndNs() {
        return settings.expiresNs() == QueueSettings.NO_TTL || consumers.count() > 0 || deleteAsked
                ? BackingQueue.NEVER
                : lastUseNs + settings.expiresNs();
    }

    private void setTimer() {
        long next = deleted || fetching != null ? BackingQueue.NEVER : Math.min(backing.nextExpiryNs(), leaseEndNs());
        if (next != wakeAtNs) {
            wakeAtNs = next;
            output.wakeAt(next);
        }
    }
}
