package io.warren.amqp.limits;

import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import java.util.concurrent.CountDownLatch;

/** The server that {@link Limits} misuses: as it comes, on a free port, which it prints. */
final class LimitsServer {

    private LimitsServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Broker broker = Broker.start();
                AmqpServer server = AmqpServer.builder(broker).port(0).start()) {
            System.out.println(server.port());
            new CountDownLatch(1).await();
        }
    }
}
