package io.warren.test.rounds;

import io.warren.test.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One node of a cluster of processes: a {@link MirroredNode}. */
final class MirroredNodeProcess extends NodeProcess {

    /** Where the queue lives, as a node knows it. */
    record Whereabouts(String master, String controller, List<String> synchronisedSlaves) {}

    /** Where a queue lives and who has copies, as a node knows it; null stands for no master. */
    record Copies(@Nullable String master, List<String> slaves, List<String> synchronisedSlaves, String how) {}

    private static final String NOBODY = "-";
    private static final String EVERYWHERE = "{\"ha-mode\":\"all\",\"ha-sync-mode\":\"automatic\"}";

    private final Path secret;
    private final List<String> seeds;

    MirroredNodeProcess(String name, Path work, Path secret, List<String> seeds) {
        super(name, work);
        this.secret = secret;
        this.seeds = seeds;
    }

    /** Where its clients reach it, cut off from other nodes or not. */
    static String clientHost(String name) {
        return "10.78.0." + number(name);
    }

    /** Starts it and waits until it serves. */
    void start() throws IOException, InterruptedException {
        start(MirroredNode.class, arguments());
    }

    /** Starts it; {@link #awaitReady} waits. */
    void launch() throws IOException {
        launch(MirroredNode.class, arguments());
    }

    private List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(secret.toString(), clientHost(name())));
        arguments.addAll(seeds);
        return arguments;
    }

    /** While it does not run it founds a metadata log without these. */
    void forgetOffline(List<String> lost) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(directory().toString()));
        arguments.addAll(lost);
        run(OfflineForgetting.class, arguments);
    }

    Whereabouts whereabouts() throws IOException, InterruptedException {
        String[] words = ask("queue").split(" ", -1);
        return new Whereabouts(words[1], words[2], listed(words[3]));
    }

    Copies copies(String queue) throws IOException, InterruptedException {
        String[] words = ask("view", queue).split(" ", -1);
        String master = words[1].equals(NOBODY) ? null : words[1];
        return new Copies(master, listed(words[2]), listed(words[3]), words[4]);
    }

    private static List<String> listed(String nodes) {
        return nodes.equals(NOBODY) ? List.of() : List.of(nodes.split(",", -1));
    }

    /** Has every queue mirrored to all nodes from now on, and whoever comes later synchronised by itself. */
    void mirrorEverything() throws IOException, InterruptedException {
        policy("mirrored", EVERYWHERE);
    }

    /**
     * Sets a policy for all queues.
     *
     * @param definition JSON in one line
     * @throws IllegalArgumentException if it is refused
     */
    void policy(String name, String definition) throws IOException, InterruptedException {
        String answer = ask(
                "define",
                "{\"policies\":[{\"vhost\":\"/\",\"name\":\"" + name
                        + "\",\"pattern\":\".*\",\"apply-to\":\"queues\",\"definition\":" + definition + "}]}");
        if (!answer.equals("define []")) {
            throw new IllegalArgumentException(answer);
        }
    }

    void clearPolicy(String name) throws IOException, InterruptedException {
        ask("clear", name);
    }

    void synchronise(String queue) throws IOException, InterruptedException {
        ask("synchronise", queue);
    }

    /** Nodes of which this one knows that they run, itself among them; none while it is paused. */
    List<String> running() throws IOException, InterruptedException {
        String[] words = ask("status").split(" ", -1);
        return words[1].equals("paused") ? List.of() : List.of(words).subList(2, words.length);
    }

    /** What its broker counts as held by messages, and the heap in use behind a collection. */
    record Memory(long countedBytes, long heapBytes) {}

    Memory memory() throws IOException, InterruptedException {
        String[] words = ask("memory").split(" ", -1);
        return new Memory(Long.parseLong(words[1]), Long.parseLong(words[2]));
    }

    /** How many queues each node leads, as this one knows; {@code -} for those that nobody leads. */
    Map<String, Integer> masters() throws IOException, InterruptedException {
        Map<String, Integer> counts = new TreeMap<>();
        for (String word : ask("masters").split(" ", -1)) {
            int at = word.indexOf('=');
            if (at > 0) {
                counts.put(word.substring(0, at), Integer.parseInt(word.substring(at + 1)));
            }
        }
        return counts;
    }
}
