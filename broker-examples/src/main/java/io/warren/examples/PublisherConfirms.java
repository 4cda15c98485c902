package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import java.time.Duration;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;

/** Three ways to know that what was published is safe: one by one, in batches, and as it comes. */
public final class PublisherConfirms {

    private PublisherConfirms() {}

    private static final int MESSAGES = 1_000;
    private static final int BATCH = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final byte[] BODY = "an order".getBytes(UTF_8);
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    public static void main(String[] arguments) throws InterruptedException {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            connection.openChannel().queueDeclare(QueueOptions.durable("orders"));
            oneByOne(confirming(connection));
            inBatches(confirming(connection));
            asTheyCome(confirming(connection));
            System.out.println("orders has " + broker.vhost("/").queue("orders").ready());
        }
    }

    private static Channel confirming(Connection connection) {
        Channel channel = connection.openChannel();
        channel.confirmSelect();
        return channel;
    }

    private static void oneByOne(Channel channel) {
        int confirmed = 0;
        for (int i = 0; i < MESSAGES; i++) {
            channel.publish("", "orders", PERSISTENT, BODY);
            confirmed += channel.waitForConfirms(PATIENCE) ? 1 : 0;
        }
        System.out.println("one by one: " + confirmed + " confirmed");
    }

    private static void inBatches(Channel channel) {
        int batches = 0;
        for (int i = 1; i <= MESSAGES; i++) {
            channel.publish("", "orders", PERSISTENT, BODY);
            if (i % BATCH == 0 && channel.waitForConfirms(PATIENCE)) {
                batches++;
            }
        }
        System.out.println("in batches: " + batches + " batches confirmed");
    }

    private static void asTheyCome(Channel channel) throws InterruptedException {
        ConcurrentSkipListMap<Long, String> unconfirmed = new ConcurrentSkipListMap<>();
        CountDownLatch answered = new CountDownLatch(MESSAGES);
        channel.onConfirm((sequence, confirmed) -> {
            if (confirmed) {
                unconfirmed.remove(sequence);
            }
            answered.countDown();
        });
        for (int i = 0; i < MESSAGES; i++) {
            unconfirmed.put(channel.nextPublishSequence(), "order " + i);
            channel.publish("", "orders", PERSISTENT, BODY);
        }
        answered.await();
        System.out.println("as they come: " + unconfirmed.size() + " to send again");
    }
}
