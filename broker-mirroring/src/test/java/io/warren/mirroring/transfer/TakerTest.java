package io.warren.mirroring.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.queue.MissingMessages;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.queue.SnapshotWriter;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Member B, master A: frames and events in, one line for each effect out. What comes of whole histories, SynchronisationTest has. */
class TakerTest {
    private static final Member A = new Member("A", 1);
    private static final Member B = new Member("B", 1);
    private static final Member C = new Member("C", 1);
    private static final Position AT = new Position(2, 30);
    private static final byte[] NOTHING = SnapshotWriter.toBytes(ReplicaSnapshot.EMPTY);

    private final List<String> did = new ArrayList<>();
    private final Queue first = new Queue("first", 0);
    private Taker taker = new Taker(B, first, new Written());

    private final class Written implements TakerOutput {
        @Override
        public void send(String node, TransferFrame.ToMaster frame) {
            did.add("to " + node + " " + frame);
        }

        @Override
        public void takeTables(Position upTo, Map<Member, Long> senders, ReplicaSnapshot tables) {
            did.add("take tables up to " + upTo + " senders " + senders);
        }

        @Override
        public void progress(int taken, int all) {
            did.add("progress " + taken + " of " + all);
        }

        @Override
        public void complete() {
            did.add("complete");
        }

        @Override
        public void spoiled(String why) {
            did.add("spoiled");
        }

        @Override
        public void keep() {
            did.add("keep");
        }
    }

    /** A queue of which messages below an offset are missing, until it is told that they are not. */
    private final class Queue implements MissingMessages {
        private final String name;
        private long missingBelow;
        private boolean isDelivered = true;
        private long filledAt = -1;
        private long delivered;

        Queue(String name, long missingBelow) {
            this.name = name;
            this.missingBelow = missingBelow;
        }

        @Override
        public long missingBelow() {
            if (isDelivered && filledAt >= 0) {
                missingBelow = 0;
            }
            return missingBelow;
        }

        @Override
        public long delivered() {
            return delivered;
        }

        @Override
        public Map<Long, byte[]> entriesBelow(long offset) {
            return Map.of();
        }

        @Override
        public Position rememberedFrom() {
            return new Position(2, 31);
        }

        @Override
        public void fill(List<byte[]> entries) {
            did.add(name + " takes " + entries.size());
        }

        @Override
        public void onFilled(long firmOffset) {
            did.add(name + " has all as of " + firmOffset);
            filledAt = firmOffset;
        }
    }

    /** In sync before, and away for a while. */
    @Test
    void shouldSayThatItReturns() {
        taker.onView(view(2, 2, A, B));
        assertThat(givenTables().missingBelow).isEqualTo(9);
        taker.onFrame("A", new TransferFrame.Messages(2, new Position(2, 33), 0));
        taker.onFrame("A", new TransferFrame.Piece(2, NOTHING));
        assertThat(taker.isComplete()).isTrue();
        did.clear();

        taker.onView(view(3, 2, A, B));
        taker.onLost();
        taker.onFrame("A", new TransferFrame.Tables(3, new Position(2, 50), Map.of()));
        taker.onFrame("A", new TransferFrame.Piece(3, NOTHING));
        taker.onTaken(new Queue("again", 12));

        assertThat(effects()).last().asString().contains("below=12, returns=true");
    }

    private static View view(long epoch, long reign, Member... ring) {
        return new View(
                7, epoch, reign, 0, 0, 1, true, List.of(ring[0]), List.of(ring).subList(1, ring.length), List.of());
    }

    private List<String> effects() {
        List<String> effects = List.copyOf(did);
        did.clear();
        return effects;
    }

    /** Lost in a view of A's, with the tables taken; messages are asked for under attempt 2. */
    private Queue givenTables() {
        taker.onView(view(2, 2, A, B));
        taker.onLost();
        taker.onFrame("A", new TransferFrame.Tables(1, AT, Map.of()));
        taker.onFrame("A", new TransferFrame.Piece(1, NOTHING));
        Queue queue = new Queue("late", 9);
        taker.onTaken(queue);
        did.clear();
        return queue;
    }

