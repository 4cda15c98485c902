package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.warren.amqp.memory.MemoryConnectionFactory;
import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import io.warren.examples.log.LogLines;
import io.warren.examples.log.QueueTally;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A real log, routed with RabbitMQ's Java client: over TCP, or with "memory" through memory; then a log of dpkg. */
public final class JavaClientLog {

    /** What fails waits a moment in "later" and comes back; whoever rejects sends it there. */
    private static final Map<String, Object> RETRY =
            Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "later");

    private static final Map<String, Object> LATER =
            Map.of("x-message-ttl", 50, "x-dead-letter-exchange", "", "x-dead-letter-routing-key", "unfinished");

    public static void main(String[] arguments) throws Exception {
        boolean isMemory = arguments.length > 0 && arguments[0].equals("memory");
        try (Broker broker = Broker.start();
                AmqpServer server =
                        isMemory ? null : AmqpServer.builder(broker).port(0).start()) {
            ConnectionFactory factory = isMemory ? new MemoryConnectionFactory(broker) : new ConnectionFactory();
            factory.setPort(server == null ? 0 : server.port());
            route(factory, LogLines.read(arguments.length > 1 ? arguments[1] : null));
        }
    }

    /** From here on nothing knows how the bytes travel. */
    private static void route(ConnectionFactory factory, List<String> lines) throws Exception {
        try (Connection connection = factory.newConnection("log")) {
            Channel channel = connection.createChannel();
            channel.exchangeDeclare("log", "topic");
            channel.queueDeclare("later", false, true, true, LATER);
            QueueTally archive = consume(connection, "archive", "#");
            QueueTally unfinished =
                    consume(connection, "unfinished", "status.half-installed.#", "status.half-configured.#", "end");
            channel.confirmSelect();
            for (String line : lines) {
                channel.basicPublish("log", LogLines.routingKey(line), null, line.getBytes(UTF_8));
            }
            channel.basicPublish("log", "end", null, QueueTally.END.getBytes(UTF_8));
            channel.waitForConfirmsOrDie(30_000);
            System.out.println(archive.awaitEnd() + System.lineSeparator() + unfinished.awaitEnd());
        }
    }

    private static QueueTally consume(Connection connection, String queue, String... patterns) throws IOException {
        Channel channel = connection.createChannel();
        channel.queueDeclare(queue, false, true, true, RETRY);
        for (String pattern : patterns) {
            channel.queueBind(queue, "log", pattern);
        }
        QueueTally tally = new QueueTally(queue);
        channel.basicQos(100);
        channel.basicConsume(
                queue,
                (tag, delivery) -> {
                    boolean isFirstTry = delivery.getProperties().getHeaders() == null;
                    if (isFirstTry && queue.equals("unfinished")) {
                        channel.basicReject(delivery.getEnvelope().getDeliveryTag(), false);
                    } else {
                        channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
                        tally.onLine(new String(delivery.getBody(), UTF_8), isFirstTry);
                    }
                },
                tag -> {});
        return tally;
    }
}
