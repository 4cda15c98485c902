package io.warren.mirroring.ring;

import org.jspecify.annotations.Nullable;

/**
 * What a member remembers of the one to its right: its HELLO, and how far it was served.
 *
 * <p>Nothing is sent before a HELLO of this view was answered, and a link that went down ends that.
 */
final class RightNeighbour {
    private @Nullable Position asking;
    private @Nullable Early early;
    private boolean served;
    private long next;
    private long toldStable;
    private long toldForget;

    /** A HELLO of a view that is not installed here yet. */
    private record Early(String node, long epoch, Position last) {}

    /** A new view: everything is void, save a HELLO that came early for it. */
    void onView(long epoch, @Nullable Member right) {
        served = false;
        asking = null;
        if (early == null || early.epoch > epoch) {
            return;
        }
        if (early.epoch == epoch && right != null && early.node.equals(right.node())) {
            asking = early.last;
        }
        early = null;
    }

    /** A HELLO of a later view; of several only the one of the highest epoch is kept. */
    void onEarlyHello(String node, long epoch, Position last) {
        if (early == null || epoch >= early.epoch) {
            early = new Early(node, epoch, last);
        }
    }

    void onHello(Position last) {
        served = false;
        asking = last;
    }

    void onLinkDown(String node, boolean isRight) {
        if (isRight) {
            served = false;
            asking = null;
        }
        if (early != null && early.node.equals(node)) {
            early = null;
        }
    }

    /** The HELLO that waits for an answer, or null. */
    @Nullable Position asking() {
        return asking;
    }

    /** It was answered: serve from this offset on. */
    void onAnswered(long fromOffset) {
        asking = null;
        served = true;
        next = fromOffset;
        toldStable = 0;
        toldForget = 0;
    }

    boolean isServed() {
        return served;
    }

    /** The first offset not sent yet. */
    long next() {
        return next;
    }

    boolean isTold(long stable, long forget) {
        return toldStable >= stable && toldForget >= forget;
    }

    void onSent(long nextOffset, long stable, long forget) {
        next = nextOffset;
        toldStable = stable;
        toldForget = forget;
    }
}
