package io.warren.test.rounds;

import io.warren.test.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One node of {@link MirroredRounds}. */
final class MirroredNodeProcess extends NodeProcess {

    /** Where the queue lives, as a node knows it. */
    record Whereabouts(String master, String controller, List<String> synchronisedSlaves) {}

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

    Whereabouts whereabouts() throws IOException, InterruptedException {
        String[] words = ask("queue").split(" ", -1);
        List<String> slaves = words[3].equals("-") ? List.of() : List.of(words[3].split(",", -1));
        return new Whereabouts(words[1], words[2], slaves);
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
