package io.warren.examples.server;

import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import java.io.IOException;
import java.util.List;

/** What the command line asked for, until it is closed: a broker that clients reach over AMQP, or a witness. */
public final class RunningServer implements AutoCloseable {

    private final String announcement;
    private final List<Runnable> closings;

    /** @param closings what ends it, in order */
    private RunningServer(String announcement, Runnable... closings) {
        this.announcement = announcement;
        this.closings = List.of(closings);
    }

    /**
     * Starts what the command line asks for; it does its work when this returns.
     *
     * @throws IllegalArgumentException for a file that is not as it should be
     * @throws IllegalStateException if a node is not taken into its cluster
     * @throws IOException if a directory or a port cannot be used
     */
    public static RunningServer start(ServerOptions options) throws IOException {
        ServerSetup setup = ServerConfig.read(options.config());
        if (options.node().isWitness()) {
            return new RunningServer("witness " + options.node().name(), ServedNode.startWitness(options));
        }
        if (options.node().isNode()) {
            if (options.node().isRehearsed()) {
                Rehearsal.tryTo();
            }
            ServedNode node = ServedNode.start(options, setup);
            return listening(setup, options, node.broker(), node::close);
        }
        Broker broker = setup.broker(options.dataDirectory()).start();
        return listening(setup, options, broker, broker::close);
    }

    private static RunningServer listening(
            ServerSetup setup, ServerOptions options, Broker broker, Runnable closeBehind) {
        try {
            setup.importDefinitions(broker, options.definitions());
            AmqpServer server = setup.server(broker, options.port()).start();
            return new RunningServer(server.amqpUri(), server::close, closeBehind);
        } catch (RuntimeException failed) {
            // A node that cannot serve must not go on counting as one of the cluster.
            closeBehind.run();
            throw failed;
        }
    }

    /** The line to print: where clients connect, if any can. */
    public String announcement() {
        return announcement;
    }

    @Override
    public void close() {
        closings.forEach(Runnable::run);
    }
}
