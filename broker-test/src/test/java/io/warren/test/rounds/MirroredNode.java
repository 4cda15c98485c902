package io.warren.test.rounds;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.amqp.server.AmqpServer;
import io.warren.core.QueueView;
import io.warren.core.VhostView;
import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Policy;
import io.warren.mirroring.cluster.ClusterNode;
import io.warren.mirroring.cluster.ClusterSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A node whose queues are mirrored to all others, as a process: {@code MirroredNode NODE HOST PORT DIRECTORY SECRET-FILE CLIENT-HOST
 * [SEED]...}.
 *
 * <p>Clients come to port 5672 of CLIENT-HOST. On standard input it takes {@code queue}, answered with {@code queue MASTER CONTROLLER
 * SYNCHRONISED-SLAVES}, and {@code masters}, answered with {@code masters} and a word NODE=QUEUES for each node that leads any; and {@code
 * memory}, answered with {@code memory COUNTED-BYTES HEAP-BYTES}. It stops in order when that ends.
 */
final class MirroredNode {
    static final String QUEUE = "orders";
    static final int CLIENT_PORT = 5672;
    private static final String NOBODY = "-";

    private MirroredNode() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[3]);
        ClusterSettings settings = ClusterSettings.of(
                        arguments[0],
                        arguments[1],
                        Integer.parseInt(arguments[2]),
                        directory,
                        Files.readString(Path.of(arguments[4])).strip())
                .join(List.of(arguments).subList(6, arguments.length))
                .adapt(node -> node.broker(builder -> builder.dataDirectory(directory.resolve("queues"))));
        try (ClusterNode node = ClusterNode.start(settings);
                AmqpServer server = AmqpServer.builder(node.broker())
                        .address(InetAddress.getByName(arguments[5]))
                        .port(CLIENT_PORT)
                        .loopbackUsers()
                        .start()) {
            if (arguments.length == 6) {
                mirror(node);
            }
            System.out.println("at " + server.amqpUri());
            System.out.println("ready");
            obey(node);
        }
    }

    private static void mirror(ClusterNode node) {
        Map<String, Object> everywhere = Map.of("ha-mode", "all", "ha-sync-mode", "automatic");
        node.broker()
                .administration()
                .setPolicy("/", new Policy("mirrored", ".*", Policy.AppliesTo.QUEUES, 0, FieldTable.of(everywhere)));
    }

    private static void obey(ClusterNode node) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(
                    switch (line) {
                        case "queue" -> where(node);
                        case "masters" -> masters(node);
                        case "memory" -> memory(node);
                        default -> "what is " + line;
                    });
        }
    }

    private static String where(ClusterNode node) {
        QueueView queue = node.broker().vhost("/").queue(QUEUE);
        List<String> slaves = queue.synchronisedSlaves();
        return "queue " + known(queue.home()) + " " + known(node.status().controller()) + " "
                + (slaves.isEmpty() ? NOBODY : String.join(",", slaves));
    }

    private static String masters(ClusterNode node) {
        Map<String, Integer> counts = new TreeMap<>();
        VhostView all = node.broker().vhost("/");
        all.queueNames().forEach(queue -> counts.merge(known(all.queue(queue).home()), 1, Integer::sum));
        StringBuilder answer = new StringBuilder("masters ");
        counts.forEach(
                (name, count) -> answer.append(name).append('=').append(count).append(' '));
        return answer.toString();
    }

    /** What the broker counts, and the heap in use when what nobody uses is gone. */
    private static String memory(ClusterNode node) {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return "memory " + node.broker().administration().memoryBytes() + " "
                + (runtime.totalMemory() - runtime.freeMemory());
    }

    private static String known(String name) {
        return name == null ? NOBODY : name;
    }
}