    @Test
    void shouldAskForTablesAndThenForMessages() {
        taker.onView(view(2, 2, A, B));
        assertThat(effects()).isEmpty();

        taker.onLost();
        assertThat(effects()).containsExactly("to A AskTables[attempt=1, reign=2]");
        taker.onFrame("A", new TransferFrame.Tables(1, AT, Map.of(A, 5L)));
        taker.onFrame("A", new TransferFrame.Piece(1, NOTHING));
        assertThat(effects()).containsExactly("take tables up to 2:30 senders {A.1=5}");

        taker.onTaken(new Queue("late", 9));

        assertThat(effects())
                .containsExactly("to A AskMessages[attempt=2, reign=2, from=2:31, below=9, returns=false, held=[]]");
    }

    @Test
    void shouldBeCompleteWhenAllMessagesHaveComeAndAreDelivered() {
        Queue queue = givenTables();
        queue.isDelivered = false;

        taker.onFrame("A", new TransferFrame.Messages(2, new Position(2, 33), 0));
        taker.onFrame("A", new TransferFrame.Piece(2, NOTHING));
        assertThat(effects()).containsExactly("late takes 0", "progress 0 of 0", "late has all as of 33");
        taker.onBatchEnd();
        assertThat(effects()).isEmpty();
        queue.isDelivered = true;
        taker.onBatchEnd();

        assertThat(effects()).containsExactly("complete", "to A MissingBelow[reign=2, offset=0]");
        assertThat(taker.isComplete()).isTrue();
    }

    @Test
    void shouldSayThatNothingIsMissingWhenThatIsOnDisk() {
        taker = new Taker(B, new Queue("first", 0), true, new Written());
        givenTables();
        taker.onFrame("A", new TransferFrame.Messages(2, new Position(2, 33), 0));
        taker.onFrame("A", new TransferFrame.Piece(2, NOTHING));
        assertThat(effects()).last().isEqualTo("keep");

        taker.onFrame("A", new TransferFrame.HowFar(2));
        assertThat(effects()).containsExactly("to A MissingBelow[reign=2, offset=" + Long.MAX_VALUE + "]");
        taker.onKept();

        assertThat(effects()).containsExactly("complete", "to A MissingBelow[reign=2, offset=0]");
    }

    @Test
    void shouldBeCompleteWhenTheMasterSaysThatAllIsSettled() {
        givenTables();
        taker.onFrame("A", new TransferFrame.Waits(2));
        assertThat(effects()).isEmpty();

        taker.onFrame("A", new TransferFrame.Settled(2, new Position(2, 40)));

        assertThat(effects())
                .containsExactly("late has all as of 40", "complete", "to A MissingBelow[reign=2, offset=0]");
    }

    @Test
    void shouldGoOnInTheSameReignAndAskAnewInAnother() {
        givenTables();
        taker.onFrame("A", new TransferFrame.Messages(2, new Position(2, 33), 0));

        taker.onView(view(3, 2, A, B, C));
        assertThat(effects()).isEmpty();
        taker.onView(view(4, 4, C, B));

        assertThat(effects())
                .containsExactly("to C AskMessages[attempt=3, reign=4, from=2:31, below=9, returns=true, held=[]]");
    }

    @Test
    void shouldAskAgainWhenTheLinkIsBack() {
        givenTables();

        taker.onLinkDown("C");
        assertThat(effects()).isEmpty();
        taker.onLinkDown("A");
        taker.onLinkUp("A");

        assertThat(effects())
                .containsExactly("to A AskMessages[attempt=3, reign=2, from=2:31, below=9, returns=false, held=[]]");
    }

    @Test
    void shouldAskAgainWhenNobodyAnswersOrTheRingWantsNoTables() {
        taker.onView(view(2, 2, A, B));
        taker.onLost();
        taker.onTick(4_000_000_000L);
        taker.onTick(5_000_000_000L);
        assertThat(effects())
                .containsExactly("to A AskTables[attempt=1, reign=2]", "to A AskTables[attempt=2, reign=2]");
        taker.onFrame("A", new TransferFrame.Refused(2));
        taker.onTick(5_500_000_000L);
        assertThat(effects()).containsExactly("to A AskTables[attempt=3, reign=2]");
        taker.onFrame("A", new TransferFrame.Tables(3, AT, Map.of()));
        taker.onFrame("A", new TransferFrame.Piece(3, NOTHING));
        effects();

        taker.onTaken(null);
        assertThat(effects()).isEmpty();
        taker.onTick(6_000_000_000L);
        assertThat(effects()).isEmpty();
        taker.onTick(6_500_000_000L);

        assertThat(effects()).containsExactly("to A AskTables[attempt=4, reign=2]");
    }

