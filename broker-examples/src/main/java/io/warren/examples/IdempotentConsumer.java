package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** A message may come twice; a consumer that remembers message ids acts once. So can the queue itself. */
public final class IdempotentConsumer {

    private IdempotentConsumer() {}

    public static void main(String[] arguments) {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.queueDeclare(QueueOptions.named("payments"));
            channel.queueDeclare(QueueOptions.named("once").deduplication(1_000, Duration.ofHours(1)));
            for (String queue : new String[] {"payments", "once"}) {
                for (String id : new String[] {"p-1", "p-2", "p-1"}) {
                    Properties properties = Properties.builder().messageId(id).build();
                    channel.publish("", queue, properties, ("pay " + id).getBytes(UTF_8));
                }
            }
            System.out.println(
                    "payments has " + broker.vhost("/").queue("payments").ready());
            consume(channel, new HashSet<>());
            System.out.println("once has " + broker.vhost("/").queue("once").ready());
        }
    }

    /** What is remembered must outlive the process in earnest: a unique key in the table that the payment goes to. */
    private static void consume(Channel channel, Set<String> seen) {
        for (Delivery next = channel.get("payments", false); next != null; next = channel.get("payments", false)) {
            boolean isNew = seen.add(next.properties().messageId());
            System.out.println((isNew ? "  acts on " : "  leaves out ") + next.text());
            next.ack();
        }
    }
}
