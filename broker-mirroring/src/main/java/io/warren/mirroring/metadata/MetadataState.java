package io.warren.mirroring.metadata;

import io.warren.core.metadata.Definitions;
import io.warren.mirroring.ring.View;
import java.util.Map;

/**
 * Everything a replica of the metadata holds, as a value: what a snapshot keeps and what a new log begins with.
 *
 * @param applied number of commands applied, those of the logs this one descends from included
 * @param mirrorsQueues whether queues are mirrored as their policies ask, for as long as the cluster lives
 * @param submitted of each node the number of the topology group that was applied last
 */
public record MetadataState(
        LogId logId,
        long applied,
        boolean mirrorsQueues,
        Map<String, NodeState> nodes,
        Map<String, GroupState> groups,
        Map<String, Submitted> submitted,
        Definitions topology) {
    public MetadataState {
        nodes = Map.copyOf(nodes);
        groups = Map.copyOf(groups);
        submitted = Map.copyOf(submitted);
        if (applied < 0) {
            throw new IllegalArgumentException("applied=" + applied);
        }
    }

    /**
     * One group.
     *
     * @param durable whether it outlives the loss of all its in-sync members
     */
    public record GroupState(boolean durable, View view) {}

    /**
     * What came last from one node.
     *
     * @param incarnation process that submitted it
     * @param sequence its number at that process
     */
    public record Submitted(long incarnation, long sequence) {}
}
