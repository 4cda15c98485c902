package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.metadata.QueueSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A queue {@code q} on a recording output and a backing queue that can be late, with time in a test's hand. */
final class QueueFixture {

    static final int AMPLE_CREDIT = 1_000;

    final FakeChannel publisher = new FakeChannel("p");
    final FakeChannel a = new FakeChannel("a");
    final FakeChannel b = new FakeChannel("b");
    final FakeQueueLog log = new FakeQueueLog();
    final RecordingQueueOutput output = new RecordingQueueOutput();
    final LateBackingQueue backing;
    final QueueState state;
    long heldBytes;
    long nowNs;
    private long sequence;
    private final List<Message> published = new ArrayList<>();

    QueueFixture(QueueSettings settings) {
        backing = new LateBackingQueue(new LocalBackingQueue(
                settings.priorityMax(), log, change -> heldBytes += change, new FakeBackingListener()));
        state = new QueueState(() -> "q", settings, backing, output, nowNs);
    }

    QueueFixture(QueueSettingsBuilder settings) {
        this(settings.build());
    }

    /** What the queue did since this was last called. */
    List<String> effects() {
        List<String> texts = output.effects.stream().map(QueueEffect::toString).toList();
        output.effects.clear();
        return texts;
    }

    void forgetEffects() {
        output.effects.clear();
    }

    void publish(String... names) {
        for (String name : names) {
            publish(Messages.message(name));
        }
    }

    void publish(Message message) {
        published.add(message);
        state.onPublish(publisher, ++sequence, message, nowNs);
    }

    // ---- consumers

    /** An acknowledging consumer of channel a without limits. */
    QueueConsumer consume(String tag) {
        return consume(acknowledging(a, tag, 0));
    }

    QueueConsumer consume(QueueConsumer consumer) {
        state.onConsume(consumer, nowNs);
        return consumer;
    }

    static QueueConsumer acknowledging(ChannelRef channel, String tag, int prefetchCount) {
        return new QueueConsumer(channel, tag, true, false, 0, prefetchCount, AMPLE_CREDIT);
    }

    static QueueConsumer automatic(ChannelRef channel, String tag) {
        return new QueueConsumer(channel, tag, false, false, 0, 0, AMPLE_CREDIT);
    }

    static QueueConsumer prioritised(ChannelRef channel, String tag, int priority, int prefetchCount) {
        return new QueueConsumer(channel, tag, true, false, priority, prefetchCount, AMPLE_CREDIT);
    }

    static QueueConsumer exclusive(ChannelRef channel, String tag) {
        return new QueueConsumer(channel, tag, true, true, 0, 0, AMPLE_CREDIT);
    }

    static QueueConsumer withCredit(ChannelRef channel, String tag, int credit) {
        return new QueueConsumer(channel, tag, false, false, 0, 0, credit);
    }

    // ---- settling, by name of message

    QueueDelivery delivery(String name) {
        for (Message message : published) {
            if (message.routingKey().equals(name)) {
                return Objects.requireNonNull(output.deliveries.get(message), name + " was not delivered");
            }
        }
        throw new IllegalArgumentException(name + " was not published");
    }

    private List<QueueDelivery> deliveries(String... names) {
        return java.util.Arrays.stream(names).map(this::delivery).toList();
    }

    void ack(String... names) {
        state.onAck(deliveries(names), nowNs);
    }

    void reject(String... names) {
        state.onReject(deliveries(names), nowNs);
    }

    void requeue(String... names) {
        state.onRequeue(deliveries(names), nowNs);
    }

    void get(FakeChannel channel) {
        state.onGet(channel, true, nowNs);
    }

    // ---- time and bodies

    /** Moves time on; the queue is woken if it asked for that. */
    void advanceTo(long atNs) {
        nowNs = atNs;
        if (output.wakeAtNs <= nowNs) {
            output.wakeAtNs = io.warren.core.spi.BackingQueue.NEVER;
            state.onTimer(nowNs);
        }
    }

    /** The body that the queue waits for comes. */
    void answer() {
        long offset = backing.asked;
        state.onFetched(offset, backing.takeBody(), nowNs);
    }

    /** Names of the ready messages from the head on. */
    List<String> ready() {
        return state.peek(Integer.MAX_VALUE).stream().map(Message::routingKey).toList();
    }
}
