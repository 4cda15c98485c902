package io.warren.examples;

import io.warren.examples.server.ControlSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** Commands a running node of a cluster: status, forget a node that is down, leave. */
public final class Cluster {

    private static final String USAGE =
            """
            usage: cluster DATA-DIRECTORY status
                   cluster DATA-DIRECTORY forget NODE [--losing-queues]
                   cluster DATA-DIRECTORY leave [--losing-queues]""";

    private Cluster() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            System.err.println(USAGE);
            System.exit(2);
        }
        String command = String.join(" ", Arrays.asList(arguments).subList(1, arguments.length));
        try {
            System.out.println(ControlSocket.ask(Path.of(arguments[0]), command));
        } catch (IOException | IllegalStateException refused) {
            System.err.println("cluster: " + refused.getMessage());
            System.exit(1);
        }
    }
}