    @Test
    void shouldGoOnWithWhatItHasWhenTheRingFindsItAgain() {
        taker.onView(view(2, 2, A, B));
        taker.onLost();
        taker.onBatchEnd();
        assertThat(taker.isComplete()).isFalse();
        taker.onView(view(3, 2, A, C, B));
        first.delivered++;

        taker.onBatchEnd();

        assertThat(taker.isComplete()).isTrue();
        effects();
        taker.onFrame("A", new TransferFrame.Tables(1, AT, Map.of()));
        taker.onFrame("A", new TransferFrame.Piece(1, NOTHING));
        assertThat(effects()).isEmpty();
    }

    @Test
    void shouldDropWhatAnswersAnEarlierAttemptOrComesFromSomebodyElse() {
        givenTables();

        taker.onFrame("C", new TransferFrame.Messages(2, AT, 0));
        taker.onFrame("A", new TransferFrame.Messages(1, AT, 0));
        taker.onFrame("A", new TransferFrame.Piece(2, NOTHING));
        taker.onFrame("A", new TransferFrame.Settled(1, AT));
        taker.onFrame("A", new TransferFrame.HowFar(1));

        assertThat(effects()).isEmpty();
    }

    @Test
    void shouldNotTakeMessagesOfAStateFromBeforeItAsked() {
        givenTables();

        taker.onFrame("A", new TransferFrame.Messages(2, new Position(2, 30), 0));
        taker.onFrame("A", new TransferFrame.Piece(2, NOTHING));

        assertThat(effects()).isEmpty();
    }

    @Test
    void shouldAskAgainForWhatCameSpoiled() {
        givenTables();
        byte[] spoiled = NOTHING.clone();
        spoiled[20] ^= 1;

        taker.onFrame("A", new TransferFrame.Messages(2, new Position(2, 33), 0));
        taker.onFrame("A", new TransferFrame.Piece(2, spoiled));
        assertThat(effects()).containsExactly("spoiled");
        taker.onTick(6_000_000_000L);

        assertThat(effects()).hasSize(1).last().asString().startsWith("to A AskMessages[attempt=3");
    }

    @Test
    void shouldWaitAfterItWasStopped() {
        givenTables();
        taker.onFrame("A", new TransferFrame.Messages(2, new Position(2, 33), 0));

        taker.onFrame("A", new TransferFrame.Stopped(2));
        assertThat(effects()).hasSize(1).last().asString().startsWith("to A AskMessages[attempt=3");
        taker.onFrame("A", new TransferFrame.Waits(3));
        taker.onTick(60_000_000_000L);

        assertThat(effects()).isEmpty();
    }

    @Test
    void shouldAskAgainWhenItWasStoppedBeforeAnythingCame() {
        givenTables();
        taker.onFrame("A", new TransferFrame.Waits(2));

        taker.onFrame("A", new TransferFrame.Stopped(2));

        assertThat(effects()).last().asString().startsWith("to A AskMessages[attempt=3");
    }

    @Test
    void shouldSayHowFarItIs() {
        taker.onView(view(2, 2, A, B));
        taker.onFrame("A", new TransferFrame.HowFar(2));
        taker.onLost();
        taker.onFrame("A", new TransferFrame.HowFar(2));
        assertThat(effects())
                .containsExactly(
                        "to A MissingBelow[reign=2, offset=0]",
                        "to A AskTables[attempt=1, reign=2]",
                        "to A MissingBelow[reign=2, offset=" + Long.MAX_VALUE + "]");
    }

    @Test
    void shouldGiveUpWhatIsMissingWhenItLeads() {
        givenTables();

        taker.onView(view(5, 5, B, C));

        assertThat(effects()).isEmpty();
        assertThat(taker.isComplete()).isTrue();
        taker.onTick(60_000_000_000L);
        assertThat(effects()).isEmpty();
    }

    @Test
    void shouldWaitOutsideTheRing() {
        taker.onView(view(2, 2, A, B));
        taker.onLost();
        effects();

        taker.onView(view(3, 2, A, C));
        taker.onTick(60_000_000_000L);
        assertThat(effects()).isEmpty();
        taker.onView(view(4, 2, A, C, B));

        assertThat(effects()).containsExactly("to A AskTables[attempt=2, reign=2]");
    }
}
