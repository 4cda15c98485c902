package io.warren.mirroring.raft;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a node says of a log it holds.
 *
 * @param node its name
 * @param leads whether it leads the log
 * @param voters who votes, as far as it knows, by name with their addresses; while that changes, those before and those after
 */
record Standing(String node, long logId, boolean leads, Map<String, String> voters) {
    Standing {
        voters = new TreeMap<>(voters);
    }

    /** Where it is reached; who leads votes. */
    String address() {
        String address = voters.get(node);
        if (address == null) {
            throw new IllegalStateException(node + " leads the metadata log without a vote, voters=" + voters.keySet());
        }
        return address;
    }
}
