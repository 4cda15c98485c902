package io.warren.benchmarks.growth;

import io.warren.core.channel.ChannelOutput;
import io.warren.core.message.Message;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.queue.QueueRef;
import io.warren.core.spi.SettleVerb;
import java.util.List;

/** Effects that nobody carries out: what is measured is the state machine that asks for them. */
final class NoOutput implements ChannelOutput {

    @Override
    public void publish(QueueRef queue, long sequence, Message message) {}

    @Override
    public void settle(QueueRef queue, SettleVerb verb, List<QueueDelivery> deliveries) {}

    @Override
    public void barrier(QueueRef queue, long sequence) {}

    @Override
    public void returnPermits(int count) {}

    @Override
    public void permitLimit(int prefetchCount) {}

    @Override
    public void deliver(String consumerTag, long deliveryTag, boolean redelivered, Message message) {}

    @Override
    public void getOk(long deliveryTag, boolean redelivered, Message message, long readyCount) {}

    @Override
    public void returned(Message message) {}

    @Override
    public void confirmed(long sequence) {}

    @Override
    public void rejected(long sequence) {}

    @Override
    public void commitOk() {}

    @Override
    public void commitFailed() {}
}
