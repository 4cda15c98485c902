package io.warren.examples.server;

import ch.qos.logback.classic.Level;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import io.warren.amqp.server.AmqpServer;
import io.warren.examples.cluster.LocalCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A takeover before anybody waits for one: three nodes within this process, a mirrored queue, clients over AMQP, and the node that leads all of it
 * is killed.
 *
 * <p>What runs for the first time is loaded, interpreted and compiled while it runs, and clients wait for that. A node that has rehearsed takes over in about
 * half the time (docs/decisions/0089). It costs seconds, so it comes before the node joins.
 */
final class Rehearsal {
    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
    private static final String KILLED = "rehearsal-1";
    private static final String SURVIVOR = "rehearsal-2";
    private static final String OTHER = "rehearsal-3";
    /** Whose warnings would be of nodes that are killed on purpose. */
    private static final List<String> HUSHED = List.of("org.apache.ratis", "io.warren.mirroring");

    /** It sums up what it has to say and says it up to 5 s later, when the rehearsal is over. */
    private static final String LATE = "org.apache.ratis.grpc.server.GrpcLogAppender";

    private static final int LATE_SECONDS = 6;

    /** After one, the second compiler was still at work on what it had made hot when the real one came. */
    private static final int TAKEOVERS = 2;

    private static final String QUEUE = "rehearsal";
    /** Enough for the first compiler, which begins at 200 calls. */
    private static final int MESSAGES = 500;

    private static final int BODY_BYTES = 1024;
    private static final int PREFETCH = 100;
    private static final int WAIT_MS = 30_000;

    private Rehearsal() {}

    /** As {@link #run}; if it fails, the log says why, and a takeover will be slower. */
    static void tryTo() {
        try {
            run();
        } catch (IOException | RuntimeException failed) {
            LOG.warn("a takeover could not be rehearsed; the first one will be slower", failed);
        }
    }

    /**
     * Returns after some seconds, when it is over and nothing of it is left.
     *
     * @throws IOException if temporary files or ports cannot be had
     * @throws IllegalStateException if it does not come to its end within half a minute a step
     */
    static void run() throws IOException {
        List<Runnable> afterwards = HUSHED.stream().map(Rehearsal::hush).toList();
        Runnable later = hush(LATE);
        try {
            for (int takeover = 0; takeover < TAKEOVERS; takeover++) {
                takeOver();
            }
        } finally {
            afterwards.forEach(Runnable::run);
            CompletableFuture.delayedExecutor(LATE_SECONDS, TimeUnit.SECONDS).execute(later);
        }
    }

    /** A logger says nothing, until what is returned has run. */
    private static Runnable hush(String name) {
        ch.qos.logback.classic.Logger logger = (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(name);
        Level before = logger.getLevel();
        logger.setLevel(Level.OFF);
        return () -> logger.setLevel(before);
    }

    private static void takeOver() throws IOException {
        try (LocalCluster cluster = new LocalCluster(KILLED, SURVIVOR, OTHER);
                AmqpServer killed = serve(cluster, KILLED);
                AmqpServer survivor = serve(cluster, SURVIVOR)) {
            cluster.mirror(Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
            publish(killed);
            cluster.awaitInSync(2);
            cluster.kill(KILLED);
            publish(survivor);
            take(survivor, 2 * MESSAGES);
        } catch (TimeoutException late) {
            throw new IllegalStateException("the rehearsal of a takeover did not come to its end", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in the rehearsal of a takeover", interrupted);
        }
    }

    private static AmqpServer serve(LocalCluster cluster, String node) {
        return AmqpServer.builder(cluster.node(node).broker()).port(0).start();
    }

    private static void publish(AmqpServer server) throws IOException, InterruptedException, TimeoutException {
        try (Connection connection = connect(server)) {
            Channel channel = connection.createChannel();
            channel.queueDeclare(QUEUE, true, false, false, null);
            channel.confirmSelect();
            for (int message = 0; message < MESSAGES; message++) {
                channel.basicPublish("", QUEUE, MessageProperties.PERSISTENT_BASIC, new byte[BODY_BYTES]);
            }
            channel.waitForConfirmsOrDie(WAIT_MS);
        }
    }

    private static void take(AmqpServer server, int messages)
            throws IOException, InterruptedException, TimeoutException {
        CountDownLatch missing = new CountDownLatch(messages);
        try (Connection connection = connect(server)) {
            Channel channel = connection.createChannel();
            channel.basicQos(PREFETCH);
            channel.basicConsume(
                    QUEUE,
                    (tag, delivery) -> {
                        channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
                        missing.countDown();
                    },
                    tag -> {});
            if (!missing.await(WAIT_MS, TimeUnit.MILLISECONDS)) {
                throw new TimeoutException(missing.getCount() + " of " + messages + " messages did not come");
            }
        }
    }

    private static Connection connect(AmqpServer server) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(server.port());
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection(QUEUE);
    }
}
