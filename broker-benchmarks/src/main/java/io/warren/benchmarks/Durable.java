package io.warren.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A broker that forces what it confirms: one publisher of persistent messages of 1 KiB, confirmed with at most 1,000
 * open, to some durable queues in turn, each with a consumer that acknowledges one by one. And what a restart costs.
 *
 * <p>The files are in a directory below {@code java.io.tmpdir}, which must be on the disk that is meant.
 */
final class Durable implements AutoCloseable {

    private static final int BODY_BYTES = 1_024;
    private static final int UNCONFIRMED_MAX = 1_000;
    private static final int BACKLOG = 1_000_000;
    private static final int BACKLOG_BODY_BYTES = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    private final Path directory;
    private Broker broker;
    private final Semaphore window = new Semaphore(UNCONFIRMED_MAX);

    private Durable() throws IOException {
        directory = Files.createTempDirectory("warren-durable");
        broker = start();
    }

    private Broker start() {
        return Broker.builder().dataDirectory(directory).start();
    }

    private static String nameOf(int queue) {
        return "durable-" + queue;
    }

    private Channel publisher(int queues) {
        Channel channel = broker.connect().openChannel();
        for (int queue = 0; queue < queues; queue++) {
            channel.queueDeclare(QueueOptions.durable(nameOf(queue)));
        }
        channel.confirmSelect();
        channel.onConfirm((sequence, confirmed) -> window.release());
        return channel;
    }

    private void consume(int queue) {
        Channel channel = broker.connect().openChannel();
        channel.qos(Pipe.Setup.PREFETCH);
        channel.consume(nameOf(queue), Delivery::ack);
    }

    private void publish(Channel channel, int queue, byte[] body) throws InterruptedException {
        window.acquire();
        channel.publish("", nameOf(queue), PERSISTENT, body);
    }

    /** Messages published until the time is over. */
    private long publishFor(long ms, Channel channel, int queues) throws InterruptedException {
        byte[] body = new byte[BODY_BYTES];
        long published = 0;
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (System.nanoTime() < untilNs) {
            publish(channel, (int) (published % queues), body);
            published++;
        }
        return published;
    }

    /** Messages confirmed a second, and bytes that the process has written for each byte of a body. */
    static Measurement queues(int count) {
        return effort -> {
            try (Durable durable = new Durable()) {
                Channel channel = durable.publisher(count);
                for (int queue = 0; queue < count; queue++) {
                    durable.consume(queue);
                }
                durable.publishFor(effort.warmUpMs(), channel, count);
                channel.waitForConfirms(PATIENCE);
                double writtenBefore = writtenBytes();
                long startNs = System.nanoTime();
                long published = durable.publishFor(effort.measuredMs(), channel, count);
                channel.waitForConfirms(PATIENCE);
                double seconds = (System.nanoTime() - startNs) / 1e9;
                double written = writtenBytes() - writtenBefore;
                return new double[] {published / seconds, written / (published * BODY_BYTES)};
            }
        };
    }

    /** What this process has handed to the system to write; NaN where the system does not say. */
    private static double writtenBytes() throws IOException {
        Path counters = Path.of("/proc/self/io");
        if (!Files.isReadable(counters)) {
            return Double.NaN;
        }
        try (Stream<String> lines = Files.lines(counters, US_ASCII)) {
            return lines.filter(line -> line.startsWith("wchar: "))
                    .mapToDouble(line -> Double.parseDouble(line.substring("wchar: ".length())))
                    .findFirst()
                    .orElse(Double.NaN);
        }
    }

    /** Messages confirmed a second into one queue without consumer; the restart in ms; messages drained a second. */
    static Measurement restart() {
        return effort -> {
            int messages = effort.count(BACKLOG);
            try (Durable durable = new Durable()) {
                long startNs = System.nanoTime();
                Channel channel = durable.publisher(1);
                byte[] body = new byte[BACKLOG_BODY_BYTES];
                for (int i = 0; i < messages; i++) {
                    durable.publish(channel, 0, body);
                }
                channel.waitForConfirms(PATIENCE);
                double publishNs = System.nanoTime() - startNs;
                durable.broker.close();
                startNs = System.nanoTime();
                durable.broker = durable.start();
                double readyNs = System.nanoTime() - startNs;
                return new double[] {messages * 1e9 / publishNs, readyNs / 1e6, durable.drainedPerSecond(messages)};
            }
        };
    }

    private double drainedPerSecond(int messages) throws Exception {
        CountDownLatch all = new CountDownLatch(messages);
        long startNs = System.nanoTime();
        Channel channel = broker.connect().openChannel();
        channel.qos(Pipe.Setup.PREFETCH);
        channel.consume(nameOf(0), delivery -> {
            delivery.ack();
            all.countDown();
        });
        if (!all.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(all.getCount() + " of " + messages + " messages did not come");
        }
        return messages * 1e9 / (System.nanoTime() - startNs);
    }

    @Override
    public void close() throws IOException {
        broker.close();
        List<Path> files;
        try (Stream<Path> found = Files.walk(directory)) {
            files = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
