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
 */
public record ServerOptions(
        @Nullable Integer port, @Nullable Path config, @Nullable Path definitions, @Nullable Path dataDirectory) {

    /** How to call it. */
    public static final String USAGE =
            "usage: server [--port N] [--config FILE] [--data-dir DIRECTORY] [--definitions FILE]";

    private static final int PORT_MAX = 65_535;

    /**
     * Reads arguments.
     *
     * @throws IllegalArgumentException for one that is unknown, has no value, or cannot be
     */
    public static ServerOptions of(String... arguments) {
        ServerOptions options = new ServerOptions(null, null, null, null);
        for (int i = 0; i < arguments.length; i += 2) {
            if (arguments[i].equals("--help")) {
                throw new IllegalArgumentException("a broker for AMQP clients; runs until it is stopped");
            }
            if (i + 1 == arguments.length && arguments[i].startsWith("--")) {
                throw new IllegalArgumentException(arguments[i] + " needs a value");
            }
            options = options.with(arguments[i], i + 1 < arguments.length ? arguments[i + 1] : "");
        }
        return options;
    }

    private ServerOptions with(String name, String value) {
        return switch (name) {
            case "--port" -> new ServerOptions(port(value), config, definitions, dataDirectory);
            case "--config" -> new ServerOptions(port, Path.of(value), definitions, dataDirectory);
            case "--definitions" -> new ServerOptions(port, config, Path.of(value), dataDirectory);
            case "--data-dir" -> new ServerOptions(port, config, definitions, Path.of(value));
            default -> throw new IllegalArgumentException("'" + name + "' is not an option");
        };
    }

    private static int port(String value) {
        try {
            int port = Integer.parseInt(value);
            if (port >= 0 && port <= PORT_MAX) {
                return port;
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("--port must be a number, was '" + value + "'", notANumber);
        }
        throw new IllegalArgumentException("--port must be from 0 to " + PORT_MAX + ", was " + value);
    }
}
