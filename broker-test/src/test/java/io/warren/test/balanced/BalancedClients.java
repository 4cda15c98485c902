package io.warren.test.balanced;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients of three nodes behind one address, while nodes that are not the queue's home are killed in turn and come back:
 * {@code BalancedClients ADDRESS-PORT HOME-PORT ROUNDS SCRIPT}.
 *
 * <p>{@code SCRIPT kill N} and {@code SCRIPT start N} do that to the second and the third node. A publisher connects again when its connection
 * ends and publishes again what was not confirmed, as any client with confirms has to; a consumer connects again. At the end everything
 * that was confirmed has been received; what was received twice had a confirm or an acknowledgement outstanding.
 */
final class BalancedClients {
    private static final String QUEUE = "balanced";
    private static final int WINDOW = 200;
    private static final int PREFETCH = 100;
    private static final long UNDER_LOAD_MS = 3_000;

    private final int port;
    private final Set<Long> confirmed = new ConcurrentSkipListSet<>();
    private final Map<Long, Integer> received = new ConcurrentHashMap<>();
    private final Map<String, Integer> endings = new ConcurrentHashMap<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicLong lastConfirmNs = new AtomicLong(System.nanoTime());
    private final AtomicLong longestPauseNs = new AtomicLong();
    private final AtomicInteger redelivered = new AtomicInteger();
    private volatile boolean publishing = true;
    private volatile boolean consuming = true;

    private BalancedClients(int port) {
        this.port = port;
    }

    public static void main(String[] arguments) throws Exception {
        BalancedClients clients = new BalancedClients(Integer.parseInt(arguments[0]));
        clients.declareAt(Integer.parseInt(arguments[1]));
        clients.run(Integer.parseInt(arguments[2]), Path.of(arguments[3]));
    }

    private static Connection connect(int port) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setConnectionTimeout(2_000);
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection();
    }

    private void declareAt(int homePort) throws IOException, TimeoutException {
        try (Connection connection = connect(homePort)) {
            connection.createChannel().queueDeclare(QUEUE, true, false, false, null);
        }
    }

    private void run(int rounds, Path script) throws IOException, InterruptedException {
        Thread publisher = started("publisher", this::publish);
        Thread consumer = started("consumer", this::consume);
        for (int round = 0; round < rounds; round++) {
            String victim = round % 2 == 0 ? "2" : "3";
            Thread.sleep(UNDER_LOAD_MS);
            command(script, "kill", victim);
            Thread.sleep(UNDER_LOAD_MS);
            command(script, "start", victim);
        }
        Thread.sleep(UNDER_LOAD_MS);
        publishing = false;
        publisher.join();
        awaitReceived();
        consuming = false;
        consumer.join();
        report(rounds);
    }

    private static Thread started(String name, Runnable what) {
        Thread thread = new Thread(what, name);
        thread.start();
        return thread;
    }

    private static void command(Path script, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(words));
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException(command + " ended with " + status);
        }
    }

    private void publish() {
        Set<Long> open = new TreeSet<>();
        long next = 0;
        while (publishing || !open.isEmpty()) {
            try (Connection connection = connect(port)) {
                connections.incrementAndGet();
                Channel channel = connection.createChannel();
                channel.confirmSelect();
                while (publishing || !open.isEmpty()) {
                    while (publishing && open.size() < WINDOW) {
                        open.add(++next);
                    }
                    for (long number : open) {
                        channel.basicPublish(
                                "",
                                QUEUE,
                                true,
                                MessageProperties.PERSISTENT_BASIC,
                                Long.toString(number).getBytes(UTF_8));
                    }
                    // With a nack nobody knows which: all of them are published again.
                    if (channel.waitForConfirms(10_000)) {
                        confirmed.addAll(open);
                        open.clear();
                        noteConfirm();
                    }
                }
            } catch (IOException | TimeoutException | ShutdownSignalException ended) {
                ended(ended);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Its owner connects again: what this is about. */
    private void ended(Exception why) {
        endings.merge(why.getClass().getSimpleName(), 1, Integer::sum);
    }

    private void noteConfirm() {
        long nowNs = System.nanoTime();
        long pauseNs = nowNs - lastConfirmNs.getAndSet(nowNs);
        longestPauseNs.accumulateAndGet(pauseNs, Math::max);
    }

    private void consume() {
        while (consuming) {
            try (Connection connection = connect(port)) {
                Channel channel = connection.createChannel();
                channel.basicQos(PREFETCH);
                channel.basicConsume(QUEUE, false, new Receiver(channel));
                while (consuming && channel.isOpen()) {
                    Thread.sleep(20);
                }
            } catch (IOException | TimeoutException | ShutdownSignalException ended) {
                ended(ended);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private final class Receiver extends DefaultConsumer {
        Receiver(Channel channel) {
            super(channel);
        }

        @Override
        public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body)
                throws IOException {
            received.merge(Long.parseLong(new String(body, UTF_8)), 1, Integer::sum);
            if (envelope.isRedeliver()) {
                redelivered.incrementAndGet();
            }
            getChannel().basicAck(envelope.getDeliveryTag(), false);
        }
    }

    private void awaitReceived() throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!received.keySet().containsAll(confirmed) && System.nanoTime() < endNs) {
            Thread.sleep(50);
        }
    }

    private void report(int rounds) {
        long lost = confirmed.stream()
                .filter(number -> !received.containsKey(number))
                .count();
        long doubled = received.values().stream().filter(times -> times > 1).count();
        System.out.println("kills " + rounds + ", confirmed " + confirmed.size() + ", received " + received.size()
                + ", lost " + lost + ", doubled " + doubled + ", redelivered " + redelivered + ", publisher connected "
                + connections + " times, endings " + endings + ", longest pause between confirms "
                + longestPauseNs.get() / 1_000_000 + " ms");
        if (lost > 0 || confirmed.isEmpty()) {
            System.exit(1);
        }
    }
}
