package io.warren.mirroring.transfer;

import io.warren.mirroring.queue.HeldMessages;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What a member and its master say to each other while the member comes to hold everything.
 *
 * <p>An attempt is numbered by the member, growing within its process; an answer to another attempt than the present one is dropped.
 */
public sealed interface TransferFrame {

    /** From the member to the master. */
    sealed interface ToMaster extends TransferFrame {}

    /** From the master to the member. */
    sealed interface ToMember extends TransferFrame {}

    // ---- to the master

    /** The state without its messages is wanted. */
    record AskTables(int attempt, long reign) implements ToMaster {}

    /**
     * The messages below an offset are wanted.
     *
     * @param from the entry up to which the member's state went when it began to remember what is settled
     * @param below the offset from which on the member has everything
     * @param returns whether the member held everything before, or was being given it: nobody need ask for it
     * @param held what it holds of these messages, or held before
     */
    record AskMessages(int attempt, long reign, Position from, long below, boolean returns, List<HeldMessages> held)
            implements ToMaster {
        public AskMessages {
            held = List.copyOf(held);
        }
    }

    /** So many pieces were taken in since the last word. */
    record Received(int attempt, int pieces) implements ToMaster {}

    /** Below this offset messages may be missing at the member; 0 if none is, the largest number while it follows nothing. */
    record MissingBelow(long reign, long offset) implements ToMaster {}

    // ---- to the member

    /**
     * The tables come, in pieces: the state up to this entry.
     *
     * @param unsettled messages of that state, which do not come with it
     */
    record Tables(int attempt, Position upTo, Map<Member, Long> senders, int unsettled) implements ToMember {
        public Tables {
            senders = Map.copyOf(senders);
        }

        /** Of a state without messages. */
        public Tables(int attempt, Position upTo, Map<Member, Long> senders) {
            this(attempt, upTo, senders, 0);
        }
    }

    /** The messages come, in pieces: those that were not settled at this entry. */
    record Messages(int attempt, Position upTo, int messageCount) implements ToMember {}

    /** Some of the state's bytes. */
    final class Piece implements ToMember {
        private final int attempt;
        private final byte[] bytes;

        /** @param bytes not changed any more */
        public Piece(int attempt, byte[] bytes) {
            this.attempt = attempt;
            this.bytes = bytes;
        }

        public int attempt() {
            return attempt;
        }

        /** Not to be changed. */
        byte[] bytes() {
            return bytes;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Piece that && attempt == that.attempt && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return 31 * attempt + Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return "Piece[attempt=" + attempt + ", bytes=" + bytes.length + "]";
        }
    }

    /** Nothing is sent for now: the policy wants somebody to ask for it, or it was broken off. */
    record Waits(int attempt) implements ToMember {}

    /** What was under way is broken off. */
    record Stopped(int attempt) implements ToMember {}

    /** The asked node does not lead the queue in that reign. */
    record Refused(int attempt) implements ToMember {}

    /** How far is the member? */
    record HowFar(long reign) implements ToMember {}

    /** Everything that is missing at the member is settled, as of this entry. */
    record Settled(long reign, Position upTo) implements ToMember {}
}
