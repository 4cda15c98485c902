package io.warren.mirroring.metadata;

import io.warren.core.metadata.Outcome;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.List;
import java.util.Map;

/**
 * Hears of every change as it is applied, in order; a listener implements what it needs. Of one command, first what it said itself (nodes,
 * topology), then which queues it lost, then the views and groups that follow, then which queues moved.
 */
public interface MetadataListener {
    /** A group has a new view. */
    default void onView(String group, View view) {}

    /** A group is gone. */
    default void onGroupDeleted(String group) {}

    /** Processes have ended or started; these are the nodes now. Comes before the views that follow from it. */
    default void onNodes(Map<String, NodeState> nodes) {}

    /**
     * A group of topology commands was applied, for the first time.
     *
     * @param applied number of commands applied with this one
     * @param submitter process that had submitted them
     * @param outcomes what became of each, refusals included
     */
    default void onTopology(long applied, Member submitter, List<Outcome> outcomes) {}

    /**
     * Processes have ended, and with them the queues that were these processes and nothing else: those that are not durable, or
     * exclusive. A mirrored one only with all its members in sync.
     *
     * @param applied number of commands applied with this one
     */
    default void onQueuesLost(long applied, Outcome outcome) {}

    /**
     * Mirrored queues have another master, and so another home. Comes after the views that say so.
     *
     * @param applied number of commands applied with this one
     * @param outcome each move as a change, and the topology with them
     */
    default void onQueuesMoved(long applied, Outcome outcome) {}

    /** A node has told that its readers see everything up to this command. */
    default void onReported(String node, long applied) {}

    /**
     * From here on this node follows this log, and this is where it stands; the changes that follow come on top. The first call of every
     * listener. Later ones mean that another log won: what was heard of the old one is void, and epochs of the two do not compare.
     *
     * @param state a copy, which may be kept
     */
    default void onFollowing(Metadata state) {}
}
