package io.warren.amqp.limits;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A client that works: RabbitMQ's own, publishing and consuming with at most {@value #WINDOW} messages under way. */
final class UsualClient implements AutoCloseable {

    private static final int WINDOW = 200;
    private static final int BODY_BYTES = 256;

    private final Connection connection;
    private final AtomicLong received = new AtomicLong();
    private final Semaphore window = new Semaphore(WINDOW);
    private final Thread publisher = new Thread(this::publish, "publisher");
    private volatile boolean ended;

    UsualClient(int port) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(port);
        factory.setAutomaticRecoveryEnabled(false);
        connection = factory.newConnection("usual");
        Channel channel = connection.createChannel();
        channel.queueDeclare("usual", false, true, true, null);
        channel.basicConsume(
                "usual",
                true,
                (tag, delivery) -> {
                    received.incrementAndGet();
                    window.release();
                },
                tag -> {});
        publisher.start();
    }

    private void publish() {
        byte[] body = new byte[BODY_BYTES];
        try {
            Channel channel = connection.createChannel();
            while (!ended) {
                if (window.tryAcquire(100, TimeUnit.MILLISECONDS)) {
                    channel.basicPublish("", "usual", null, body);
                }
            }
        } catch (IOException | InterruptedException broken) {
            throw new IllegalStateException("the usual client was stopped", broken);
        }
    }

    /** Messages a second, the median of so many seconds. */
    long rate(int seconds) throws InterruptedException {
        List<Long> rates = new ArrayList<>();
        for (int i = 0; i < seconds; i++) {
            long before = received.get();
            long startNs = System.nanoTime();
            Thread.sleep(1_000);
            rates.add((received.get() - before) * 1_000_000_000L / (System.nanoTime() - startNs));
        }
        Collections.sort(rates);
        return rates.get(rates.size() / 2);
    }

    @Override
    public void close() throws Exception {
        ended = true;
        publisher.join();
        connection.close();
    }
}
