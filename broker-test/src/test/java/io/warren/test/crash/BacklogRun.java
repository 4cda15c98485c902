package io.warren.test.crash;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A backlog that is far larger than the heap of its broker (256 MiB), published, found again after a restart, and
 * drained in order: {@code BacklogRun COUNT BYTES DIRECTORY}.
 */
final class BacklogRun {

    private static final String QUEUE = "backlog";
    private static final long LOG_FILE_BYTES = 64L * 1024 * 1024;
    private static final int UNCONFIRMED_MAX = 5_000;
    private static final int ACK_EVERY = 500;

    private final int count;
    private final int bytes;
    private final Path directory;

    private BacklogRun(int count, int bytes, Path directory) {
        this.count = count;
        this.bytes = bytes;
        this.directory = directory;
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createDirectories(Path.of(arguments[2]));
        new BacklogRun(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), directory).run();
    }

    private void run() throws IOException, TimeoutException, InterruptedException {
        try (ServerProcess server = start()) {
            long startNs = System.nanoTime();
            publish(server.port());
            say(
                    "published %d x %d B: %.0f/s, peak memory of the process %s",
                    count, bytes, rate(startNs), server.peakMemory());
            server.stop();
        }
        long startNs = System.nanoTime();
        try (ServerProcess server = start()) {
            say("ready after a restart in %d ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
            server.log().stream().filter(line -> line.contains(" recovered ")).forEach(System.out::println);
            startNs = System.nanoTime();
            drain(server.port());
            say("drained in order: %.0f/s, peak memory of the process %s", rate(startNs), server.peakMemory());
            server.stop();
        }
    }

    private ServerProcess start() throws IOException {
        return ServerProcess.start(directory.resolve("data"), LOG_FILE_BYTES, directory.resolve("port"));
    }

    private double rate(long startNs) {
        return count / ((System.nanoTime() - startNs) / 1e9);
    }

    private static void say(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }

    private static Connection connect(int port) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        return factory.newConnection();
    }

    private void publish(int port) throws IOException, TimeoutException, InterruptedException {
        try (Connection connection = connect(port);
                Channel channel = connection.createChannel()) {
            channel.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-mode", "lazy"));
            channel.confirmSelect();
            Semaphore room = new Semaphore(UNCONFIRMED_MAX);
            AtomicLong confirmed = new AtomicLong();
            channel.addConfirmListener(
                    (tag, multiple) -> {
                        long done = multiple ? tag - confirmed.getAndSet(tag) : 1;
                        if (!multiple) {
                            confirmed.set(tag);
                        }
                        room.release((int) done);
                    },
                    (tag, multiple) -> {
                        throw new IllegalStateException("a publish was refused");
                    });
            for (int i = 0; i < count; i++) {
                room.acquire();
                byte[] body = ByteBuffer.allocate(bytes).putInt(i).array();
                channel.basicPublish("", QUEUE, MessageProperties.MINIMAL_PERSISTENT_BASIC, body);
            }
            room.acquire(UNCONFIRMED_MAX);
        }
    }

    private void drain(int port) throws IOException, TimeoutException, InterruptedException {
        try (Connection connection = connect(port);
                Channel channel = connection.createChannel()) {
            CountDownLatch done = new CountDownLatch(1);
            channel.basicQos(4 * ACK_EVERY);
            channel.basicConsume(QUEUE, false, new DefaultConsumer(channel) {
                private int next;

                @Override
                public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
                        throws IOException {
                    int number = ByteBuffer.wrap(body).getInt();
                    if (number != next || body.length != bytes) {
                        throw new IllegalStateException("got " + number + " in place of " + next);
                    }
                    next++;
                    if (next % ACK_EVERY == 0 || next == count) {
                        channel.basicAck(envelope.getDeliveryTag(), true);
                    }
                    if (next == count) {
                        done.countDown();
                    }
                }
            });
            if (!done.await(30, TimeUnit.MINUTES)) {
                throw new IllegalStateException("not drained in 30 minutes");
            }
        }
    }
}
