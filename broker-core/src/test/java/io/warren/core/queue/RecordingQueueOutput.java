package io.warren.core.queue;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns a queue's effects into values, and keeps the deliveries so that a test can settle them. */
final class RecordingQueueOutput implements QueueOutput {

    final List<QueueEffect> effects = new ArrayList<>();

    /** The latest delivery of each message. */
    final Map<Message, QueueDelivery> deliveries = new HashMap<>();

    /** When the queue wants to be woken. */
    long wakeAtNs = BackingQueue.NEVER;

    @Override
    public void deliver(QueueConsumer consumer, QueueDelivery delivery) {
        deliveries.put(delivery.message(), delivery);
        effects.add(new QueueEffect.Deliver(consumer.tag(), delivery.message(), delivery.isRedelivered()));
    }

    @Override
    public void getOk(ChannelRef channel, QueueDelivery delivery, long readyCount) {
        deliveries.put(delivery.message(), delivery);
        effects.add(new QueueEffect.GetOk(channel, delivery.message(), delivery.isRedelivered(), readyCount));
    }

    @Override
    public void getEmpty(ChannelRef channel) {
        effects.add(new QueueEffect.GetEmpty(channel));
    }

    @Override
    public void consumeOk(QueueConsumer consumer) {
        effects.add(new QueueEffect.ConsumeOk(consumer.tag()));
    }

    @Override
    public void consumeRefused(QueueConsumer consumer, AmqpError error) {
        effects.add(new QueueEffect.ConsumeRefused(consumer.tag(), error.text()));
    }

    @Override
    public void cancelOk(QueueConsumer consumer) {
        effects.add(new QueueEffect.CancelOk(consumer.tag()));
    }

    @Override
    public void cancelled(QueueConsumer consumer) {
        effects.add(new QueueEffect.Cancelled(consumer.tag()));
    }

    @Override
    public void confirmed(ChannelRef publisher, long sequence) {
        effects.add(new QueueEffect.Confirmed(publisher, sequence));
    }

    @Override
    public void rejected(ChannelRef publisher, long sequence) {
        effects.add(new QueueEffect.Rejected(publisher, sequence));
    }

    @Override
    public void deadLetter(
            long offset, Message message, DeathReason reason, String exchange, @Nullable String routingKey) {
        effects.add(new QueueEffect.DeadLetter(offset, message, reason, exchange, routingKey));
    }

    @Override
    public void declareOk(ChannelRef channel, long readyCount, int consumerCount) {
        effects.add(new QueueEffect.DeclareOk(channel, readyCount, consumerCount));
    }

    @Override
    public void purged(ChannelRef channel, long messageCount) {
        effects.add(new QueueEffect.Purged(channel, messageCount));
    }

    @Override
    public void deleteGranted(ChannelRef channel, long messageCount) {
        effects.add(new QueueEffect.DeleteGranted(channel, messageCount));
    }

    @Override
    public void deleteRefused(ChannelRef channel, AmqpError error) {
        effects.add(new QueueEffect.DeleteRefused(channel, error.text()));
    }

    @Override
    public void deleteUnused() {
        effects.add(new QueueEffect.DeleteUnused());
    }

    @Override
    public void wakeAt(long atNs) {
        if (atNs == wakeAtNs) {
            throw new AssertionError("asked to be woken at " + atNs + " again");
        }
        wakeAtNs = atNs;
    }
}
