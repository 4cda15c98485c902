package io.warren.mirroring.link.tcp;

import java.util.HashMap;
import java.util.Map;

/**
 * By which numbers two ends tell a connection that replaces their link from one that only duplicates it. Owned by the links' thread.
 *
 * <p>A link has the number that the node with the lower name gave it. An end says in its HELLO which link it has <em>lost</em>, be it the one
 * that dials or the other: if that is the one which the lower name still has, it is over, whether this end has noticed or not.
 *
 * <p>Size: two numbers for each node that was ever linked.
 */
final class LinkNumbers {
    private final Map<String, Long> up = new HashMap<>();
    private final Map<String, Long> last = new HashMap<>();

    void onUp(String node, long number) {
        up.put(node, number);
        last.put(node, number);
    }

    /** That link is down; perhaps the next is up already. */
    void onDown(String node, long number) {
        up.remove(node, number);
    }

    /** For a HELLO: the last link with a node, if this end has lost it; 0 while it has one, and before the first. */
    long lost(String node) {
        return up.containsKey(node) ? 0 : last.getOrDefault(node, 0L);
    }

    /** Whether there is a link with a node that this has not lost, as it says itself. */
    boolean isDuplicate(String node, long lostByNode) {
        Long present = up.get(node);
        return present != null && present != lostByNode;
    }
}
