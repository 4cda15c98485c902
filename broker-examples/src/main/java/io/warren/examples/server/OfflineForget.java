package io.warren.examples.server;

import io.warren.mirroring.cluster.StoppedNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The {@code cluster} command for a node that does not run: it is to go on without nodes that are lost for good. */
public final class OfflineForget {
    private static final String OFFLINE = "--offline";
    private static final String LOSING = "--losing-queues";

    private OfflineForget() {}

    /** Whether these words are this command. */
    public static boolean isAskedFor(List<String> words) {
        return words.get(0).equals("forget") && words.contains(OFFLINE);
    }

    /**
     * Says what is lost, and forgets the nodes if that may be.
     *
     * @throws IllegalStateException naming what would be lost and may not
     * @throws IllegalArgumentException if nodes are named that cannot be forgotten
     * @throws IOException if the node runs, or the directory is no node's
     */
    public static String run(Path directory, List<String> words) throws IOException {
        List<String> nodes = words.stream()
                .skip(1)
                .filter(word -> !word.equals(OFFLINE) && !word.equals(LOSING))
                .toList();
        try (StoppedNode node = StoppedNode.open(directory)) {
            List<String> losses = node.losses(nodes);
            if (!losses.isEmpty() && !words.contains(LOSING)) {
                throw new IllegalStateException("without " + nodes + " this would be lost, so it needs " + LOSING
                        + ":\n  " + String.join("\n  ", losses));
            }
            node.forget(nodes, true);
            String lost = losses.isEmpty() ? "nothing" : "\n  " + String.join("\n  ", losses);
            return "node '" + node.name() + "' has forgotten " + nodes + " and can be started alone; lost: " + lost;
        }
    }
}
