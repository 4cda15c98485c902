package io.warren.examples;

import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import io.warren.examples.server.ServerConfig;
import io.warren.examples.server.ServerOptions;
import io.warren.examples.server.ServerSetup;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;

/** A broker as a process of its own, for AMQP clients. */
public final class Server {

    private Server() {}

    public static void main(String[] arguments) throws InterruptedException {
        try {
            serve(ServerOptions.of(arguments));
        } catch (IllegalArgumentException mistaken) {
            System.err.println("server: " + mistaken.getMessage());
            System.err.println(ServerOptions.USAGE);
            System.exit(2);
        } catch (UncheckedIOException unusable) {
            System.err.println("server: " + unusable.getMessage());
            System.exit(1);
        }
    }

    private static void serve(ServerOptions options) throws InterruptedException {
        ServerSetup setup = ServerConfig.read(options.config());
        Broker broker = setup.broker(options.dataDirectory()).start();
        setup.importDefinitions(broker, options.definitions());
        AmqpServer server = setup.server(broker, options.port()).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, broker), "stop"));
        System.out.println(server.amqpUri());
        new CountDownLatch(1).await();
    }

    private static void stop(AmqpServer server, Broker broker) {
        server.close();
        broker.close();
    }
}
