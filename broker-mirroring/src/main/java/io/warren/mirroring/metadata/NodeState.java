package io.warren.mirroring.metadata;

import java.util.List;
import java.util.Map;

/**
 * What the metadata know of one node.
 *
 * @param incarnation number of the last start of its process that was registered
 * @param running whether that process counts as running
 * @param address where it can be reached, as registered at that start
 * @param joined place in the order in which nodes joined the cluster, from 1
 * @param stopped whether that process was stopped in order
 */
public record NodeState(long incarnation, boolean running, String address, long joined, boolean stopped) {
    /** A node that was not stopped. */
    public NodeState(long incarnation, boolean running, String address, long joined) {
        this(incarnation, running, address, joined, false);
    }

    /** Of these nodes those that run. */
    public static List<String> namesOfRunning(Map<String, NodeState> nodes) {
        return nodes.entrySet().stream()
                .filter(node -> node.getValue().running())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The same node, running as another incarnation. */
    NodeState again(long newIncarnation) {
        return new NodeState(newIncarnation, true, address, joined);
    }

    /** The same node, its process not counted as running any more: it has to come back as a new incarnation. */
    NodeState ended() {
        return new NodeState(incarnation, false, address, joined, stopped);
    }
}
