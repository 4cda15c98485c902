package io.warren.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.Delivery;
import io.warren.core.error.AmqpException;
import io.warren.core.message.Properties;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A client that publishes numbered orders with confirms, and takes them: at one node, and when that ends at the next. */
public final class OrderClient implements AutoCloseable {
    /** The queue, which has to be there. */
    public static final String QUEUE = "orders";

    private static final int PREFETCH = 50;
    /** After so many orders a pause: a steady stream, and not all that the machine can do. */
    private static final int BURST = 4;

    private static final long PAUSE_MS = 2;
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    private final LocalCluster cluster;
    private final OrderTally tally = new OrderTally();
    private final Thread thread = new Thread(this::run, "order-client");
    private volatile boolean isClosed;

    /** Begins at once. */
    public OrderClient(LocalCluster cluster) {
        this.cluster = cluster;
        thread.start();
    }

    /** What became of its orders so far. */
    public OrderTally tally() {
        return tally;
    }

    /** Publishes nothing new, waits until everything confirmed has come, and ends. */
    public OrderTally end() throws InterruptedException {
        tally.end();
        close();
        thread.join();
        return tally;
    }

    private void run() {
        while (!isClosed) {
            try (Connection connection = cluster.connect()) {
                use(connection);
            } catch (AmqpException | IllegalStateException nodeEnded) {
                // As a client of a cluster has to: what is not answered goes to the next node.
                Thread.onSpinWait();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
            tally.onConnectionLost();
        }
    }

    private void use(Connection connection) throws InterruptedException {
        Channel consumer = connection.openChannel();
        consumer.qos(PREFETCH);
        consumer.consume(QUEUE, this::take);
        Channel publisher = connection.openChannel();
        publisher.confirmSelect();
        Map<Long, Integer> orders = new ConcurrentHashMap<>();
        publisher.onConfirm((sequence, isConfirmed) -> {
            Integer order = orders.remove(sequence);
            if (order != null) {
                tally.onAnswer(order, isConfirmed);
            }
        });
        while (!isClosed && publisher.isOpen() && consumer.isOpen()) {
            Integer order = tally.next();
            if (order != null && order % BURST == 0) {
                Thread.sleep(PAUSE_MS);
            }
            if (order != null) {
                orders.put(publisher.nextPublishSequence(), order);
                publisher.publish("", QUEUE, PERSISTENT, String.valueOf(order).getBytes(UTF_8));
            }
        }
    }

    private void take(Delivery delivery) {
        tally.onReceived(Integer.parseInt(delivery.text()), delivery.isRedelivered());
        delivery.ack();
    }

    /** Ends, whatever is open. */
    @Override
    public void close() {
        isClosed = true;
    }
}
