package io.warren.core.channel;

import io.warren.core.message.Message;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.spi.SettleVerb;
import java.util.ArrayList;
import java.util.List;

/** What a transactional channel has been told and not yet done. */
final class Transaction {

    record Publish(Message message, boolean mandatory) {}

    record Settle(SettleVerb verb, List<Long> tags, List<QueueDelivery> deliveries) {}

    private final List<Publish> publishes = new ArrayList<>();
    private final List<Settle> settles = new ArrayList<>();

    void add(Message message, boolean mandatory) {
        publishes.add(new Publish(message, mandatory));
    }

    void add(SettleVerb verb, List<Long> tags, List<QueueDelivery> deliveries) {
        settles.add(new Settle(verb, tags, deliveries));
    }

    List<Publish> publishes() {
        return publishes;
    }

    List<Settle> settles() {
        return settles;
    }

    void clear() {
        publishes.clear();
        settles.clear();
    }
}
