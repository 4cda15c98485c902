package io.warren.examples.server;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks of a server.
 *
 * <p>Read by hand: a library for it would take longer to load than the broker takes to start.
 *
 * @param port where to listen, 0 for a free port, null for where the settings say
 * @param config settings to apply, or null
 * @param definitions what to import before clients can connect, or null
 * @param dataDirectory where topology and messages are kept, or null for memory
 * @param node its place in a cluster; without a name for a broker by itself
 */
public record ServerOptions(
        @Nullable Integer port,
        @Nullable Path config,
        @Nullable Path definitions,
        @Nullable Path dataDirectory,
        NodeOptions node) {

    /** How to call it. */
    public static final String USAGE =
            """
            usage: server [--port N] [--config FILE] [--data-dir DIRECTORY] [--definitions FILE]
                   [--node NAME --cluster-port N --cluster-secret-file FILE [--cluster-host HOST] [--join HOST:PORT]...
                    [--partition-handling quorum|ignore] [--witness | --no-rehearsal]]""";

    private static final int PORT_MAX = 65_535;

    /**
     * Reads arguments.
     *
     * @throws IllegalArgumentException for one that is unknown, has no value, or cannot be
     */
    public static ServerOptions of(String... arguments) {
        ServerOptions options = new ServerOptions(null, null, null, null, NodeOptions.NONE);
        int at = 0;
        while (at < arguments.length) {
            String name = arguments[at++];
            if (name.equals("--help")) {
                throw new IllegalArgumentException("a broker for AMQP clients; runs until it is stopped");
            }
            if (name.equals("--witness")) {
                options = options.at(options.node.witness());
                continue;
            }
            if (name.equals("--no-rehearsal")) {
                options = options.at(options.node.unrehearsed());
                continue;
            }
            if (at == arguments.length && name.startsWith("--")) {
                throw new IllegalArgumentException(name + " needs a value");
            }
            options = options.with(name, at < arguments.length ? arguments[at++] : "");
        }
        options.node.check(options.dataDirectory);
        return options;
    }

    private ServerOptions with(String name, String value) {
        return switch (name) {
            case "--port" -> new ServerOptions(port(name, value), config, definitions, dataDirectory, node);
            case "--config" -> new ServerOptions(port, Path.of(value), definitions, dataDirectory, node);
            case "--definitions" -> new ServerOptions(port, config, Path.of(value), dataDirectory, node);
            case "--data-dir" -> new ServerOptions(port, config, definitions, Path.of(value), node);
            default -> at(node.with(name, value));
        };
    }

    private ServerOptions at(NodeOptions place) {
        return new ServerOptions(port, config, definitions, dataDirectory, place);
    }

    static int port(String name, String value) {
        try {
            int port = Integer.parseInt(value);
            if (port >= 0 && port <= PORT_MAX) {
                return port;
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(name + " must be a number, was '" + value + "'", notANumber);
        }
        throw new IllegalArgumentException(name + " must be from 0 to " + PORT_MAX + ", was " + value);
    }
}
