package io.warren.mirroring.ring;

/** Where a member stands in the view it has installed. */
public enum Phase {
    /** No view, or not in its ring: it neither sends nor counts anything. */
    OUTSIDE,
    /** A slave that has said HELLO, or will when the link comes up, and was not answered yet in this view. */
    ASKING,
    /** A slave whose left has forgotten what it needs: it waits to be synchronised. */
    BEHIND,
    /** A slave that knows its common point with its left: what it holds up to there counts. */
    FOLLOWING,
    /** The master. */
    LEADING
}
