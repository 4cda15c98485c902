package io.warren.mirroring.node;

import io.warren.mirroring.metadata.NodeState;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which voters are down, as one of them knows it. */
final class Voters {

    private Voters() {}

    /** A node is down if the metadata say so; a witness, or a node that was forgotten and still votes, if there is no link to it. */
    static Set<String> down(String self, Quorum quorum, Map<String, NodeState> nodes, Peers peers) {
        Set<String> down = new HashSet<>(quorum.voters());
        down.remove(self);
        down.removeIf(voter -> {
            NodeState state = nodes.get(voter);
            return state == null ? peers.isLinked(voter) : state.running();
        });
        return down;
    }
}
