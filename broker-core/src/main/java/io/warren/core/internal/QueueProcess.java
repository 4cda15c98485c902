package io.warren.core.internal;

import io.warren.core.channel.SettleVerb;
import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.queue.ChannelRef;
import io.warren.core.queue.DeathReason;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.queue.QueueOutput;
import io.warren.core.queue.QueueRef;
import io.warren.core.queue.QueueState;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.BackingQueueListener;
import io.warren.core.spi.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A running queue: its mailbox, its state, and the way of its effects to channels, timers and the topology.
 *
 * <p>Any thread may call the methods that post; everything else runs in the mailbox.
 */
final class QueueProcess implements QueueRef, QueueOutput, BackingQueueListener {

    private final BrokerWiring wiring;
    private final String vhost;
    private final Queue definition;
    private final Mailbox mailbox;
    private final QueueState state;
    private Scheduler.@Nullable Timer timer;
    private long wakeAtNs = BackingQueue.NEVER;

    /** The queue has found itself unused and waits for the topology to let it go. */
    private boolean deletionPending;

    private final List<Runnable> waitingForDeletion = new ArrayList<>();

    /** False while the state is being made: what it asks for then is done when it is there. */
    private final boolean isMade;

    QueueProcess(BrokerWiring wiring, String vhost, Queue definition) {
        this.wiring = wiring;
        this.vhost = vhost;
        this.definition = definition;
        this.mailbox = new Mailbox(wiring.runner(), failure -> wiring.report("queue '" + name() + "'", failure));
        this.state = new QueueState(
                this,
                definition.settings(),
                wiring.backingQueue(vhost, definition, this, mailbox::post),
                this,
                wiring.nowNs());
        this.isMade = true;
        long firstWakeAtNs = wakeAtNs;
        if (firstWakeAtNs != BackingQueue.NEVER) {
            mailbox.post(() -> wakeAt(firstWakeAtNs));
        }
    }

    @Override
    public String name() {
        return definition.name();
    }

    String vhost() {
        return vhost;
    }

    long id() {
        return definition.id();
    }

    boolean isDurable() {
        return definition.definition().durable();
    }

    @Nullable String owner() {
        return definition.definition().owner();
    }

    // ---- posting

    /** A publish on its way to the queue: the entry itself carries it, so that it costs one object. */
    private static final class Publish extends Mailbox.Entry {

        private final QueueProcess queue;
        private final ChannelProcess publisher;
        private final long sequence;
        private final Message message;

        Publish(QueueProcess queue, ChannelProcess publisher, long sequence, Message message) {
            this.queue = queue;
            this.publisher = publisher;
            this.sequence = sequence;
            this.message = message;
        }

        @Override
        void run() {
            try {
                queue.state.onPublish(sequence == 0 ? null : publisher, sequence, message, queue.wiring.nowNs());
            } finally {
                publisher.credit().giveBack(1);
            }
        }
    }

    void publish(ChannelProcess publisher, long sequence, Message message) {
        mailbox.post(new Publish(this, publisher, sequence, message));
    }

    /** A dead letter arrives; {@code source} waits for the answer, and is no client that credit could slow. */
    void publishDeadLetter(@Nullable DeadLetterPublish source, Message message) {
        mailbox.post(() -> state.onPublish(source, 1, message, wiring.nowNs()));
    }

    void consume(QueueConsumer consumer) {
        mailbox.post(() -> state.onConsume(consumer, wiring.nowNs()));
    }

    void cancel(QueueConsumer consumer) {
        mailbox.post(() -> state.onCancel(consumer, wiring.nowNs()));
    }

    void credit(QueueConsumer consumer, int deliveries) {
        mailbox.post(() -> state.onCredit(consumer, deliveries, wiring.nowNs()));
    }

    void permits(ChannelProcess channel) {
        mailbox.post(() -> state.onPermits(channel, wiring.nowNs()));
    }

    void get(ChannelProcess channel, boolean acknowledges) {
        mailbox.post(() -> state.onGet(channel, acknowledges, wiring.nowNs()));
    }

    void settle(SettleVerb verb, List<QueueDelivery> deliveries) {
        mailbox.post(() -> {
            long nowNs = wiring.nowNs();
            switch (verb) {
                case ACK -> state.onAck(deliveries, nowNs);
                case REQUEUE -> state.onRequeue(deliveries, nowNs);
                case REJECT -> state.onReject(deliveries, nowNs);
            }
        });
    }

    void barrier(ChannelProcess channel, long sequence) {
        mailbox.post(() -> state.onBarrier(channel, sequence));
    }

    void channelClosed(ChannelProcess channel, Runnable done) {
        mailbox.post(() -> {
            state.onChannelClosed(channel, wiring.nowNs());
            afterDeletion(done);
        });
    }

    void declared(ChannelProcess channel) {
        mailbox.post(() -> state.onDeclare(channel, wiring.nowNs()));
    }

