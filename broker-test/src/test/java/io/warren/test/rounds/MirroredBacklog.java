package io.warren.test.rounds;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import io.warren.test.process.ProcessUse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A backlog of a mirrored queue that is far larger than the heap of its nodes: {@code MirroredBacklog MESSAGES BYTES MODE DIRECTORY}.
 *
 * <p>It is published and confirmed, its master is killed, comes back and is in sync again; then all are killed, and it is drained in order.
 */
final class MirroredBacklog {
    private static final int CONFIRM_EVERY = 5_000;
    private static final int ACK_EVERY = 500;
    private static final int CONNECTS_MAX = 120;
    private static final int LIMIT_SECONDS = 600;
    private static final double NS = 1e9;
    private static final long MIB = 1_048_576;

    private final Nodes nodes;
    private final int messages;
    private final int bytes;
    private final String mode;
    private final long beganNs = System.nanoTime();

    private MirroredBacklog(int messages, int bytes, String mode, Path work) throws IOException {
        this.messages = messages;
        this.bytes = bytes;
        this.mode = mode;
        nodes = new Nodes(work);
    }

    public static void main(String[] arguments) throws Exception {
        MirroredBacklog run = new MirroredBacklog(
                Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), arguments[2], Path.of(arguments[3]));
        try {
            run.run();
        } finally {
            run.nodes.end();
        }
        System.exit(0);
    }

    private void run() throws IOException, InterruptedException, TimeoutException {
        nodes.start();
        publish();
        memory("with the backlog", Nodes.NAMES);
        String master = nodes.get("b").whereabouts().master();
        nodes.get(master).kill();
        String other = master.equals("b") ? "c" : "b";
        await(() -> !nodes.get(other).whereabouts().master().equals(master), "another master");
        say(
                "%s was killed with -9, %s leads",
                master, nodes.get(other).whereabouts().master());
        nodes.get(master).start();
        await(() -> nodes.get(other).whereabouts().synchronisedSlaves().contains(master), master + " in sync");
        say("%s is in sync again", master);
        memory("with all in sync again", Nodes.NAMES);
        for (String name : Nodes.NAMES) {
            nodes.get(name).kill();
        }
        for (String name : Nodes.NAMES) {
            nodes.get(name).launch();
        }
        for (String name : Nodes.NAMES) {
            nodes.get(name).awaitReady();
        }
        await(() -> nodes.get("b").whereabouts().synchronisedSlaves().size() == 2, "all in sync");
        say("all were killed with -9, and are in sync");
        memory("behind that", Nodes.NAMES);
        drain();
        memory("when it is drained", Nodes.NAMES);
    }

    private interface Question {
        boolean isSo() throws IOException, InterruptedException;
    }

    private static void await(Question question, String what) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!question.isSo()) {
            if (System.nanoTime() > endNs) {
                throw new IllegalStateException(what + ": not within " + LIMIT_SECONDS + " s");
            }
            Thread.sleep(50);
        }
    }

    private void memory(String when, List<String> names) throws IOException, InterruptedException {
        for (String name : names) {
            MirroredNodeProcess node = nodes.get(name);
            MirroredNodeProcess.Memory memory = node.memory();
            say(
                    "%s, %s: counted %.1f MiB, heap %d MiB, process %d MiB",
                    when,
                    name,
                    memory.countedBytes() / (double) MIB,
                    memory.heapBytes() / MIB,
                    ProcessUse.of(node.pid()).residentBytes() / MIB);
        }
    }

    private void say(String format, Object... values) {
        System.out.printf(
                Locale.ROOT,
                "%6.1f s  %s%n",
                (System.nanoTime() - beganNs) / NS,
                String.format(Locale.ROOT, format, values));
    }

    /** Again from behind what is confirmed, when a node has let go of the connection: what came twice then, {@link InOrder} lets pass. */
    private void publish() throws IOException, TimeoutException, InterruptedException {
        long startNs = System.nanoTime();
        int confirmed = 0;
        while (confirmed < messages) {
            try (Connection connection = connect("a");
                    Channel channel = connection.createChannel()) {
                channel.queueDeclare(MirroredNode.QUEUE, true, false, false, Map.of("x-queue-mode", mode));
                channel.confirmSelect();
                while (confirmed < messages) {
                    int end = Math.min(messages, confirmed + CONFIRM_EVERY);
                    for (int number = confirmed; number < end; number++) {
                        byte[] body = ByteBuffer.allocate(bytes).putInt(number).array();
                        channel.basicPublish("", MirroredNode.QUEUE, MessageProperties.MINIMAL_PERSISTENT_BASIC, body);
                    }
                    channel.waitForConfirmsOrDie();
                    confirmed = end;
                }
            } catch (IOException | ShutdownSignalException cut) {
                say("cut off behind %d confirmed: %s", confirmed, cut);
            }
        }
        say("published %d x %d B, all confirmed: %.0f/s", messages, bytes, rate(startNs));
    }

    private static Connection connect(String name) throws IOException, TimeoutException, InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return Nodes.connect(name);
            } catch (IOException | TimeoutException refused) {
                if (tries == CONNECTS_MAX) {
                    throw refused;
                }
                Thread.sleep(500);
            }
        }
    }

    private double rate(long startNs) {
        return messages / ((System.nanoTime() - startNs) / NS);
    }

    private void drain() throws IOException, TimeoutException, InterruptedException {
        long startNs = System.nanoTime();
        try (Connection connection = connect("c");
                Channel channel = connection.createChannel()) {
            CountDownLatch done = new CountDownLatch(1);
            channel.basicQos(4 * ACK_EVERY);
            InOrder consumer = new InOrder(channel, done);
            channel.basicConsume(MirroredNode.QUEUE, false, consumer);
            if (!done.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "not drained in " + LIMIT_SECONDS + " s, but for " + consumer.next + " messages");
            }
            say("drained in order: %.0f/s, %d that were published again", rate(startNs), consumer.again.get());
        }
    }

    /** Each message in its place; again only one that was published again. */
    private final class InOrder extends DefaultConsumer {
        private final CountDownLatch done;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger again = new AtomicInteger();

        InOrder(Channel channel, CountDownLatch done) {
            super(channel);
            this.done = done;
        }

        @Override
        public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
                throws IOException {
            int number = ByteBuffer.wrap(body).getInt();
            if (number > next.get() || body.length != bytes) {
                System.out.println("got " + number + " in place of " + next);
                System.exit(1);
            }
            (number < next.get() ? again : next).incrementAndGet();
            if (next.get() % ACK_EVERY == 0 || next.get() == messages) {
                getChannel().basicAck(envelope.getDeliveryTag(), true);
            }
            if (next.get() == messages) {
                done.countDown();
            }
        }
    }
}
