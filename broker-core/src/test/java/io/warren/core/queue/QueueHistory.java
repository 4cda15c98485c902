package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.metadata.DeduplicationLimits;
import io.warren.core.metadata.LengthLimit;
import io.warren.core.metadata.Overflow;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.queue.QueueModel.Held;
import io.warren.core.queue.QueueModel.ModelConsumer;
import io.warren.core.spi.BackingQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A random history of one queue, told to {@link QueueState} and to {@link QueueModel}, which must agree after each
 * operation. The seed decides everything.
 */
final class QueueHistory {

    private static final long MS = 1_000_000;
    private static final int CHANNEL_COUNT = 3;

    /** Beyond so many waiting or held, what takes some away is done instead of a publish: the model is slow. */
    private static final int BACKLOG_MAX = 40;

    private static final int TRACE_LENGTH = 40;
    private static final List<Overflow> OVERFLOWS = List.of(Overflow.values());

    private final SplittableRandom random;
    private final boolean tracing;
    private final ArrayDeque<String> trace = new ArrayDeque<>();

    // What the seed chose for the whole history.
    private final QueueSettingsBuilder settings = QueueSettingsBuilder.settings();
    private final int priorityMax;
    private final int expirationPercent;
    private final boolean deduplicates;
    private final boolean confirmsLate;
    /** Whether the log keeps bodies, so that a lazy queue has few in memory. */
    private final boolean onDisk;

    private final boolean fetchesLate;
    private final int permitLimit;

    private final FakeChannel[] channels = new FakeChannel[CHANNEL_COUNT];
    private long nowNs;
    private long published;
    private int channelNumber;
    private int consumerNumber;
    private int queueNumber;

    // The queue of the moment: a new one begins when it is deleted.
    private FakeQueueLog log;
    private RecordingQueueOutput output;
    private LateBackingQueue backing;
    private LocalBackingQueue local;
    private FakeBackingListener listener;
    private QueueState state;
    private QueueModel model;
    private long reportedBytes;

    QueueHistory(long seed, boolean tracing) {
        this.random = new SplittableRandom(seed);
        this.tracing = tracing;
        this.priorityMax = oneOf(0, 0, 0, 3, 255);
        this.expirationPercent = oneOf(0, 20, 60);
        this.deduplicates = chance(20);
        this.confirmsLate = chance(30);
        this.fetchesLate = chance(25);
        this.onDisk = !fetchesLate && chance(40);
        this.permitLimit = oneOf(0, 0, 1, 5);
        settings.priorityMax(priorityMax)
                .autoDelete(chance(15))
                .singleActiveConsumer(chance(20))
                .expiresNs(chance(20) ? random.nextLong(1, 100) * MS : QueueSettings.NO_TTL)
                .deduplication(
                        deduplicates
                                ? new DeduplicationLimits(random.nextInt(1, 12), random.nextLong(1, 12) * MS)
                                : null);
        changeSettings();
        for (int i = 0; i < CHANNEL_COUNT; i++) {
            channels[i] = newChannel();
        }
        begin();
    }

    private void changeSettings() {
        long countMax = chance(50) ? random.nextInt(12) : LengthLimit.UNLIMITED;
        long bytesMax = chance(25) ? random.nextInt(100) : LengthLimit.UNLIMITED;
        settings.limit(new LengthLimit(countMax, bytesMax, OVERFLOWS.get(random.nextInt(OVERFLOWS.size()))))
                .messageTtlNs(chance(30) ? random.nextLong(ttlMinMs(), 40) * MS : QueueSettings.NO_TTL)
                .deadLetterExchange(chance(50) ? "dlx" : null)
                .lazy(onDisk && chance(70));
    }

    /** With late bodies, what expires at once cannot be handed out before: see {@link QueueStateLateFetchTest}. */
    private int ttlMinMs() {
        return fetchesLate || onDisk ? 1 : 0;
    }

    private FakeChannel newChannel() {
        FakeChannel channel = new FakeChannel("channel" + channelNumber++);
        channel.limit = permitLimit;
        return channel;
    }

    private void begin() {
        queueNumber++;
        reportedBytes = 0;
        log = new FakeQueueLog();
        log.writesEntries = false;
        log.safeOffset = confirmsLate ? -1 : Long.MAX_VALUE;
        output = new RecordingQueueOutput();
        log.keepsBodies = onDisk;
        log.handOutLimit = onDisk ? -1 : Long.MAX_VALUE;
        listener = new FakeBackingListener();
        local = new LocalBackingQueue(priorityMax, log, change -> reportedBytes += change, listener, 3);
        backing = new LateBackingQueue(local);
        backing.late = fetchesLate;
        QueueSettings built = settings.build();
        state = new QueueState(() -> "q", built, backing, output, nowNs);
        model = new QueueModel(built, log.safeOffset, nowNs);
    }

    /** So many operations; an AssertionError where the two differ. */
    void run(int operations) {
        for (int i = 0; i < operations; i++) {
            operate();
            answerFetches();
            compare(i);
        }
    }

