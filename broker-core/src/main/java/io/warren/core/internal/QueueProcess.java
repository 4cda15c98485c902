package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.queue.ChannelRef;
import io.warren.core.queue.DeathReason;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.queue.QueueOutput;
import io.warren.core.queue.QueueState;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.LedQueue;
import io.warren.core.spi.Reign;
import io.warren.core.spi.ReleasedQueue;
import io.warren.core.spi.Scheduler;
import io.warren.core.spi.SettleVerb;
import io.warren.core.spi.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A running queue: its mailbox, its state, and the way of its effects to channels, timers and the topology.
 *
 * <p>Any thread may call the methods that post; everything else runs in the mailbox. Of a mirrored queue this is one reign: it begins when
 * this node comes to lead it, in a mailbox of the cluster's, and ends without a word.
 */
final class QueueProcess extends QueueAddress implements QueueOutput, LedQueue {

    private final BrokerWiring wiring;
    private final Mailbox mailbox;
    private final QueueState state;
    private Scheduler.@Nullable Timer timer;
    private long wakeAtNs = BackingQueue.NEVER;

    /** The queue has found itself unused and waits for the topology to let it go. */
    private boolean deletionPending;

    private final List<Runnable> waitingForDeletion = new ArrayList<>();
    private @Nullable FarUse farUse;
    private boolean isDeleted;

    /** Null for a queue that is not mirrored. */
    private final @Nullable LedReign led;

    /** What the state works on, of a queue that is not mirrored. */
    private final @Nullable BackingQueue own;

    /** Null unless it ran by itself and is mirrored from now on. Set before anybody hears of the successor. */
    private volatile @Nullable Conversion conversion;

    /** False while the state is being made: what it asks for then is done when it is there. */
    private final boolean isMade;

    QueueProcess(BrokerWiring wiring, String vhost, Queue definition) {
        super(vhost, definition);
        this.wiring = wiring;
        this.mailbox = new Mailbox(wiring.runner(), failure -> wiring.report("queue '" + name() + "'", failure));
        this.led = null;
        this.own = wiring.backingQueue(vhost, definition, this, mailbox::post);
        this.state = new QueueState(this, definition.settings(), own, this, wiring.nowNs());
        this.isMade = true;
        postFirstWake();
    }

    /** A mirrored queue for one reign. In its mailbox. */
    QueueProcess(
            BrokerWiring wiring, String vhost, Queue definition, Mailbox mailbox, BackingQueue backing, Reign reign) {
        super(vhost, definition);
        this.wiring = wiring;
        this.mailbox = mailbox;
        this.led = new LedReign(this, wiring, reign, definition.settings());
        this.own = null;
        this.state = new QueueState(this, definition.settings(), backing, this, wiring.nowNs());
        this.isMade = true;
        postFirstWake();
        // What was out in the reign before is ready again: that may be more than the queue may hold.
        mailbox.post(() -> state.onReady(wiring.nowNs()));
    }

    private void postFirstWake() {
        long firstWakeAtNs = wakeAtNs;
        if (firstWakeAtNs != BackingQueue.NEVER) {
            mailbox.post(() -> wakeAt(firstWakeAtNs));
        }
    }

    @Override
    boolean isAway() {
        return false;
    }

    @Override
    @Nullable AmqpError unavailable() {
        return null;
    }

    // ---- posting

    /** A publish on its way to the queue: the entry itself carries it, so that it costs one object. */
    private static final class Publish extends Mailbox.Entry {

        private final QueueProcess queue;
        private final QueueUser publisher;
        private final long sequence;
        private final Message message;

        Publish(QueueProcess queue, QueueUser publisher, long sequence, Message message) {
            this.queue = queue;
            this.publisher = publisher;
            this.sequence = sequence;
            this.message = message;
        }

        @Override
        void run() {
            Conversion over = queue.stopped();
            if (over != null) {
                over.latePublish(publisher, sequence, message);
                return;
            }
            try {
                queue.state.onPublish(sequence == 0 ? null : publisher, sequence, message, queue.wiring.nowNs());
            } finally {
                publisher.publishTaken();
            }
        }
    }

    @Override
    void publish(QueueUser publisher, long sequence, Message message) {
        Conversion next = conversion;
        if (next != null && publisher instanceof ChannelProcess) {
            // By a route that was remembered: in the order of what the channel says to the successor.
            next.successor().publish(publisher, sequence, message);
            return;
        }
        mailbox.post(new Publish(this, publisher, sequence, message));
    }

    @Override
    void publishDeadLetter(QueueProcess source, @Nullable DeadLetterPublish publish, Message message) {
        mailbox.post(() -> {
            Conversion over = stopped();
            if (over != null) {
                over.lateDeadLetter(source, publish, message);
            } else {
                state.onPublish(publish, 1, message, wiring.nowNs());
            }
        });
    }

    /** Whether others have copies of it: then publishes come by their numbers. */
    boolean isMirrored() {
        return led != null;
    }

