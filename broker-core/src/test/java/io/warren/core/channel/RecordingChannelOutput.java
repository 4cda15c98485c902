package io.warren.core.channel;

import io.warren.core.message.Message;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.queue.QueueRef;
import io.warren.core.spi.SettleVerb;
import java.util.ArrayList;
import java.util.List;

/** Turns a channel's effects into values. */
final class RecordingChannelOutput implements ChannelOutput {

    private final List<ChannelEffect> effects = new ArrayList<>();

    /** The texts of what was wanted since this was last called. */
    List<String> take() {
        List<String> texts = effects.stream().map(ChannelEffect::toString).toList();
        effects.clear();
        return texts;
    }

    @Override
    public void publish(QueueRef queue, long sequence, Message message) {
        effects.add(new ChannelEffect.Publish(queue.name(), sequence, message.routingKey()));
    }

    @Override
    public void settle(QueueRef queue, SettleVerb verb, List<QueueDelivery> deliveries) {
        List<String> names = deliveries.stream()
                .map(delivery -> delivery.message().routingKey())
                .toList();
        effects.add(new ChannelEffect.Settle(queue.name(), verb, names));
    }

    @Override
    public void barrier(QueueRef queue, long sequence) {
        effects.add(new ChannelEffect.Barrier(queue.name(), sequence));
    }

    @Override
    public void returnPermits(int count) {
        effects.add(new ChannelEffect.ReturnPermits(count));
    }

    @Override
    public void permitLimit(int prefetchCount) {
        effects.add(new ChannelEffect.PermitLimit(prefetchCount));
    }

    @Override
    public void deliver(String consumerTag, long deliveryTag, boolean redelivered, Message message) {
        effects.add(new ChannelEffect.Deliver(consumerTag, deliveryTag, redelivered, message.routingKey()));
    }

    @Override
    public void getOk(long deliveryTag, boolean redelivered, Message message, long readyCount) {
        effects.add(new ChannelEffect.GetOk(deliveryTag, redelivered, message.routingKey(), readyCount));
    }

    @Override
    public void returned(Message message) {
        effects.add(new ChannelEffect.Returned(message.routingKey()));
    }

    @Override
    public void confirmed(long sequence) {
        effects.add(new ChannelEffect.Confirmed(sequence));
    }

    @Override
    public void rejected(long sequence) {
        effects.add(new ChannelEffect.Rejected(sequence));
    }

    @Override
    public void commitOk() {
        effects.add(new ChannelEffect.CommitOk());
    }

    @Override
    public void commitFailed() {
        effects.add(new ChannelEffect.CommitFailed());
    }
}
