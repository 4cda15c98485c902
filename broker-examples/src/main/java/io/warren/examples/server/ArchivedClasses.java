package io.warren.examples.server;

import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import io.warren.examples.Failover;
import io.warren.examples.JavaClientLog;

/**
 * Loads the classes that a server and its first clients need, and those that a node needs when it takes over from one that
 * has died, so that the JVM can put them into its archive; {@code run} calls it once, when it has built.
 */
final class ArchivedClasses {

    private ArchivedClasses() {}

    public static void main(String[] arguments) throws Exception {
        ServerOptions options = ServerOptions.of("--port", "0");
        ServerSetup setup = ServerConfig.read(options.config());
        try (Broker broker = setup.broker().start();
                AmqpServer server = setup.server(broker, options.port()).start()) {
            System.out.println(server.amqpUri());
            JavaClientLog.main(new String[] {"tcp"});
        }
        Failover.main(new String[0]);
    }
}