    private void operate() {
        boolean full = model.ready.size() > BACKLOG_MAX || model.held.size() > BACKLOG_MAX;
        int choice = random.nextInt(1_000);
        if (choice < 380 && !full) {
            publish();
        } else if (choice < 420) {
            consume();
        } else if (choice < 445) {
            cancel();
        } else if (choice < 500) {
            credit();
        } else if (choice < 590) {
            get();
        } else if (choice < 790) {
            settle(choice % 3);
        } else if (choice < 800) {
            closeChannel();
        } else if (choice < 803) {
            purge();
        } else if (choice < 900) {
            advance();
        } else if (choice < 940) {
            deadLettered();
        } else if (choice < 980) {
            safe();
        } else if (choice < 985) {
            policy();
        } else if (choice < 995) {
            declare();
        } else {
            delete();
        }
    }

    // ---- operations

    private void publish() {
        Properties.Builder properties = Properties.builder();
        if (chance(expirationPercent)) {
            properties.expiration(Integer.toString(random.nextInt(ttlMinMs(), 30)));
        }
        if (priorityMax > 0 && chance(70)) {
            properties.priority(random.nextInt(8));
        }
        if (deduplicates && chance(70)) {
            properties.messageId("id" + random.nextInt(20));
        }
        Message message = Message.owning("x", "m" + ++published, properties.build(), new byte[random.nextInt(20)]);
        FakeChannel publisher = channel();
        note("publish", message.routingKey(), message.properties(), message.bodyBytes());
        state.onPublish(publisher, published, message, nowNs);
        model.publish(publisher, published, message, nowNs);
    }

    private void consume() {
        if (model.consumers.size() >= 6) {
            cancel();
            return;
        }
        int credit = random.nextInt(8);
        QueueConsumer consumer = new QueueConsumer(
                channel(),
                "c" + consumerNumber++,
                chance(75),
                chance(5),
                random.nextInt(-1, 2),
                random.nextInt(4),
                credit);
        note("consume", consumer, consumer.channel(), consumer.acknowledges(), consumer.priority());
        state.onConsume(consumer, nowNs);
        model.consume(consumer, credit, nowNs);
    }

    private void cancel() {
        ModelConsumer consumer = pick(model.consumers);
        if (consumer != null) {
            note("cancel", consumer.definition);
            state.onCancel(consumer.definition, nowNs);
            model.cancel(consumer, nowNs);
        }
    }

    private void credit() {
        ModelConsumer consumer = pick(model.consumers);
        if (consumer != null) {
            int deliveries = random.nextInt(1, 12);
            note("credit", consumer.definition, deliveries);
            state.onCredit(consumer.definition, deliveries, nowNs);
            model.credit(consumer, deliveries, nowNs);
        }
    }

    private void get() {
        FakeChannel channel = channel();
        boolean acknowledges = chance(60);
        note("get", channel, acknowledges);
        state.onGet(channel, acknowledges, nowNs);
        model.get(channel, acknowledges, nowNs);
    }

    /** Acknowledges, requeues or rejects one delivery, or all of its channel up to it. */
    private void settle(int verb) {
        Held last = pick(model.held);
        if (last == null) {
            return;
        }
        List<Held> settling = new ArrayList<>();
        if (chance(25)) {
            for (Held one : model.held) {
                if (one.channel() == last.channel()) {
                    settling.add(one);
                }
                if (one.equals(last)) {
                    break;
                }
            }
        } else {
            settling.add(last);
        }
        List<QueueDelivery> deliveries = settling.stream().map(this::delivery).toList();
        note(verb == 0 ? "ack" : verb == 1 ? "requeue" : "reject", names(settling));
        switch (verb) {
            case 0 -> {
                state.onAck(deliveries, nowNs);
                model.ack(settling, nowNs);
            }
            case 1 -> {
                state.onRequeue(deliveries, nowNs);
                model.requeue(settling, nowNs);
            }
            default -> {
                state.onReject(deliveries, nowNs);
                model.reject(settling, nowNs);
            }
        }
        answerFetches();
        returnPermits(last.channel(), (int)
                settling.stream().filter(one -> one.consumer() != null).count());
    }

    private void returnPermits(FakeChannel channel, int count) {
        if (count > 0) {
            channel.taken -= count;
            state.onPermits(channel, nowNs);
            model.permits(channel, count, nowNs);
        }
    }

    private QueueDelivery delivery(Held one) {
        return output.deliveries.get(one.entry().message);
    }

    private static List<String> names(List<Held> settling) {
        return settling.stream().map(one -> one.entry().message.routingKey()).toList();
    }

    private void closeChannel() {
        int index = random.nextInt(CHANNEL_COUNT);
        FakeChannel channel = channels[index];
        note("close", channel);
        state.onChannelClosed(channel, nowNs);
        model.channelClosed(channel, nowNs);
        channels[index] = newChannel();
    }

    private void purge() {
        note("purge");
        state.onPurge(channels[0], nowNs);
        model.purge(channels[0], nowNs);
    }