    /** A publish of an attached channel to a mirrored queue. */
    void publishNumbered(HomeChannel publisher, long sequence, long firstOpen, Message message) {
        mailbox.post(new NumberedPublish(this, publisher, sequence, firstOpen, message));
    }

    /** In the mailbox: whether it came before is asked first. */
    void numbered(NumberedPublish publish) {
        LedReign present = led;
        if (present != null && !present.isOver()) {
            present.onPublish(publish, state);
        }
    }

    @Override
    void consume(QueueConsumer consumer) {
        ask(
                consumer.channel(),
                () -> state.onConsume(consumer, wiring.nowNs()),
                (channel, next) -> channel.consumeAt(next, consumer));
    }

    @Override
    void cancel(QueueConsumer consumer) {
        ask(
                consumer.channel(),
                () -> state.onCancel(consumer, wiring.nowNs()),
                (channel, next) -> next.cancel(consumer));
    }

    @Override
    void credit(QueueConsumer consumer, int deliveries) {
        ask(
                consumer.channel(),
                () -> state.onCredit(consumer, deliveries, wiring.nowNs()),
                (channel, next) -> next.credit(consumer, deliveries));
    }

    @Override
    void permits(QueueUser channel) {
        mailbox.post(() -> state.onPermits(channel, wiring.nowNs()));
    }

    @Override
    void get(QueueUser channel, boolean acknowledges) {
        ask(
                channel,
                () -> state.onGet(channel, acknowledges, wiring.nowNs()),
                (asking, next) -> next.get(asking, acknowledges));
    }

    @Override
    void settle(QueueUser channel, SettleVerb verb, List<QueueDelivery> deliveries) {
        mailbox.post(() -> settled(verb, deliveries));
    }

    /** In the mailbox. */
    void settled(SettleVerb verb, List<QueueDelivery> deliveries) {
        long nowNs = wiring.nowNs();
        switch (verb) {
            case ACK -> state.onAck(deliveries, nowNs);
            case REQUEUE -> state.onRequeue(deliveries, nowNs);
            case REJECT -> state.onReject(deliveries, nowNs);
        }
    }

    /** Runs something in the mailbox, for a channel elsewhere. */
    void post(Runnable task) {
        mailbox.post(task);
    }

    /** In the mailbox: a channel of another node has begun to use it. */
    void used(HomeChannel channel) {
        farUse().used(channel);
        if (led != null && led.isOver()) {
            channel.silence();
        } else if (isDeleted) {
            channel.queueGone();
        } else if (conversion != null && conversion.isTaken()) {
            channel.mirrored();
        }
    }

    /** In the mailbox. */
    void unused(HomeChannel channel) {
        farUse().unused(channel);
    }

    private FarUse farUse() {
        FarUse use = farUse;
        if (use == null) {
            use = new FarUse();
            farUse = use;
        }
        return use;
    }

    /** In the mailbox: runs something when the head's body has come, which is on its way. */
    void afterFetch(Runnable task) {
        farUse().afterFetch(task);
    }

    /** In the mailbox: dead letters of this queue have gone to one of another node. */
    void sendsDeadLettersTo(RemoteQueue target) {
        farUse().sendsDeadLettersTo(target);
    }

    /** In the mailbox: the head's body is on its way, and whoever it is for has its permit. */
    boolean isFetching() {
        return state.isFetching();
    }

    @Override
    void barrier(QueueUser channel, long sequence) {
        mailbox.post(() -> {
            if (stopped() != null) {
                // What was settled before may have come too late, and is back in the queue.
                channel.publishRejected(sequence);
            } else {
                state.onBarrier(channel, sequence);
            }
        });
    }

    @Override
    void channelClosed(QueueUser channel, Runnable done) {
        mailbox.post(() -> {
            state.onChannelClosed(channel, wiring.nowNs());
            afterDeletion(done);
        });
    }

    @Override
    void declared(QueueUser channel) {
        ask(channel, () -> state.onDeclare(channel, wiring.nowNs()), (asking, next) -> next.declared(asking));
    }

    @Override
    void purge(QueueUser channel) {
        ask(channel, () -> state.onPurge(channel, wiring.nowNs()), (asking, next) -> next.purge(asking));
    }

    @Override
    void delete(QueueUser channel, boolean ifUnused, boolean ifEmpty) {
        ask(
                channel,
                () -> state.onDelete(channel, ifUnused, ifEmpty),
                (asking, next) -> next.delete(asking, ifUnused, ifEmpty));
    }

    @Override
    void deleted() {
        mailbox.post(() -> {
            isDeleted = true;
            state.onDeleted();
            if (farUse != null) {
                farUse.deleted(this);
            }
            wakeAt(BackingQueue.NEVER);
        });
    }

    @Override
    void settings(QueueSettings settings) {
        mailbox.post(() -> {
            if (led != null) {
                led.settings(settings);
            }
            state.onSettings(settings, wiring.nowNs());
        });
    }

    // ---- mirrored from now on

