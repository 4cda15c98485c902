package io.warren.mirroring.ring;

import java.util.Arrays;
import java.util.List;

/**
 * What members say to one another.
 *
 * <p>Every frame names the metadata log and the epoch it was said in. One of another log or epoch changes nothing at its
 * receiver (lemma 7); the one exception is a {@link Hello} that is early, which is kept. The group is the address under which
 * the link delivers a frame, so it is not repeated here.
 *
 * @param <P> type of the payload
 */
public sealed interface Frame<P> {
    /** Metadata log the sender's view comes from. */
    long logId();

    /** Epoch of the view the sender had installed. */
    long epoch();

    /**
     * To the left: this is the last entry of my log, serve me.
     *
     * @param last the last entry of the sender's log, or the last that is not above an answer it did not hold
     */
    record Hello<P>(long logId, long epoch, Position last) implements Frame<P> {}

    /**
     * To the right: entries in log order, and how far everyone has got.
     *
     * @param answer whether this answers a HELLO; without the mark, the tail of an earlier answer that was not accepted
     *     could be mistaken for the new one (the decision note on the ring)
     * @param previous the entry right before the first of these
     * @param entries the entries, perhaps none
     * @param stable highest offset the master has counted stable
     * @param forget highest offset nobody in the ring will ask for again
     */
    record Append<P>(
            long logId, long epoch, boolean answer, Position previous, List<Entry<P>> entries, long stable, long forget)
            implements Frame<P> {}

    /**
     * To a slave's master: please order this.
     *
     * @param sender who broadcasts it
     * @param sequence the sender's number for it
     * @param oldest the sender's lowest number that it has not seen delivered
     */
    record Broadcast<P>(
            long logId, long epoch, Member sender, long sequence, long oldest, boolean persistent, int bytes, P payload)
            implements Frame<P> {}

    /**
     * To the right, and at the end of the in-sync members to the master: what each member so far holds.
     *
     * <p>Two numbers a member in ring order, master first: highest offset received, highest durable. A class, not a record,
     * because of the array.
     */
    final class Have<P> implements Frame<P> {
        private final long logId;
        private final long epoch;
        private final long[] pairs;

        /**
         * A list as it goes out.
         *
         * @param pairs received and durable of each member in turn; owned by the frame from here on
         */
        public Have(long logId, long epoch, long[] pairs) {
            this.logId = logId;
            this.epoch = epoch;
            this.pairs = pairs;
        }

        @Override
        public long logId() {
            return logId;
        }

        @Override
        public long epoch() {
            return epoch;
        }

        /** How many members the list covers. */
        public int memberCount() {
            return pairs.length / 2;
        }

        public long received(int place) {
            return pairs[2 * place];
        }

        public long durable(int place) {
            return pairs[2 * place + 1];
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Have<?> have
                    && have.logId == logId
                    && have.epoch == epoch
                    && Arrays.equals(have.pairs, pairs);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(pairs);
        }

        @Override
        public String toString() {
            return "Have[epoch=" + epoch + ", pairs=" + Arrays.toString(pairs) + "]";
        }
    }
}
