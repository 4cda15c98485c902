package io.warren.mirroring.simulation;

import io.warren.core.message.Message;
import io.warren.core.queue.ChannelRef;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.queue.QueueState;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.SettleVerb;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.queue.ChannelId;
import io.warren.mirroring.queue.MirroredBackingQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One attachment of a channel to a queue that is led here: to the queue's state it is a channel like any. */
final class SimulatedUse implements AttachedQueue, ChannelRef {
    final SimulatedEnds.Shell shell;
    final ChannelId channel;
    final int attempt;
    private final SimulatedEnds ends;
    private final SimulatedQueue queue;
    /** Of the reign in which it attached: when that is over nothing it says counts. */
    private final QueueState state;

    private final MirroredBackingQueue backing;
    private final Map<String, QueueConsumer> consumers = new HashMap<>();
    private final Map<Long, QueueDelivery> unacked = new HashMap<>();

    SimulatedUse(SimulatedEnds ends, SimulatedQueue queue, SimulatedEnds.Shell shell, ChannelId channel, int attempt) {
        this.ends = ends;
        this.queue = queue;
        this.shell = shell;
        this.channel = channel;
        this.attempt = attempt;
        state = queue.state();
        backing = queue.backing();
    }

    private boolean isOver() {
        return queue.state() != state;
    }

    private long nowNs() {
        return ends.world().nowNs();
    }

    // ---------------------------------------------------------------------------------------- what the channel says

    @Override
    public void publish(long sequence, Message message) {
        throw new IllegalStateException("a mirrored queue is told the first open number");
    }

    @Override
    public void publish(long sequence, long firstOpen, Message message) {
        if (isOver() || !ends.isPresent(this)) {
            return;
        }
        switch (backing.judge(channel, sequence)) {
            case CONFIRM -> {
                queue.happened(Happening.RECOGNISED);
                state.onBarrier(this, sequence);
            }
            case REFUSE -> answer(sequence, false);
            case TAKE -> {
                if (queue.takesPublishes()) {
                    backing.beginPublish(channel, sequence, firstOpen);
                    state.onPublish(this, sequence, message, nowNs());
                    backing.endPublish();
                } else if (channel.node().isEmpty()) {
                    ends.refuseAll(this);
                } else {
                    answer(sequence, false);
                }
            }
        }
    }

    @Override
    public void barrier(long sequence) {
        if (!isOver()) {
            state.onBarrier(this, sequence);
        }
    }

    @Override
    public void consume(Consumer asked, int permits) {
        if (isOver()) {
            return;
        }
        QueueConsumer consumer = new QueueConsumer(
                this,
                asked.tag(),
                asked.acknowledges(),
                asked.exclusive(),
                asked.priority(),
                asked.prefetchCount(),
                asked.credit());
        consumers.put(asked.tag(), consumer);
        state.onConsume(consumer, nowNs());
    }

    @Override
    public void cancel(String consumerTag) {
        throw SimulatedQueue.unasked();
    }

    @Override
    public void credit(String consumerTag, int deliveries) {
        QueueConsumer consumer = consumers.get(consumerTag);
        if (consumer != null && !isOver()) {
            state.onCredit(consumer, deliveries, nowNs());
        }
    }

    @Override
    public void limitPermits(boolean limited) {
        throw SimulatedQueue.unasked();
    }

    @Override
    public void permit(int permits) {
        throw SimulatedQueue.unasked();
    }

    @Override
    public void get(boolean acknowledges) {
        if (!isOver()) {
            state.onGet(this, acknowledges, nowNs());
        }
    }

    @Override
    public void settle(SettleVerb verb, int attachment, List<Long> offsets) {
        if (isOver() || attachment != attempt) {
            return;
        }
        List<QueueDelivery> deliveries = new ArrayList<>();
        for (long offset : offsets) {
            QueueDelivery delivery = unacked.remove(offset);
            if (delivery != null) {
                deliveries.add(delivery);
                queue.onSettled(verb, shell.channel.settled(attachment, offset), delivery.message());
            }
        }
        switch (verb) {
            case ACK -> state.onAck(deliveries, nowNs());
            case REQUEUE -> state.onRequeue(deliveries, nowNs());
            case REJECT -> state.onReject(deliveries, nowNs());
        }
    }

    @Override
    public void declare() {
        throw SimulatedQueue.unasked();
    }

    @Override
    public void purge() {
        if (!isOver()) {
            state.onPurge(this, nowNs());
        }
    }

    @Override
    public void delete(boolean ifUnused, boolean ifEmpty) {
        throw SimulatedQueue.unasked();
    }

    @Override
    public void close(Runnable done) {
        if (!isOver()) {
            state.onChannelClosed(this, nowNs());
        }
        unacked.clear();
        done.run();
    }

    // ------------------------------------------------------------------------------------------ what the queue says

    void answer(long sequence, boolean confirmed) {
        queue.say(() -> {
            if (shell.isAt(attempt)) {
                shell.end().onAnswered(sequence, confirmed);
            }
        });
    }

    void deliver(QueueDelivery delivery, String tag) {
        unacked.put(delivery.offset(), delivery);
        queue.say(() -> {
            queue.onHandedOut(delivery);
            shell.end()
                    .onAnswer(
                            attempt,
                            new AttachmentFrame.Delivered(
                                    shell.id(),
                                    attempt,
                                    tag,
                                    delivery.offset(),
                                    delivery.isRedelivered(),
                                    false,
                                    delivery.message()));
        });
    }

    void got(QueueDelivery delivery, long readyCount) {
        unacked.put(delivery.offset(), delivery);
        queue.say(() -> {
            queue.onHandedOut(delivery);
            shell.end()
                    .onAnswer(
                            attempt,
                            new AttachmentFrame.GetOk(
                                    shell.id(),
                                    attempt,
                                    delivery.offset(),
                                    delivery.isRedelivered(),
                                    readyCount,
                                    delivery.message()));
        });
    }

    void gotNothing() {
        queue.say(() -> shell.end().onAnswer(attempt, new AttachmentFrame.GetEmpty(shell.id(), attempt)));
    }

    void consumeOk(String tag) {
        queue.say(() -> shell.end().onAnswer(attempt, new AttachmentFrame.ConsumeOk(shell.id(), attempt, tag)));
    }

    void purged(long messageCount) {
        queue.say(() -> shell.end().onAnswer(attempt, new AttachmentFrame.Purged(shell.id(), attempt, messageCount)));
    }

    // ----------------------------------------------------------------------------------------------------- permits

    @Override
    public boolean takePermit() {
        return true;
    }

    @Override
    public boolean hasPermit() {
        return true;
    }

    @Override
    public void returnPermit() {}
}
