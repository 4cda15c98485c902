package io.warren.mirroring.metadata;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node may still tell anyone anything: it stops before others can have declared it down.
 *
 * <p>It lasts three heartbeat periods, counted from the <em>sending</em> of the last heartbeat that the controller, or a majority of the
 * voters, has answered. A node is declared down after four missed ones, so who is cut off from all of them has fallen silent by
 * then, if clocks run evenly. It is asked at the moment a confirm leaves and before each hand-out. What is safe does not rest on
 * it; it spares consumers messages that a successor hands out as well.
 *
 * <p>Pure; one owner at a time. One number for each node that ever answered.
 */
public final class Lease {
    private static final int PERIODS = 3;

    private final String self;
    private final long lastsNs;
    private final Map<String, Long> answered = new HashMap<>();

    /**
     * A node that nobody has answered yet.
     *
     * @param periodNs time between two heartbeats
     */
    public Lease(String self, long periodNs) {
        this.self = self;
        lastsNs = PERIODS * periodNs;
    }

    /**
     * A node has answered a heartbeat.
     *
     * @param sentNs when that heartbeat was sent, by this node's monotonic clock
     */
    public void onAnswered(String node, long sentNs) {
        answered.merge(node, sentNs, Math::max);
    }

    /** Whether this node may confirm and hand out now. */
    public boolean isHeld(@Nullable String controller, Collection<String> voters, long nowNs) {
        boolean byController = controller != null && !controller.equals(self) && isFresh(controller, nowNs);
        return byController || isMajorityFresh(voters, nowNs);
    }

    private boolean isMajorityFresh(Collection<String> voters, long nowNs) {
        long fresh = voters.stream()
                .filter(voter -> voter.equals(self) || isFresh(voter, nowNs))
                .count();
        return 2 * fresh > voters.size();
    }

    private boolean isFresh(String node, long nowNs) {
        Long sentNs = answered.get(node);
        return sentNs != null && nowNs - sentNs < lastsNs;
    }
}
