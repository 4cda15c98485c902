package io.warren.test.crash;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import io.warren.test.crash.Expected.MessageId;
import io.warren.test.process.Silent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that do what clients do, until their connection breaks, and write down in {@link Expected} what the broker told
 * them, never more: publishers with confirms, consumers, transactions, queues that come, are purged and go.
 */
final class Load {

    /** Queues that stay for the whole run, and how they are declared. */
    static final Map<String, Map<String, Object>> QUEUES = Map.of(
            "plain", Map.of(),
            "lazy", Map.of("x-queue-mode", "lazy"),
            "switched", Map.of(),
            "tx", Map.of(),
            "slow", Map.of());

    private static final int UNCONFIRMED_MAX = 300;
    private static final int BODY_BYTES_MAX = 3_000;

    private final Expected expected;
    private final ConnectionFactory factory = new ConnectionFactory();
    private final String round;
    private final SplittableRandom random;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong confirmed = new AtomicLong();
    private final AtomicLong published = new AtomicLong();

    Load(Expected expected, int port, int round, long seed) {
        this.expected = expected;
        this.round = "r" + round;
        this.random = new SplittableRandom(seed);
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setExceptionHandler(new Silent());
    }

    /** Confirmed in this round so far. */
    long confirmed() {
        return confirmed.get();
    }

    /** Published with confirms in this round and not confirmed. */
    long outstanding() {
        return published.get() - confirmed.get();
    }

    void start() throws IOException, TimeoutException {
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            for (Map.Entry<String, Map<String, Object>> queue : QUEUES.entrySet()) {
                channel.queueDeclare(queue.getKey(), true, false, false, queue.getValue());
                expected.queue(queue.getKey(), true);
            }
        }
        for (String queue : List.of("plain", "lazy", "switched", "slow")) {
            run(
                    "publisher of " + queue,
                    new SplittableRandom(random.nextLong()),
                    (channel, own) -> publish(channel, queue, own));
        }
        for (String queue : List.of("plain", "lazy", "switched")) {
            run(
                    "consumer of " + queue,
                    new SplittableRandom(random.nextLong()),
                    (channel, own) -> consume(channel, queue, own));
        }
        run("transactions", new SplittableRandom(random.nextLong()), this::transact);
        run("queues that come and go", new SplittableRandom(random.nextLong()), this::comeAndGo);
    }

    /** Waits until every client has noticed that the broker is gone. */
    void join() {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private interface Client {
        void run(Channel channel, SplittableRandom own) throws IOException, InterruptedException, TimeoutException;
    }

    private void run(String name, SplittableRandom own, Client client) {
        Thread thread = new Thread(
                () -> {
                    try {
                        Connection connection = factory.newConnection(name);
                        client.run(connection.createChannel(), own);
                    } catch (IOException | TimeoutException | ShutdownSignalException killed) {
                        // What it is here for.
                        return;
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    // ---- publishing

    private void publish(Channel channel, String queue, SplittableRandom own) throws IOException, InterruptedException {
        ConcurrentSkipListMap<Long, MessageId> unconfirmed = new ConcurrentSkipListMap<>();
        channel.confirmSelect();
        channel.addConfirmListener(
                (tag, multiple) -> {
                    var done = multiple ? unconfirmed.headMap(tag, true) : unconfirmed.subMap(tag, true, tag, true);
                    done.values().forEach(id -> expected.of(id).confirmed = true);
                    confirmed.addAndGet(done.size());
                    done.clear();
                },
                (tag, multiple) -> {
                    throw new IllegalStateException("a publish was refused");
                });
        for (long number = 0; channel.isOpen(); number++) {
            while (unconfirmed.size() >= UNCONFIRMED_MAX && channel.isOpen()) {
                Thread.sleep(1);
            }
            MessageId id = new MessageId(queue, round, number);
            expected.of(id);
            unconfirmed.put(channel.getNextPublishSeqNo(), id);
            published.incrementAndGet();
            channel.basicPublish(
                    "", queue, MessageProperties.MINIMAL_PERSISTENT_BASIC, id.body(own.nextInt(BODY_BYTES_MAX)));
        }
    }

    // ---- consuming

    private void consume(Channel channel, String queue, SplittableRandom own) throws IOException {
        channel.basicQos(own.nextInt(1, 200));
        channel.basicConsume(queue, false, new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
                    throws IOException {
                Expected.Fate fate = fate(body);
                fate.delivered = true;
                int choice = own.nextInt(10);
                if (choice < 7) {
                    fate.mayBeGone = true;
                    channel.basicAck(envelope.getDeliveryTag(), false);
                } else if (choice < 9) {
                    channel.basicNack(envelope.getDeliveryTag(), false, true);
                }
            }
        });
    }

    private Expected.Fate fate(byte[] body) {
        return expected.of(MessageId.of(new String(body, StandardCharsets.UTF_8)));
    }

    // ---- transactions

    private void transact(Channel channel, SplittableRandom own) throws IOException {
        channel.txSelect();
        for (long number = 0; channel.isOpen(); ) {
            List<Expected.Fate> acked = new ArrayList<>();
            for (int i = own.nextInt(6); i > 0; i--) {
                GetResponse got = channel.basicGet("tx", false);
                if (got != null) {
                    Expected.Fate fate = fate(got.getBody());
                    fate.delivered = true;
                    fate.mayBeGone = true;
                    channel.basicAck(got.getEnvelope().getDeliveryTag(), false);
                    acked.add(fate);
                }
            }
            List<Expected.Fate> sent = new ArrayList<>();
            for (int i = own.nextInt(12); i > 0; i--) {
                MessageId id = new MessageId("tx", round, number++);
                sent.add(expected.of(id));
                channel.basicPublish(
                        "", "tx", MessageProperties.MINIMAL_PERSISTENT_BASIC, id.body(own.nextInt(BODY_BYTES_MAX)));
            }
            channel.txCommit();
            sent.forEach(fate -> fate.confirmed = true);
            acked.forEach(fate -> fate.mustBeGone = true);
        }
    }

    // ---- queues that come and go

    private void comeAndGo(Channel channel, SplittableRandom own)
            throws IOException, InterruptedException, TimeoutException {
        channel.confirmSelect();
        for (int i = 0; channel.isOpen(); i++) {
            String queue = "temporary-" + round + "-" + i;
            expected.queueUnknown(queue);
            channel.queueDeclare(queue, true, false, false, Map.of());
            expected.queue(queue, true);
            List<Expected.Fate> fates = new ArrayList<>();
            for (int number = own.nextInt(30); number > 0; number--) {
                MessageId id = new MessageId(queue, round, 1000 - number);
                fates.add(expected.of(id));
                channel.basicPublish("", queue, MessageProperties.MINIMAL_PERSISTENT_BASIC, id.body(100));
            }
            channel.waitForConfirms();
            fates.forEach(fate -> fate.confirmed = true);
            if (own.nextBoolean()) {
                fates.forEach(fate -> fate.mayBeGone = true);
                channel.queuePurge(queue);
            }
            if (own.nextInt(4) > 0) {
                fates.forEach(fate -> fate.mayBeGone = true);
                expected.queueUnknown(queue);
                channel.queueDelete(queue);
                expected.queue(queue, false);
            }
        }
    }
}
