package io.warren.mirroring.ring;

import java.util.ArrayList;
import java.util.List;

/**
 * What a master keeps: since its promotion the senders, and for the present view who was proposed and who lags.
 *
 * <p>A member that was proposed counts into stable from that moment until the next view, whatever became of the proposal: an
 * unknown result may still take effect, and once the epoch has changed it cannot (lemma 8).
 */
final class Reign {
    private final long epoch;
    private final long openedAt;
    private final Senders senders;
    private final List<Integer> proposed = new ArrayList<>();
    private LagWatch lag;

    /**
     * @param epoch epoch of the promotion
     * @param openedAt offset of the view entry that opened the reign
     * @param senders the senders table up to the end of the log
     */
    Reign(long epoch, long openedAt, Senders senders, LagWatch lag) {
        this.epoch = epoch;
        this.openedAt = openedAt;
        this.senders = senders;
        this.lag = lag;
    }

    long epoch() {
        return epoch;
    }

    long openedAt() {
        return openedAt;
    }

    Senders senders() {
        return senders;
    }

    LagWatch lag() {
        return lag;
    }

    /** A view that keeps the master: what was proposed in the old one is settled either way. */
    void onView(LagWatch newLag) {
        proposed.clear();
        lag = newLag;
    }

    boolean isProposed(int place) {
        return proposed.contains(place);
    }

    void onProposed(int place) {
        proposed.add(place);
    }

    /** The least durable offset of all that stable has to wait for. */
    long leastDurable(Holdings holdings, int inSyncCount) {
        long least = Long.MAX_VALUE;
        for (int place = 0; place < inSyncCount; place++) {
            least = Math.min(least, holdings.durable(place));
        }
        for (int place : proposed) {
            least = Math.min(least, holdings.durable(place));
        }
        return least;
    }
}
