package io.warren.benchmarks;

import com.github.fridujo.rabbitmq.mock.MockConnectionFactory;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.warren.core.Broker;
import io.warren.core.QueueOptions;
import java.util.Arrays;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/** How long a broker takes to start, to carry its first message, to be reset and to stop. */
final class Life {

    private static final String QUEUE = "life";
    private static final int WARM_LIVES = 50;
    private static final long ARRIVES_WITHIN_MS = 10_000;

    private long lastNs = System.nanoTime();

    private Life() {}

    /** One life of a broker: milliseconds to start, to the first round trip after that, to reset, to stop. */
    @FunctionalInterface
    interface OfBroker {
        double[] live(Life clock) throws Exception;
    }

    private double lapMs() {
        long nowNs = System.nanoTime();
        double ms = (nowNs - lastNs) / 1e6;
        lastNs = nowNs;
        return ms;
    }

    static double[] warren(Life clock) {
        Broker broker = Broker.start();
        double startMs = clock.lapMs();
        io.warren.core.Channel channel = broker.connect().openChannel();
        channel.queueDeclare(QueueOptions.named(QUEUE));
        channel.publish("", QUEUE, new byte[16]);
        Objects.requireNonNull(channel.get(QUEUE, true));
        double messageMs = clock.lapMs();
        broker.reset();
        double resetMs = clock.lapMs();
        channel.connection().close();
        broker.close();
        return new double[] {startMs, messageMs, resetMs, clock.lapMs()};
    }

    static double[] artemis(Life clock) throws Exception {
        ArtemisServer server = ArtemisServer.start();
        double startMs = clock.lapMs();
        ServerLocator locator = ActiveMQClient.createServerLocator(ArtemisServer.URL);
        ClientSession session = locator.createSessionFactory().createSession(true, true);
        session.createQueue(QueueConfiguration.of(QUEUE).setDurable(false).setRoutingType(RoutingType.ANYCAST));
        session.createProducer(QUEUE).send(session.createMessage(false));
        ClientConsumer consumer = session.createConsumer(QUEUE);
        session.start();
        Objects.requireNonNull(consumer.receive(ARRIVES_WITHIN_MS)).acknowledge();
        double messageMs = clock.lapMs();
        locator.close();
        server.close();
        return new double[] {startMs, messageMs, Double.NaN, clock.lapMs()};
    }

    static double[] mock(Life clock) throws Exception {
        Connection connection = new MockConnectionFactory().newConnection();
        double startMs = clock.lapMs();
        Channel channel = connection.createChannel();
        channel.queueDeclare(QUEUE, false, false, false, null);
        channel.basicPublish("", QUEUE, null, new byte[16]);
        Objects.requireNonNull(channel.basicGet(QUEUE, true));
        double messageMs = clock.lapMs();
        connection.close();
        return new double[] {startMs, messageMs, Double.NaN, clock.lapMs()};
    }

    /** The first life in this JVM: classes are loaded and run for the first time. */
    static Measurement cold(OfBroker broker) {
        return effort -> broker.live(new Life());
    }

    /** The median of the second half of many lives in a row, as tests start brokers. */
    static Measurement warm(OfBroker broker) {
        return effort -> {
            int lives = 2 * effort.count(WARM_LIVES);
            double[][] times = new double[lives][];
            for (int i = 0; i < lives; i++) {
                times[i] = broker.live(new Life());
            }
            double[] medians = new double[times[0].length];
            for (int metric = 0; metric < medians.length; metric++) {
                int each = metric;
                double[] sorted = Arrays.stream(times)
                        .skip(lives / 2)
                        .mapToDouble(life -> life[each])
                        .sorted()
                        .toArray();
                medians[metric] = sorted[sorted.length / 2];
            }
            return medians;
        };
    }
}
