package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.QueueOptions;
import io.warren.core.spi.ManualClock;
import java.time.Duration;

/** A test of retries in no time: a clock that is moved by hand, and nothing that waits. */
public final class TestWithoutSleep {

    private TestWithoutSleep() {}

    public static void main(String[] arguments) {
        ManualClock clock = new ManualClock();
        try (Broker broker = Broker.builder().clock(clock).start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.queueDeclare(QueueOptions.named("given up"));
            channel.queueDeclare(QueueOptions.named("mail")
                    .messageTtl(Duration.ofHours(12))
                    .deadLetterExchange("")
                    .deadLetterRoutingKey("given up"));
            channel.publish("", "mail", "dear reader".getBytes(UTF_8));

            clock.advance(Duration.ofHours(12).minusMillis(1));
            check(broker.vhost("/").queue("mail").ready() == 1, "one millisecond before, it waits");
            clock.advance(Duration.ofMillis(1));
            check(broker.vhost("/").queue("given up").ready() == 1, "after twelve hours, it is given up");
        }
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
        System.out.println("holds: " + what);
    }
}
