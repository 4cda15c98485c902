package io.warren.mirroring.ring;

import java.util.Objects;

/**
 * One member of a group: a node in one of its incarnations.
 *
 * <p>The incarnation is part of the name on purpose. A node that was restarted has forgotten whatever it had not forced to
 * disk, so what its earlier process promised says nothing about what the new one holds.
 *
 * @param node stable name of the node
 * @param incarnation number of this start of its process, at least 1, higher at each start
 */
public record Member(String node, long incarnation) {
    public Member {
        Objects.requireNonNull(node, "node");
        if (incarnation < 1) {
            throw new IllegalArgumentException("incarnation=" + incarnation);
        }
    }

    @Override
    public String toString() {
        return node + "." + incarnation;
    }
}
