package io.warren.test.rounds;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.amqp.server.AmqpServer;
import io.warren.core.QueueView;
import io.warren.core.VhostView;
import io.warren.management.definitions.BrokerDefinitions;
import io.warren.mirroring.cluster.ClusterNode;
import io.warren.mirroring.cluster.ClusterSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A node of a cluster that mirrors, as a process: {@code MirroredNode NODE HOST PORT DIRECTORY SECRET-FILE CLIENT-HOST [SEED]...}.
 *
 * <p>Clients come to port 5672 of CLIENT-HOST. On standard input it takes commands, each answered with a line that begins with the same word; it stops in order
 * when that ends. {@code -} stands for what is not there.
 *
 * <ul>
 *   <li>{@code queue}: {@code queue MASTER CONTROLLER SYNCHRONISED-SLAVES} of the queue {@link #QUEUE}
 *   <li>{@code masters}: a word NODE=QUEUES for each node that leads any
 *   <li>{@code view QUEUE}: {@code view MASTER SLAVES SYNCHRONISED-SLAVES HOW}, where how is {@code mirrored}, {@code plain} or {@code gone}
 *   <li>{@code define DEFINITIONS}: adds what RabbitMQ's JSON defines; answered with what of it is refused
 *   <li>{@code clear POLICY}
 *   <li>{@code synchronise QUEUE}
 *   <li>{@code memory}: {@code memory COUNTED-BYTES HEAP-BYTES}, what the broker counts and what of the heap is in use after a collection
 *   <li>{@code status}: {@code status serving} or {@code status paused}, and the nodes that run
 * </ul>
 */
final class MirroredNode {
    static final String QUEUE = "orders";
    static final int CLIENT_PORT = 5672;
    /** Half a minute in place of five: before it is over nobody is promoted that does not hold everything. */
    private static final Duration START_TRY = Duration.ofSeconds(15);

    private static final int START_TRIES = 2;
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
                .adapt(node -> node.heartbeat(heartbeat(node.heartbeat()))
                        .startWindow(START_TRY, START_TRIES)
                        .broker(builder -> builder.dataDirectory(directory.resolve("queues"))));
        try (ClusterNode node = ClusterNode.start(settings);
                AmqpServer server = AmqpServer.builder(node.broker())
                        .address(InetAddress.getByName(arguments[5]))
                        .port(CLIENT_PORT)
                        .loopbackUsers()
                        .start()) {
            System.out.println("at " + server.amqpUri());
            System.out.println("ready");
            obey(node);
        }
    }

    /** On a machine that is busy with other things, nodes that are to be measured must not take each other for dead. */
    private static Duration heartbeat(Duration usual) {
        String asked = System.getenv("HEARTBEAT_MS");
        return asked == null ? usual : Duration.ofMillis(Long.parseLong(asked));
    }

    private static void obey(ClusterNode node) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            int space = line.indexOf(' ');
            String rest = space < 0 ? "" : line.substring(space + 1);
            System.out.println(
                    switch (space < 0 ? line : line.substring(0, space)) {
                        case "queue" -> where(node);
                        case "masters" -> masters(node);
                        case "view" -> view(node, rest);
                        case "define" -> define(node, rest);
                        case "clear" -> clear(node, rest);
                        case "synchronise" -> synchronise(node, rest);
                        case "status" -> status(node);
                        case "memory" -> memory(node);
                        default -> "what is " + line;
                    });
        }
    }

    private static String view(ClusterNode node, String name) {
        QueueView queue = node.broker().vhost("/").queue(name);
        String how = queue.isMirrored() ? "mirrored" : queue.exists() ? "plain" : "gone";
        return "view " + known(queue.home()) + " " + listed(queue.slaves()) + " " + listed(queue.synchronisedSlaves())
                + " " + how;
    }

    private static String define(ClusterNode node, String definitions) throws IOException {
        return "define "
                + BrokerDefinitions.importFrom(new StringReader(definitions), node.broker())
                        .refused();
    }

    private static String clear(ClusterNode node, String policy) {
        node.broker().administration().clearPolicy("/", policy);
        return "clear " + policy;
    }

    private static String synchronise(ClusterNode node, String queue) {
        node.synchronise("/", queue);
        return "synchronise " + queue;
    }

    private static String status(ClusterNode node) {
        StringBuilder answer = new StringBuilder(node.status().paused() ? "status paused" : "status serving");
        node.status().nodes().forEach((name, state) -> answer.append(state.running() ? " " + name : ""));
        return answer.toString();
    }

    private static String where(ClusterNode node) {
        QueueView queue = node.broker().vhost("/").queue(QUEUE);
        return "queue " + known(queue.home()) + " " + known(node.status().controller()) + " "
                + listed(queue.synchronisedSlaves());
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

    private static String listed(List<String> nodes) {
        return nodes.isEmpty() ? NOBODY : String.join(",", nodes);
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
