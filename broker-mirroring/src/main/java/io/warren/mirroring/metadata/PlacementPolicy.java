package io.warren.mirroring.metadata;

import java.util.List;

/** Where a policy wants the copies of a queue: {@code ha-mode} with its parameter. */
public sealed interface PlacementPolicy {
    /** A copy on every running node. */
    record All() implements PlacementPolicy {}

    /**
     * This many copies, the master's included; fewer if there are fewer nodes.
     *
     * @param count at least 1
     */
    record Exactly(int count) implements PlacementPolicy {
        public Exactly {
            if (count < 1) {
                throw new IllegalArgumentException("count=" + count);
            }
        }
    }

    /** Copies on these nodes, as far as they run. */
    record Nodes(List<String> nodes) implements PlacementPolicy {
        public Nodes {
            nodes = List.copyOf(nodes);
            if (nodes.isEmpty()) {
                throw new IllegalArgumentException("nodes=[]");
            }
        }
    }
}
