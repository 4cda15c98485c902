package io.warren.examples.server;

import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import io.warren.examples.JavaClientLog;
import java.util.List;

/**
 * Loads the classes that a server and its first clients need, and if asked for a {@code node} those besides that it needs as one of a cluster,
 * when it takes over from one that has died. So the JVM can put them into an archive; {@code run} calls it once for each, when it has built.
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
        if (List.of(arguments).contains("node")) {
            Rehearsal.run();
        }
    }
}
