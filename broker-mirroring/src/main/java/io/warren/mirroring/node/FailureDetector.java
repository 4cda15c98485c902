package io.warren.mirroring.node;

/**
 * Which nodes have been silent for too long.
 *
 * <p>A node is down after four missed heartbeats. Whose own tick comes later than twice its period was itself away, and starts anew
 * before it judges anyone. Pure; one owner at a time.
 */
final class FailureDetector {
    private static final int PERIODS = 4;

    private final long periodNs;
    private long lastTickNs;
    private long sinceNs;

    /** @param periodNs time between two heartbeats */
    FailureDetector(long periodNs, long nowNs) {
        this.periodNs = periodNs;
        lastTickNs = nowNs;
        sinceNs = nowNs;
    }

    void onTick(long nowNs) {
        if (nowNs - lastTickNs > 2 * periodNs) {
            sinceNs = nowNs;
        }
        lastTickNs = nowNs;
    }

    /** Whether a node counts as down that was last heard then. */
    boolean isDown(long heardNs, long nowNs) {
        return nowNs - Math.max(heardNs, sinceNs) > PERIODS * periodNs;
    }
}
