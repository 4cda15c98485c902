package io.warren.test.rounds;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A backlog that a third node is given while the queue is used: {@code SynchroniseUnderLoad MESSAGES BYTES DIRECTORY}. Prints how fast it is given, and what clients of the
 * queue get before, meanwhile and afterwards.
 */
final class SynchroniseUnderLoad {
    private static final int WINDOW = 500;
    private static final long MEASURE_MS = 10_000;
    private static final int LIMIT_SECONDS = 600;
    private static final double NS = 1e9;

    private final Nodes nodes;
    private final int messages;
    private final byte[] body;
    private final AtomicLong confirmed = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private volatile boolean isOver;

    private SynchroniseUnderLoad(int messages, int bytes, Path work) throws IOException {
        this.messages = messages;
        body = "x".repeat(bytes).getBytes(US_ASCII);
        nodes = new Nodes(work);
    }

    public static void main(String[] arguments) throws Exception {
        SynchroniseUnderLoad run = new SynchroniseUnderLoad(
                Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), Path.of(arguments[2]));
        try {
            run.run();
        } finally {
            run.nodes.end();
        }
        System.exit(0);
    }

    private void run() throws IOException, InterruptedException, TimeoutException {
        nodes.get("a").start();
        nodes.get("b").start();
        nodes.get("a").mirrorEverything();
        try (Connection connection = Nodes.connect("a")) {
            connection.createChannel().queueDeclare(MirroredNode.QUEUE, true, false, false, null);
            fill(connection.createChannel());
        }
        Thread publisher = new Thread(this::publish, "publisher");
        publisher.start();
        try (Connection connection = Nodes.connect("b")) {
            consume(connection.createChannel());
            rates("before", MEASURE_MS);
            synchronise();
            rates("afterwards", MEASURE_MS);
            isOver = true;
            publisher.join();
        }
    }

    private void fill(Channel channel) throws IOException, InterruptedException {
        long beganNs = System.nanoTime();
        publishUntil(channel, messages);
        System.out.printf(
                "filled with %d messages of %d B: %.0f/s%n",
                messages, body.length, messages / ((System.nanoTime() - beganNs) / NS));
        confirmed.set(0);
    }

    private void publish() {
        try (Connection connection = Nodes.connect("b")) {
            publishUntil(connection.createChannel(), Long.MAX_VALUE);
        } catch (IOException | TimeoutException failed) {
            throw new IllegalStateException("the publisher was cut off", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void publishUntil(Channel channel, long count) throws IOException, InterruptedException {
        Semaphore room = new Semaphore(WINDOW);
        AtomicLong upTo = new AtomicLong();
        channel.confirmSelect();
        channel.addConfirmListener(
                (tag, multiple) -> {
                    int answered = multiple ? (int) (tag - upTo.getAndSet(tag)) : 1;
                    if (!multiple) {
                        upTo.accumulateAndGet(tag, Math::max);
                    }
                    confirmed.addAndGet(answered);
                    room.release(answered);
                },
                (tag, multiple) -> {
                    throw new IOException("refused: " + tag);
                });
        for (long number = 0; number < count && !isOver; number++) {
            take(room, 1, channel);
            channel.basicPublish("", MirroredNode.QUEUE, MessageProperties.PERSISTENT_BASIC, body);
        }
        take(room, WINDOW, channel);
    }

    /** Whoever is cut off waits for confirms that do not come. */
    private static void take(Semaphore room, int permits, Channel channel) throws IOException, InterruptedException {
        while (!room.tryAcquire(permits, 1, TimeUnit.SECONDS)) {
            if (!channel.isOpen()) {
                throw new IOException("the publisher was cut off: " + channel.getCloseReason());
            }
        }
    }

    private void consume(Channel channel) throws IOException {
        channel.basicQos(WINDOW);
        channel.basicConsume(MirroredNode.QUEUE, false, new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] content)
                    throws IOException {
                received.incrementAndGet();
                getChannel().basicAck(envelope.getDeliveryTag(), false);
            }
        });
    }

    private void rates(String when, long forMs) throws InterruptedException {
        long beganNs = System.nanoTime();
        long confirmedBefore = confirmed.get();
        long receivedBefore = received.get();
        Thread.sleep(forMs);
        print(when, beganNs, confirmedBefore, receivedBefore);
    }

    private void print(String when, long beganNs, long confirmedBefore, long receivedBefore) {
        double seconds = (System.nanoTime() - beganNs) / NS;
        System.out.printf(
                "%s: confirms %.0f/s, deliveries %.0f/s%n",
                when, (confirmed.get() - confirmedBefore) / seconds, (received.get() - receivedBefore) / seconds);
    }

    private void synchronise() throws IOException, InterruptedException {
        MirroredNodeProcess late = nodes.get("c");
        late.start();
        long waiting = messages + confirmed.get() - received.get();
        long beganNs = System.nanoTime();
        long confirmedBefore = confirmed.get();
        long receivedBefore = received.get();
        while (!nodes.get("a").whereabouts().synchronisedSlaves().contains("c")) {
            if (System.nanoTime() - beganNs > LIMIT_SECONDS * NS) {
                throw new IllegalStateException("c is not in sync after " + LIMIT_SECONDS + " s");
            }
            Thread.sleep(20);
        }
        double seconds = (System.nanoTime() - beganNs) / NS;
        print("meanwhile", beganNs, confirmedBefore, receivedBefore);
        System.out.printf(
                "in sync %.1f s after c had started: %.0f messages/s of the %d that waited%n",
                seconds, waiting / seconds, waiting);
    }
}
