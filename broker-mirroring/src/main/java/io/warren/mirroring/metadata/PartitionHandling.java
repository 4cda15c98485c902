package io.warren.mirroring.metadata;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a node does that hears no majority of the voters: {@code cluster_partition_handling}. */
public enum PartitionHandling {
    /** It pauses until it hears one again. Nothing confirmed is lost. */
    QUORUM,
    /**
     * Of two nodes the one that is left founds a new metadata log and goes on. If it was not the other that died but the link between
     * them, both go on, and what the one of them confirmed is set aside when they meet again.
     */
    IGNORE;

    /**
     * Why this cannot be set, or null. With three nodes or a witness there is a majority that can go on without losing anything.
     *
     * @param nodes nodes that hold queues
     * @param voters nodes that vote, a witness included
     */
    public @Nullable String refusal(Collection<String> nodes, Collection<String> voters) {
        boolean two = nodes.size() <= 2 && nodes.containsAll(voters);
        return this == QUORUM || two
                ? null
                : "ignore is for clusters of two nodes without a witness, this one has nodes=" + nodes + " voters="
                        + voters + "; use quorum";
    }

    /**
     * Whether a node that has just seen the other die goes on alone by itself, without an operator.
     *
     * @param known what the node knows
     * @param voters who votes in its metadata log
     * @param wasServing whether it was serving when it saw the other die. A node that starts alone may be the one that died first, and
     *     know nothing of what the other confirmed since
     */
    public boolean isFoundedBy(String node, Metadata known, Set<String> voters, boolean wasServing) {
        return this == IGNORE
                && refusal(known.nodes().keySet(), voters) == null
                && voters.contains(node)
                && wasServing
                // Whoever founds drops the groups it does not hold; that much only an operator may decide.
                && known.notHeldBy(node).isEmpty();
    }
}