    /** In the mailbox: the conversion, if the process has stopped for it. */
    private @Nullable Conversion stopped() {
        Conversion over = conversion;
        return over != null && over.isStopped() ? over : null;
    }

    /** A word of a channel: to the state, or, behind its end, by the channel to the successor. */
    private void ask(Object user, Runnable here, BiConsumer<ChannelProcess, RemoteQueue> there) {
        mailbox.post(() -> {
            Conversion over = stopped();
            if (over != null) {
                over.late(user, channel -> there.accept(channel, over.successor()));
            } else {
                here.run();
            }
        });
    }

    /** A queue that runs by itself has a successor, which nobody knows yet; {@link #stop} follows when channels can find it. */
    void succeededBy(RemoteQueue successor) {
        conversion = new Conversion(this, successor, state, Objects.requireNonNull(own, "it is mirrored already"));
    }

    /** @param released given what it held, in no mailbox */
    void stop(Consumer<ReleasedQueue> released) {
        Conversion over = Objects.requireNonNull(conversion, "it has no successor");
        mailbox.post(() -> {
            over.stop();
            released.accept(over.released());
        });
    }

    /** In the mailbox. */
    void tellMirrored() {
        if (farUse != null) {
            farUse.mirrored();
        }
    }

    /** In the mailbox. */
    void letGoOfTargets() {
        if (farUse != null) {
            farUse.letGoOfTargets(this);
        }
    }

    // ---- led by this node

    @Override
    public AttachedQueue attach(int attachment, AttachedChannel channel) {
        return new HomeChannel(this, attachment, channel);
    }

    @Override
    public void deadLetter(long number, long offset, Settlement reason, Supplier<Message> inherited) {
        LedReign present = led;
        if (present != null && !isDeleted) {
            present.publishDeadLetter(number, offset, DeathReason.of(reason), inherited);
        }
    }

    @Override
    public void end() {
        LedReign present = led;
        if (present != null) {
            present.end();
            wiring.led().ended(this);
            if (farUse != null) {
                farUse.reignEnded(this);
            }
            state.onReignEnded();
        }
    }

    void deadLettered(long offset) {
        mailbox.post(() -> {
            Conversion over = stopped();
            if (over != null) {
                over.deadLettered(offset);
            } else {
                state.onDeadLettered(offset);
            }
        });
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
        mailbox.post(() -> {
            state.onFetched(offset, message, wiring.nowNs());
            if (farUse != null) {
                farUse.fetched();
            }
        });
    }

    // ---- effects

    @Override
    public void deliver(QueueConsumer consumer, QueueDelivery delivery) {
        ((QueueUser) consumer.channel()).delivered(consumer, delivery);
    }

    @Override
    public void getOk(ChannelRef channel, QueueDelivery delivery, long readyCount) {
        ((QueueUser) channel).got(delivery, readyCount);
    }

    @Override
    public void getEmpty(ChannelRef channel) {
        ((QueueUser) channel).gotNothing();
    }

    @Override
    public void consumeOk(QueueConsumer consumer) {
        ((QueueUser) consumer.channel()).consumeAccepted(consumer);
    }

    @Override
    public void consumeRefused(QueueConsumer consumer, AmqpError error) {
        ((QueueUser) consumer.channel()).consumeRefused(consumer, error);
    }

    @Override
    public void cancelOk(QueueConsumer consumer) {
        afterDeletion(() -> ((QueueUser) consumer.channel()).cancelAccepted(consumer));
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
        ((QueueUser) consumer.channel()).cancelledByQueue(consumer);
    }

    @Override
    public void confirmed(ChannelRef publisher, long sequence) {
        if (publisher instanceof QueueUser channel) {
            channel.publishConfirmed(sequence);
        } else {
            ((DeadLetterPublish) publisher).answered();
        }
    }

    @Override
    public void rejected(ChannelRef publisher, long sequence) {
        if (publisher instanceof QueueUser channel) {
            channel.publishRejected(sequence);
        } else {
            ((DeadLetterPublish) publisher).answered();
        }
    }

    @Override
    public void deadLetter(
            long offset, Message message, DeathReason reason, String exchange, @Nullable String routingKey) {
        if (led != null && offset != BackingQueue.NONE) {
            led.deadLetter(offset, message, reason, exchange, routingKey);
        } else {
            wiring.deadLetters().publish(this, 0, offset, message, reason, exchange, routingKey);
        }
    }

    @Override
    public void declareOk(ChannelRef channel, long readyCount, int consumerCount) {
        ((QueueUser) channel).declareAnswered(name(), readyCount, consumerCount);
    }

    @Override
    public void purged(ChannelRef channel, long messageCount) {
        ((QueueUser) channel).countAnswered(messageCount);
    }

    @Override
    public void deleteGranted(ChannelRef channel, long messageCount) {
        ((QueueUser) channel).deleteGranted(this, messageCount);
    }

    @Override
    public void deleteRefused(ChannelRef channel, AmqpError error) {
        ((QueueUser) channel).refused(error);
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
