package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;

/** A queue with priorities hands the urgent out first, and in order what is equally urgent. */
public final class Priorities {

    private Priorities() {}

    public static void main(String[] arguments) {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.queueDeclare(QueueOptions.named("calls").maxPriority(5));
            publish(channel, 0, "how are you?");
            publish(channel, 5, "fire!");
            publish(channel, 1, "lunch?");
            publish(channel, 5, "flood!");

            for (Delivery delivery = channel.get("calls", true);
                    delivery != null;
                    delivery = channel.get("calls", true)) {
                System.out.println(delivery.properties().priority() + " " + delivery.text());
            }
        }
    }

    private static void publish(Channel channel, int priority, String call) {
        Properties properties = Properties.builder().priority(priority).build();
        channel.publish("", "calls", properties, call.getBytes(UTF_8));
    }
}
