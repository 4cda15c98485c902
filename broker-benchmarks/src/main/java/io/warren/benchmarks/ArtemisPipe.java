package io.warren.benchmarks;

import java.io.IOException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/** Artemis embedded, over its in-VM connector; sends do not block, as its users set it for throughput. */
final class ArtemisPipe implements Pipe {

    private static final String ADDRESS = "load";

    /** Artemis' windows are in bytes: 1 MiB holds far more than the loads keep under way. */
    private static final int WINDOW_BYTES = 1 << 20;

    /** Acknowledgements travel in batches, one for about as many KiB as the others' prefetch has messages. */
    private static final int ACK_BATCH_BYTES = Setup.PREFETCH * 1_024;

    private final ArtemisServer server;
    private final ServerLocator locator;
    private final Setup setup;
    private final Listener listener;
    private final ClientSession publishing;
    private final ClientProducer producer;

    /** A session belongs to one thread: this one to whoever asks for the depth. */
    private final ClientSession looking;

    private ArtemisPipe(Setup setup, Listener listener) throws Exception {
        if (setup.exchange() == Exchange.TOPIC) {
            throw new IllegalArgumentException("setup=" + setup + ": a queue of Artemis has one address");
        }
        this.setup = setup;
        this.listener = listener;
        this.server = ArtemisServer.start();
        this.locator = locator(setup.acknowledged());
        this.publishing = session();
        declare();
        this.producer = publishing.createProducer(ADDRESS);
        this.looking = session();
        for (int queue = 0; setup.consumed() && queue < setup.queues(); queue++) {
            consume(queue);
        }
        publishing.start();
    }

    static Factory factory() {
        return ArtemisPipe::new;
    }

    private static ServerLocator locator(boolean acknowledged) throws Exception {
        return ActiveMQClient.createServerLocator(ArtemisServer.URL)
                .setBlockOnDurableSend(false)
                .setBlockOnNonDurableSend(false)
                .setProducerWindowSize(WINDOW_BYTES)
                .setConsumerWindowSize(WINDOW_BYTES)
                .setConfirmationWindowSize(acknowledged ? WINDOW_BYTES : -1)
                .setPreAcknowledge(!acknowledged);
    }

    /** A connection and session of its own, as the other systems have. */
    private ClientSession session() throws Exception {
        ClientSessionFactory connection = locator.createSessionFactory();
        return connection.createSession(true, true, ACK_BATCH_BYTES);
    }

    private String nameOf(int queue) {
        return setup.exchange() == Exchange.DEFAULT ? ADDRESS : ADDRESS + "-" + queue;
    }

    private void declare() throws ActiveMQException {
        RoutingType routing = setup.exchange() == Exchange.DEFAULT ? RoutingType.ANYCAST : RoutingType.MULTICAST;
        for (int queue = 0; queue < setup.queues(); queue++) {
            publishing.createQueue(QueueConfiguration.of(nameOf(queue))
                    .setAddress(ADDRESS)
                    .setDurable(false)
                    .setRoutingType(routing));
        }
    }

    private void consume(int queue) throws Exception {
        ClientSession consuming = session();
        consuming.createConsumer(nameOf(queue)).setMessageHandler(message -> {
            if (setup.acknowledged()) {
                acknowledge(message);
            }
            listener.onDelivered(queue, message.getBodySize());
        });
        consuming.start();
    }

    private static void acknowledge(ClientMessage message) {
        try {
            message.acknowledge();
        } catch (ActiveMQException failed) {
            throw new IllegalStateException("a delivery could not be acknowledged", failed);
        }
    }

    @Override
    public void publish(String routingKey, byte[] body) throws ActiveMQException {
        ClientMessage message = publishing.createMessage(false);
        message.getBodyBuffer().writeBytes(body);
        if (setup.acknowledged()) {
            producer.send(message, sent -> listener.onConfirmed());
        } else {
            producer.send(message);
        }
    }

    @Override
    public void bind(int queue, String pattern) {
        throw new UnsupportedOperationException("a queue of Artemis has one address");
    }

    @Override
    public long depth() throws ActiveMQException {
        return looking.queueQuery(SimpleString.of(nameOf(0))).getMessageCount();
    }

    @Override
    public void close() throws IOException {
        locator.close();
        server.close();
    }
}
