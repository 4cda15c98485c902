package io.warren.mirroring.queue;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Whoever publishes to a mirrored queue: a channel of some node's process, or a queue that dead-letters.
 *
 * @param node the channel's node; empty for a queue, which is none's
 * @param incarnation that node's incarnation; 0 for a queue
 * @param number names the channel within the process, or the queue in the topology
 */
public record ChannelId(String node, long incarnation, long number) implements Comparable<ChannelId> {

    static final int NODE_BYTES_MAX = 1_024;

    public ChannelId {
        Objects.requireNonNull(node, "node");
        if (node.getBytes(StandardCharsets.UTF_8).length > NODE_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "node=" + node.substring(0, 40) + "... is longer than " + NODE_BYTES_MAX + " bytes");
        }
        if (node.isEmpty() ? incarnation != 0 : incarnation < 1) {
            throw new IllegalArgumentException("node=" + node + " incarnation=" + incarnation);
        }
    }

    /** A queue, as what its dead letters are published by: it stays the same whoever is its master. */
    public static ChannelId ofQueue(long queueId) {
        return new ChannelId("", 0, queueId);
    }

    @Override
    public int compareTo(ChannelId other) {
        int byNode = node.compareTo(other.node);
        int byIncarnation = byNode != 0 ? byNode : Long.compare(incarnation, other.incarnation);
        return byIncarnation != 0 ? byIncarnation : Long.compare(number, other.number);
    }

    @Override
    public String toString() {
        return node.isEmpty() ? "queue " + number : node + "." + incarnation + "/" + number;
    }
}
