package io.warren.mirroring.node;

import io.warren.mirroring.metadata.NodeState;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as one of its nodes knows it.
 *
 * @param node whose knowledge it is
 * @param nodes every node that ever joined, by name
 * @param controller the node that leads the metadata log, or null if none is known
 * @param voters those that vote in it
 * @param paused whether the node serves nobody, because it hears no majority or counts as down
 */
public record ClusterStatus(
        String node, Map<String, NodeState> nodes, @Nullable String controller, Set<String> voters, boolean paused) {

    /** Names of the nodes that run, sorted. */
    public Set<String> running() {
        return new java.util.TreeSet<>(NodeState.namesOfRunning(nodes));
    }
}
