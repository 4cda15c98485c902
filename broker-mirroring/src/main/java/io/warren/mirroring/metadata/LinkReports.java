package io.warren.mirroring.metadata;

/** What the nodes have reported of the links between them. */
@FunctionalInterface
public interface LinkReports {
    /** Whether both ends have reported the link up, for a detection time. A node is linked with itself. */
    boolean isUp(String oneNode, String otherNode);
}
