package io.warren.mirroring.node;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.NodeState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has members promoted that do not hold everything, where this node is the controller, nobody who does is up, and the queue's policy says {@code always}.
 *
 * <p>Not at once: a connection that is refused proves that a process has ended, but not that it will not be back. A queue waits until its master
 * would have been found silent and its lease is over, which is the time that any other death takes; and after a start of this node until the window is
 * over in which the others are waited for. A controller that takes over counts anew. Ticked by its owner; one row for each queue that waits.
 */
final class UnsynchronisedPromotions {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.node");

    /** Four missed heartbeats, and three of a lease. */
    private static final int PERIODS = 7;

    private final MetadataStore store;
    private final long waitNs;
    private final long notBeforeNs;
    /** Since when each group is known to be one that waits. */
    private final Map<String, Long> sinceNs = new HashMap<>();

    private record Candidates(long logId, List<Command.Claim> claims, Map<String, String> queues) {}

    /**
     * @param periodNs time between two heartbeats
     * @param notBeforeNs when the window is over in which a start waits for others
     */
    UnsynchronisedPromotions(MetadataStore store, long periodNs, long notBeforeNs) {
        this.store = store;
        this.waitNs = PERIODS * periodNs;
        this.notBeforeNs = notBeforeNs;
    }

    /** @param isController whether this node leads the metadata and hears a majority */
    void onTick(long nowNs, boolean isController) {
        if (!isController) {
            sinceNs.clear();
            return;
        }
        Candidates candidates = store.read(UnsynchronisedPromotions::candidates);
        sinceNs.keySet().retainAll(candidates.queues().keySet());
        List<Command.Claim> due = new ArrayList<>();
        for (Command.Claim claim : candidates.claims()) {
            long since = sinceNs.computeIfAbsent(claim.group(), first -> nowNs);
            if (nowNs - since >= waitNs && nowNs >= notBeforeNs) {
                due.add(claim);
                LOG.warn(
                        "queue '{}' is to be led by node '{}', which does not hold everything: nobody who does is up, and its policy says"
                                + " always",
                        candidates.queues().get(claim.group()),
                        claim.member().node());
            }
        }
        if (!due.isEmpty()) {
            store.submit(new Command.Promote(candidates.logId(), due), result -> {});
        }
    }

    private static Candidates candidates(Metadata metadata) {
        List<Command.Claim> claims = metadata.unsynchronisedPromotions(node -> wasStopped(metadata, node));
        Map<String, String> queues = new HashMap<>();
        claims.forEach(claim -> queues.put(claim.group(), metadata.queueOf(claim.group())));
        return new Candidates(metadata.logId().id(), claims, queues);
    }

    private static boolean wasStopped(Metadata metadata, String node) {
        NodeState state = metadata.node(node);
        return state != null && state.stopped();
    }
}
