package io.warren.test.rounds;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import io.warren.test.process.Silent;
import io.warren.test.rounds.Ledger.Copy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** A publisher and a consumer at one node, which connect again whenever their connection ends. */
final class RoundClient {
    private static final int UNCONFIRMED_MAX = 200;
    private static final int PREFETCH = 50;
    /** Between two publishes: 2,000 a second at most. */
    private static final long PAUSE_NS = 500_000;

    private static final long RETRY_NS = 50_000_000;

    private final ConnectionFactory factory = new ConnectionFactory();
    private final String node;
    private final int publisher;
    private final Ledger ledger;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isPublishing;
    private volatile boolean isOver;
    /** Published and not confirmed, by number, as it was published first. */
    private final TreeMap<Long, Copy> unconfirmed = new TreeMap<>();

    private long lastNumber;
    private int connections;

    RoundClient(String node, int publisher, Ledger ledger) {
        this.node = node;
        this.publisher = publisher;
        this.ledger = ledger;
        factory.setHost(MirroredNodeProcess.clientHost(node));
        factory.setPort(MirroredNode.CLIENT_PORT);
        factory.setConnectionTimeout(1_000);
        factory.setHandshakeTimeout(5_000);
        factory.setRequestedHeartbeat(6);
        factory.setExceptionHandler(new Silent());
        factory.setAutomaticRecoveryEnabled(false);
    }

    int publisher() {
        return publisher;
    }

    void start() {
        threads.add(new Thread(this::publishAll, "publisher at " + node));
        threads.add(new Thread(this::consumeAll, "consumer at " + node));
        threads.forEach(Thread::start);
    }

    void publishing(boolean wanted) {
        isPublishing = wanted;
    }

    /** Whether everything it has published is confirmed. */
    boolean isConfirmed() {
        synchronized (unconfirmed) {
            return unconfirmed.isEmpty();
        }
    }

    void end() throws InterruptedException {
        isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    // ---- publisher

    private void publishAll() {
        while (!isOver) {
            try (Connection connection = factory.newConnection("publisher at " + node)) {
                publish(connection.createChannel());
            } catch (IOException | TimeoutException | ShutdownSignalException ended) {
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    private void publish(Channel channel) throws IOException {
        connections++;
        channel.confirmSelect();
        TreeMap<Long, Copy> open = new TreeMap<>();
        channel.addConfirmListener(
                (tag, multiple) -> answered(open, tag, multiple, true),
                (tag, multiple) -> answered(open, tag, multiple, false));
        List<Copy> again;
        synchronized (unconfirmed) {
            again = List.copyOf(unconfirmed.values());
        }
        for (Copy copy : again) {
            send(channel, open, copy.number());
        }
        while (!isOver && channel.isOpen()) {
            boolean hasRoom;
            synchronized (unconfirmed) {
                hasRoom = unconfirmed.size() < UNCONFIRMED_MAX;
            }
            if (isPublishing && hasRoom) {
                send(channel, open, ++lastNumber);
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private void send(Channel channel, NavigableMap<Long, Copy> open, long number) throws IOException {
        Copy copy = new Copy(publisher, connections, number, System.nanoTime());
        synchronized (unconfirmed) {
            unconfirmed.put(number, copy);
            open.put(channel.getNextPublishSeqNo(), copy);
        }
        ledger.published(copy);
        channel.basicPublish("", MirroredNode.QUEUE, true, MessageProperties.PERSISTENT_BASIC, copy.bytes());
    }

    /** A refused one is published again with the next connection. */
    private void answered(NavigableMap<Long, Copy> open, long tag, boolean multiple, boolean confirmed)
            throws IOException {
        List<Copy> copies;
        synchronized (unconfirmed) {
            var answered = multiple ? open.headMap(tag, true) : open.subMap(tag, true, tag, true);
            copies = List.copyOf(answered.values());
            answered.clear();
            if (confirmed) {
                copies.forEach(copy -> unconfirmed.remove(copy.number()));
            }
        }
        if (confirmed) {
            copies.forEach(ledger::confirmed);
        } else {
            ledger.refused();
            throw new IOException("refused: " + copies);
        }
    }

    // ---- consumer

    private void consumeAll() {
        for (int life = 1; !isOver; life++) {
            try (Connection connection = factory.newConnection("consumer at " + node)) {
                Channel channel = connection.createChannel();
                channel.basicQos(PREFETCH);
                channel.basicConsume(MirroredNode.QUEUE, false, new Receiver(channel, node + " " + life));
                while (!isOver && channel.isOpen()) {
                    LockSupport.parkNanos(RETRY_NS);
                }
            } catch (IOException | TimeoutException | ShutdownSignalException ended) {
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    private final class Receiver extends DefaultConsumer {
        private final String name;

        Receiver(Channel channel, String name) {
            super(channel);
            this.name = name;
        }

        @Override
        public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body)
                throws IOException {
            ledger.received(name, Copy.of(body), envelope.isRedeliver());
            getChannel().basicAck(envelope.getDeliveryTag(), false);
        }
    }
}
