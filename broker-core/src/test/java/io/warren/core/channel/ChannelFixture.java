package io.warren.core.channel;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.queue.ChannelRef;
import io.warren.core.queue.Deliveries;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueRef;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A channel on a recording output, with routes by routing key, that is given deliveries of two queues. */
final class ChannelFixture {

    private record NamedQueue(String name) implements QueueRef {}

    private static final ChannelRef SELF = new ChannelRef() {
        @Override
        public boolean takePermit() {
            throw new UnsupportedOperationException("no queue asks");
        }

        @Override
        public boolean hasPermit() {
            throw new UnsupportedOperationException("no queue asks");
        }

        @Override
        public void returnPermit() {
            throw new UnsupportedOperationException("no queue asks");
        }
    };

    final RecordingChannelOutput output = new RecordingChannelOutput();
    final QueueRef q1 = new NamedQueue("q1");
    final QueueRef q2 = new NamedQueue("q2");
    private final Map<String, List<QueueRef>> routes = new HashMap<>();
    final ChannelState state =
            new ChannelState(message -> routes.getOrDefault(message.routingKey(), List.of()), output);

    static Message message(String name) {
        return Message.owning("x", name, Properties.NONE, new byte[0]);
    }

    /** What the channel wanted since this was last called. */
    List<String> effects() {
        return output.take();
    }

    /** Messages of that name go to these queues; others are unroutable. */
    void route(String name, QueueRef... queues) {
        routes.put(name, List.of(queues));
    }

    void publish(String... names) {
        for (String name : names) {
            state.onPublish(message(name), false);
        }
    }

    void publishMandatory(String name) {
        state.onPublish(message(name), true);
    }

    /** Messages of a queue come to an acknowledging consumer. */
    void deliver(QueueRef queue, String... names) {
        for (String name : names) {
            deliver(queue, true, false, name);
        }
    }

    void deliver(QueueRef queue, boolean acknowledges, boolean redelivered, String name) {
        QueueConsumer consumer = new QueueConsumer(SELF, "c", acknowledges, false, 0, 0, 1);
        state.onDelivery(consumer, Deliveries.delivery(queue, message(name), redelivered, consumer));
    }

    void got(QueueRef queue, boolean acknowledges, boolean redelivered, String name) {
        state.onGetOk(Deliveries.delivery(queue, message(name), redelivered, null), acknowledges, 5);
    }
}
