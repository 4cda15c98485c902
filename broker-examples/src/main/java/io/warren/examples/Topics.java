package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.Delivery;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueOptions;
import java.util.ArrayList;
import java.util.List;

/** A topic exchange: * stands for one word of the key, # for any number of words. */
public final class Topics {

    private Topics() {}

    private static final String[] PATTERNS = {"quick.#", "*.orange.*", "#.rabbit", "#"};

    private static final String[] KEYS = {"quick.orange.rabbit", "lazy.orange.elephant", "quick", "lazy.pink.rabbit"};

    public static void main(String[] arguments) {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.exchangeDeclare(ExchangeOptions.topic("animals"));
            for (String pattern : PATTERNS) {
                channel.queueDeclare(QueueOptions.named(pattern));
                channel.queueBind(pattern, "animals", pattern);
            }

            for (String key : KEYS) {
                channel.publish("animals", key, key.getBytes(UTF_8));
            }

            for (String pattern : PATTERNS) {
                System.out.println(pattern + ": " + String.join(", ", keysIn(channel, pattern)));
            }
        }
    }

    private static List<String> keysIn(Channel channel, String queue) {
        List<String> keys = new ArrayList<>();
        for (Delivery delivery = channel.get(queue, true); delivery != null; delivery = channel.get(queue, true)) {
            keys.add(delivery.routingKey());
        }
        return keys;
    }
}
