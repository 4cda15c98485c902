package io.warren.mirroring.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads what clients published and what they were told, and what the members delivered in the end; reports lost, doubled and
 * reordered.
 *
 * <p>It knows nothing of epochs, rings or views.
 */
final class HistoryChecker {
    /** One publish. */
    private record Published(String sender, long sequence, boolean persistent) {}

    private final Map<Integer, Published> published = new HashMap<>();
    private final Set<Integer> confirmed = new HashSet<>();

    void onPublished(int id, String sender, long sequence, boolean persistent) {
        published.put(id, new Published(sender, sequence, persistent));
    }

    void onConfirmed(int id) {
        confirmed.add(id);
    }

    /**
     * Compares with what a member has delivered, in order.
     *
     * @param mayHaveLost whether something was allowed to be lost: transient ones after a return from disk
     * @param checkLost false when an operator founded a new log, which may lose anything
     */
    List<String> report(List<Integer> delivered, boolean mayHaveLost, boolean checkLost) {
        List<String> wrong = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        Map<String, Long> last = new HashMap<>();
        for (int id : delivered) {
            Published one = published.get(id);
            if (one == null) {
                wrong.add("never published: " + id);
                continue;
            }
            if (!seen.add(id)) {
                wrong.add("doubled: " + id);
            }
            long before = last.getOrDefault(one.sender, 0L);
            if (one.sequence < before) {
                wrong.add("reordered: " + id + " of " + one.sender);
            }
            last.put(one.sender, one.sequence);
        }
        published.forEach((id, one) -> {
            boolean hadToStay = one.persistent || !mayHaveLost;
            if (checkLost && confirmed.contains(id) && hadToStay && !seen.contains(id)) {
                wrong.add("lost: " + id + " of " + one.sender + ", which was confirmed");
            }
        });
        return wrong;
    }
}
