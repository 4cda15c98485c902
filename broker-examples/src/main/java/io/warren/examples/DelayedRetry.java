package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.QueueOptions;
import io.warren.core.spi.ManualClock;
import java.time.Duration;

/** A delay without a plugin: a queue nobody reads, whose messages expire into the one that is read. */
public final class DelayedRetry {

    private DelayedRetry() {}

    public static void main(String[] arguments) {
        ManualClock clock = new ManualClock();
        try (Broker broker = Broker.builder().clock(clock).start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.queueDeclare(QueueOptions.named("due"));
            for (int minutes : new int[] {1, 5}) {
                channel.queueDeclare(QueueOptions.named("in " + minutes + " min")
                        .messageTtl(Duration.ofMinutes(minutes))
                        .deadLetterExchange("")
                        .deadLetterRoutingKey("due"));
                channel.publish("", "in " + minutes + " min", ("after " + minutes + " min").getBytes(UTF_8));
            }

            for (int minute = 0; minute <= 5; minute++) {
                System.out.println("minute " + minute + ": "
                        + broker.vhost("/").queue("due").ready() + " due");
                clock.advance(Duration.ofMinutes(1));
            }
        }
    }
}
