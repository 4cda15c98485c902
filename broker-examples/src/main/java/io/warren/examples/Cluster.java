package io.warren.examples;

import io.warren.examples.server.CommandWords;
import io.warren.examples.server.ControlSocket;
import io.warren.examples.server.OfflineForget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Commands a node of a cluster: status, mirrored queues, forget another, leave; or, stopped, go on without lost ones. */
public final class Cluster {

    private static final String USAGE =
            """
            usage: cluster DATA-DIRECTORY status
                   cluster DATA-DIRECTORY queues
                   cluster DATA-DIRECTORY synchronise VHOST QUEUE
                   cluster DATA-DIRECTORY cancel-synchronisation VHOST QUEUE
                   cluster DATA-DIRECTORY move VHOST QUEUE NODE
                   cluster DATA-DIRECTORY aside
                   cluster DATA-DIRECTORY put-back NAME VHOST QUEUE
                   cluster DATA-DIRECTORY delete-aside NAME
                   cluster DATA-DIRECTORY forget NODE [--losing-queues]
                   cluster DATA-DIRECTORY forget --offline NODE... [--losing-queues]
                   cluster DATA-DIRECTORY leave [--losing-queues]""";

    private Cluster() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            System.err.println(USAGE);
            System.exit(2);
        }
        Path directory = Path.of(arguments[0]);
        List<String> command = List.of(arguments).subList(1, arguments.length);
        try {
            System.out.println(
                    OfflineForget.isAskedFor(command)
                            ? OfflineForget.run(directory, command)
                            : ControlSocket.ask(directory, CommandWords.join(command)));
        } catch (IOException | IllegalStateException | IllegalArgumentException refused) {
            System.err.println("cluster: " + refused.getMessage());
            System.exit(1);
        }
    }
}