    /** Time goes on; the queue hears of it only if it asked to. */
    private void advance() {
        nowNs += random.nextLong(0, 6) * MS;
        note("advance to", nowNs / MS);
        if (output.wakeAtNs <= nowNs) {
            output.wakeAtNs = BackingQueue.NEVER;
            state.onTimer(nowNs);
        }
        model.follow(nowNs);
    }

    private void deadLettered() {
        QueueModel.Entry entry = pick(model.dying);
        if (entry != null) {
            note("dead-lettered", entry.message.routingKey());
            state.onDeadLettered(entry.offset);
            model.deadLettered(entry);
        }
    }

    private void safe() {
        if (confirmsLate) {
            log.safeOffset += random.nextInt(20);
            note("safe", log.safeOffset);
            state.onSafe();
            model.safe(log.safeOffset);
        }
    }

    private void policy() {
        changeSettings();
        QueueSettings changed = settings.build();
        note("settings", changed);
        state.onSettings(changed, nowNs);
        model.settings(changed, nowNs);
    }

    private void declare() {
        note("declare");
        state.onDeclare(channels[1], nowNs);
        model.declare(channels[1], nowNs);
    }

    private void delete() {
        boolean ifUnused = chance(50);
        boolean ifEmpty = chance(50);
        note("delete", ifUnused, ifEmpty);
        state.onDelete(channels[2], ifUnused, ifEmpty);
        model.delete(channels[2], ifUnused, ifEmpty);
    }

    // ---- agreement

    private void answerFetches() {
        while (backing.asked != BackingQueue.NONE) {
            long offset = backing.asked;
            state.onFetched(offset, backing.takeBody(), nowNs);
        }
        boolean more = true;
        while (more) {
            more = answerLog();
        }
    }

    /** What a log on disk would answer, later but before anything else happens; false if it has nothing to say. */
    private boolean answerLog() {
        boolean said = false;
        if (!log.storing.isEmpty()) {
            List<Long> stored = List.copyOf(log.storing);
            log.storing.clear();
            local.onStored(stored);
            said = true;
        }
        if (!log.reading.isEmpty()) {
            List<Long> read = List.copyOf(log.reading);
            log.reading.clear();
            local.onRead(read, read.stream().map(log.bodies::get).toList());
            said = true;
        }
        if (!log.askedHandOuts.isEmpty()) {
            log.handOutLimit = Math.max(log.handOutLimit, Collections.max(log.askedHandOuts));
            log.askedHandOuts.clear();
            local.onHandOutAllowed();
            said = true;
        }
        for (FakeBackingListener.Fetched fetched : listener.takeFetched()) {
            state.onFetched(fetched.offset(), fetched.message(), nowNs);
            said = true;
        }
        return said;
    }

    private void compare(int operation) {
        agree(operation, "effects", output.effects, model.effects);
        agree(operation, "settled", log.settled, model.settled);
        agree(operation, "ready", state.readyCount(), (long) model.ready.size());
        agree(operation, "ready bytes", backing.readyBytes(), model.readyBytes());
        agree(operation, "unacknowledged", state.unackedCount(), (long) model.held.size());
        agree(operation, "consumers", state.consumerCount(), model.consumers.size());
        if (operation % 50 == 0 && !onDisk) {
            agree(operation, "bytes in memory", reportedBytes, model.heldBytes());
            agree(
                    operation,
                    "order",
                    state.peek(1_000),
                    model.ready.stream().map(entry -> entry.message).toList());
        }
        boolean ends = false;
        for (QueueEffect effect : output.effects) {
            ends |= effect instanceof QueueEffect.DeleteUnused || effect instanceof QueueEffect.DeleteGranted;
        }
        output.effects.clear();
        model.effects.clear();
        log.settled.clear();
        model.settled.clear();
        if (ends) {
            end(operation);
        }
    }

    private void end(int operation) {
        note("queue", queueNumber, "is deleted");
        state.onDeleted();
        model.deleted();
        agree(operation, "effects of deletion", output.effects, model.effects);
        agree(operation, "bytes in memory", reportedBytes, 0L);
        for (int i = 0; i < CHANNEL_COUNT; i++) {
            channels[i] = newChannel();
        }
        begin();
    }

    private void agree(int operation, String what, Object actual, Object expected) {
        if (!actual.equals(expected)) {
            throw new AssertionError("operation " + operation + ": " + what + "\n  expected " + expected
                    + "\n  but was  " + actual + "\n  last operations:\n    " + String.join("\n    ", trace));
        }
    }

    private void note(Object... parts) {
        if (tracing) {
            StringBuilder text = new StringBuilder();
            for (Object part : parts) {
                text.append(part).append(' ');
            }
            if (trace.size() == TRACE_LENGTH) {
                trace.removeFirst();
            }
            trace.addLast(text.toString().trim());
        }
    }

    // ---- choices

    private FakeChannel channel() {
        return channels[random.nextInt(CHANNEL_COUNT)];
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private int oneOf(int... values) {
        return values[random.nextInt(values.length)];
    }

    private <T> @Nullable T pick(List<T> values) {
        return values.isEmpty() ? null : values.get(random.nextInt(values.size()));
    }
}
