package io.warren.mirroring.ring;

import java.util.ArrayList;
import java.util.List;

/**
 * A master's part of a member, from its promotion until it is master no more: it orders, counts, proposes, and finds who lags.
 *
 * <p>It shares the member's log and output, and asks for everything else. A member that was proposed counts into stable from that
 * moment until the next view, whatever became of the proposal: an unknown result may still take effect, and once the epoch has changed
 * it cannot (lemma 8).
 */
final class Reign<P> {
    private final long epoch;
    private final long openedAt;
    private final Member self;
    private final RingOptions options;
    private final Log<P> log;
    private final RingOutput<P> output;
    private final Senders senders;
    /** Bytes of the entries above stable. */
    private long unstableBytes;

    // In the present view.
    private View view;
    private Holdings holdings;
    private LagWatch lag;
    /** Places in the ring. */
    private final List<Integer> proposed = new ArrayList<>();
    /** Up to here it has looked for entries that may be forgotten. */
    private long forgetScanned;

    /** A promotion: the view is the first entry. */
    Reign(View view, Holdings holdings, Log<P> log, long stable, RingOptions options, RingOutput<P> output) {
        self = view.inSync().get(0);
        this.options = options;
        this.log = log;
        this.output = output;
        epoch = view.reign();
        senders = log.sendersAt(log.lastOffset());
        for (long offset = Math.max(stable, log.base().offset()) + 1; offset <= log.lastOffset(); offset++) {
            unstableBytes += log.at(offset).bytes();
        }
        this.view = view;
        this.holdings = holdings;
        lag = new LagWatch(holdings.memberCount(), options.lagLimitNs());
        forgetScanned = log.base().offset();
        openedAt = log.lastOffset() + 1;
        append(Entry.ofView(new Position(epoch, openedAt), self, view));
    }

    long epoch() {
        return epoch;
    }

    /** A view that keeps the master: what was proposed in the old one is settled either way. */
    void onView(View next, Holdings ofNext) {
        view = next;
        holdings = ofNext;
        lag = new LagWatch(holdings.memberCount(), options.lagLimitNs());
        proposed.clear();
        forgetScanned = log.base().offset();
    }

    // ---------------------------------------------------------------------------------------------------- ordering

    /** Orders what was broadcast here and is not in the log yet, as far as the window has room; true if there was any. */
    boolean orderOwn(Outbox<P> outbox) {
        boolean ordered = false;
        long oldest = outbox.firstSequence();
        long sequence = Math.max(senders.highest(self) + 1, oldest);
        while (sequence <= outbox.lastSequence()) {
            Outbox.Pending<P> next = outbox.get(sequence);
            if (!order(self, sequence, oldest, next.persistent(), next.bytes(), next.payload())) {
                break;
            }
            ordered = true;
            sequence++;
        }
        return ordered;
    }

    /** Orders a broadcast if it is its sender's next one and the window has room; if not, the sender will send it again. */
    void order(Frame.Broadcast<P> next) {
        order(next.sender(), next.sequence(), next.oldest(), next.persistent(), next.bytes(), next.payload());
    }

    private boolean order(Member sender, long sequence, long oldest, boolean persistent, int bytes, P payload) {
        if (unstableBytes >= options.windowBytes() || !senders.isNext(sender, sequence, oldest)) {
            return false;
        }
        Position position = new Position(epoch, log.lastOffset() + 1);
        Entry<P> entry = new Entry<>(position, sender, sequence, persistent, bytes, payload, null);
        senders.onEntry(entry);
        append(entry);
        return true;
    }

    private void append(Entry<P> entry) {
        log.append(entry);
        unstableBytes += entry.bytes();
        output.append(entry);
    }

    // ---------------------------------------------------------------------------------------------------- counting

    /** The highest offset that may be called stable, at least what is: nothing moves below the limit. */
    long countStable(long stable) {
        return view.isAtLimit() ? Math.max(stable, leastDurable()) : stable;
    }

    /** The least durable offset of all that stable has to wait for. */
    private long leastDurable() {
        long least = Long.MAX_VALUE;
        for (int place = 0; place < view.inSync().size(); place++) {
            least = Math.min(least, holdings.durable(place));
        }
        for (int place : proposed) {
            least = Math.min(least, holdings.durable(place));
        }
        return least;
    }

    /** Stable has moved: there is room in the window again. */
    void onStable(long from, long to) {
        for (long at = from + 1; at <= to; at++) {
            unstableBytes -= log.at(at).bytes();
        }
    }

    /** The highest offset nobody will ask for again, at least what it was. */
    long countForget(long stable, long forget) {
        long reached = forget;
        long limit = Math.min(stable, holdings.leastReceived());
        if (limit >= log.base().offset()) {
            reached = Math.max(reached, log.base().offset());
        }
        while (forgetScanned < limit) {
            forgetScanned++;
            // Only up to an entry that everyone had to force: see "what is never forgotten" in the essay.
            if (log.at(forgetScanned).persistent()) {
                reached = forgetScanned;
            }
        }
        return reached;
    }

    // ------------------------------------------------------------------------------------------- changes of the set

    /** Proposes whoever holds everything stable and the entry that opened this reign. */
    void propose(long stable) {
        List<Member> others = view.others();
        for (int at = 0; at < others.size(); at++) {
            int place = view.inSync().size() + at;
            if (!proposed.contains(place) && holdings.durable(place) >= Math.max(stable, openedAt)) {
                proposed.add(place);
                output.proposeInSync(view.epoch(), others.get(at));
            }
        }
    }

    /** Whether nobody can come to lag by the passing of time alone. */
    boolean isAtRest() {
        for (int place = 0; place < holdings.memberCount(); place++) {
            if (holdings.durable(place) < log.lastOffset()) {
                return false;
            }
        }
        return true;
    }

    /** Proposes to remove the first in ring order that lags. */
    void watchLag(long nowNs) {
        int inSyncCount = view.inSync().size();
        for (int place = 1; place < holdings.memberCount(); place++) {
            boolean needed = place < inSyncCount || proposed.contains(place);
            long held = needed ? holdings.durable(place) : holdings.received(place);
            if (lag.isLagging(place, held, needed, log.lastOffset(), nowNs)) {
                if (lag.tellOnce(place)) {
                    output.proposeLagging(view.epoch(), view.ring().get(place));
                }
                // Whoever stands behind it may only be waiting for it; the next view will show.
                return;
            }
        }
    }
}