    void purge(ChannelProcess channel) {
        mailbox.post(() -> state.onPurge(channel, wiring.nowNs()));
    }

    void delete(ChannelProcess channel, boolean ifUnused, boolean ifEmpty) {
        mailbox.post(() -> state.onDelete(channel, ifUnused, ifEmpty));
    }

    void deleted() {
        mailbox.post(() -> {
            state.onDeleted();
            wakeAt(BackingQueue.NEVER);
        });
    }

    void settings(QueueSettings settings) {
        mailbox.post(() -> state.onSettings(settings, wiring.nowNs()));
    }

    void deadLettered(long offset) {
        mailbox.post(() -> state.onDeadLettered(offset));
    }

    /** Shows the state to a view, in the mailbox. */
    void view(Consumer<QueueState> viewer) {
        mailbox.post(() -> viewer.accept(state));
    }

    @Override
    public void onSafe() {
        mailbox.post(state::onSafe);
    }

    @Override
    public void onReady() {
        mailbox.post(() -> state.onReady(wiring.nowNs()));
    }

    @Override
    public void onFetched(long offset, Message message) {
        mailbox.post(() -> state.onFetched(offset, message, wiring.nowNs()));
    }

    // ---- effects

    @Override
    public void deliver(QueueConsumer consumer, QueueDelivery delivery) {
        ((ChannelProcess) consumer.channel()).delivered(consumer, delivery);
    }

    @Override
    public void getOk(ChannelRef channel, QueueDelivery delivery, long readyCount) {
        ((ChannelProcess) channel).got(delivery, readyCount);
    }

    @Override
    public void getEmpty(ChannelRef channel) {
        ((ChannelProcess) channel).gotNothing();
    }

    @Override
    public void consumeOk(QueueConsumer consumer) {
        ((ChannelProcess) consumer.channel()).consumeAccepted(consumer);
    }

    @Override
    public void consumeRefused(QueueConsumer consumer, AmqpError error) {
        ((ChannelProcess) consumer.channel()).refused(error);
    }

    @Override
    public void cancelOk(QueueConsumer consumer) {
        afterDeletion(() -> ((ChannelProcess) consumer.channel()).cancelAccepted(consumer));
    }

    /** Where the queue goes with its last consumer, whoever hears of the one finds the other done. */
    private void afterDeletion(Runnable answer) {
        if (deletionPending) {
            waitingForDeletion.add(answer);
        } else {
            answer.run();
        }
    }

    /** It is gone, or could not be deleted, which was reported. */
    private void deletionEnded() {
        deletionPending = false;
        List<Runnable> waiting = List.copyOf(waitingForDeletion);
        waitingForDeletion.clear();
        waiting.forEach(Runnable::run);
    }

    @Override
    public void cancelled(QueueConsumer consumer) {
        ((ChannelProcess) consumer.channel()).cancelledByQueue(consumer);
    }

    @Override
    public void confirmed(ChannelRef publisher, long sequence) {
        if (publisher instanceof ChannelProcess channel) {
            channel.publishConfirmed(sequence);
        } else {
            ((DeadLetterPublish) publisher).answered();
        }
    }

    @Override
    public void rejected(ChannelRef publisher, long sequence) {
        if (publisher instanceof ChannelProcess channel) {
            channel.publishRejected(sequence);
        } else {
            ((DeadLetterPublish) publisher).answered();
        }
    }

    @Override
    public void deadLetter(
            long offset, Message message, DeathReason reason, String exchange, @Nullable String routingKey) {
        wiring.deadLetters().publish(this, offset, message, reason, exchange, routingKey);
    }

    @Override
    public void declareOk(ChannelRef channel, long readyCount, int consumerCount) {
        ((ChannelProcess) channel).declareAnswered(name(), readyCount, consumerCount);
    }

    @Override
    public void purged(ChannelRef channel, long messageCount) {
        ((ChannelProcess) channel).countAnswered(messageCount);
    }

    @Override
    public void deleteGranted(ChannelRef channel, long messageCount) {
        ((ChannelProcess) channel).deleteGranted(this, messageCount);
    }

    @Override
    public void deleteRefused(ChannelRef channel, AmqpError error) {
        ((ChannelProcess) channel).refused(error);
    }

    @Override
    public void deleteUnused() {
        deletionPending = true;
        wiring.deleteQueue(this, () -> mailbox.post(this::deletionEnded));
    }

    @Override
    public void wakeAt(long atNs) {
        wakeAtNs = atNs;
        if (!isMade) {
            return;
        }
        Scheduler.Timer waiting = timer;
        if (waiting != null) {
            waiting.cancel();
            timer = null;
        }
        if (atNs != BackingQueue.NEVER) {
            timer = wiring.scheduler().at(atNs, () -> mailbox.post(() -> state.onTimer(wiring.nowNs())));
        }
    }
}
