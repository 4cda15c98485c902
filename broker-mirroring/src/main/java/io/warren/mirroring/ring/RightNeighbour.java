package io.warren.mirroring.ring;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member's dealings with the one to its right: the HELLO it keeps, the answer it gives, and how far it has served.
 *
 * <p>Nothing is sent before a HELLO of this view was answered, and a link that went down ends that.
 */
final class RightNeighbour<P> {
    private final long logId;
    private final Log<P> log;
    private final int batchBytes;
    private final RingOutput<P> output;

    private @Nullable Position asking;
    private @Nullable Early early;
    private boolean served;
    /** The first offset not sent yet. */
    private long next;

    private long toldStable;
    private long toldForget;

    /** A HELLO of a view that is not installed here yet. */
    private record Early(String node, long epoch, Position last) {}

    RightNeighbour(long logId, Log<P> log, RingOptions options, RingOutput<P> output) {
        this.logId = logId;
        this.log = log;
        this.batchBytes = options.batchBytes();
        this.output = output;
    }

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

    boolean isServed() {
        return served;
    }

    /**
     * Answers the HELLO that waits, if one does.
     *
     * @param matched highest offset of what counts here
     * @return whether there was one
     */
    boolean answer(Member right, long epoch, long matched, long stable, long forget) {
        if (asking == null) {
            return false;
        }
        next = log.lastNotAbove(asking, matched).offset() + 1;
        asking = null;
        served = true;
        append(right, epoch, true, matched, stable, forget);
        return true;
    }

    /** Sends what counts and was not sent yet, and what the right was not told yet. */
    void serve(Member right, long epoch, long matched, long stable, long forget) {
        while (served && (next <= matched || toldStable < stable || toldForget < forget)) {
            append(right, epoch, false, matched, stable, forget);
        }
    }

    private void append(Member right, long epoch, boolean answer, long matched, long stable, long forget) {
        List<Entry<P>> entries = next > matched ? List.of() : log.batch(next, matched, batchBytes);
        output.send(
                right.node(),
                new Frame.Append<>(logId, epoch, answer, log.position(next - 1), entries, stable, forget));
        next += entries.size();
        toldStable = stable;
        toldForget = forget;
    }
}
