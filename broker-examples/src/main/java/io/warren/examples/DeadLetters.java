package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.spi.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What is rejected, expires or does not fit goes to the dead letter exchange, and x-death tells why. */
public final class DeadLetters {

    private DeadLetters() {}

    public static void main(String[] arguments) {
        ManualClock clock = new ManualClock();
        try (Broker broker = Broker.builder().clock(clock).start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.queueDeclare(QueueOptions.named("dead"));
            channel.queueDeclare(QueueOptions.named("orders")
                    .messageTtl(Duration.ofMinutes(1))
                    .maxLength(2)
                    .deadLetterExchange("")
                    .deadLetterRoutingKey("dead"));

            for (String order : new String[] {"pushed out", "rejected", "forgotten"}) {
                channel.publish("", "orders", order.getBytes(UTF_8));
            }
            channel.get("orders", false).nack(false);
            clock.advance(Duration.ofMinutes(1));

            for (Delivery delivery = channel.get("dead", true);
                    delivery != null;
                    delivery = channel.get("dead", true)) {
                System.out.println(delivery.text() + ": " + lastDeath(delivery).get("reason"));
            }
        }
    }

    private static Map<?, ?> lastDeath(Delivery delivery) {
        List<?> deaths = (List<?>) delivery.properties().headersOrEmpty().get("x-death");
        return (Map<?, ?>) deaths.get(0);
    }
}
