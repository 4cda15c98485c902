package io.warren.mirroring.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.queue.AppliedState;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Master A in reign 2, members B and C, and D where three are needed: frames and events in, one line for each effect out. */
class GiverTest {
    private static final Member A = new Member("A", 1);
    private static final Member B = new Member("B", 1);
    private static final Member C = new Member("C", 1);
    private static final Member D = new Member("D", 1);
    private static final Position AT = new Position(2, 30);
    private static final long SECOND_NS = 1_000_000_000L;

    private final List<String> did = new ArrayList<>();

    private Giver giver(boolean isAutomatic, int pieceBytes) {
        Giver giver = new Giver(2, isAutomatic, pieceBytes, new GiverOutput() {
            @Override
            public void send(String node, TransferFrame.ToMember frame) {
                did.add("to " + node + " " + frame);
            }

            @Override
            public void readState(String node, int attempt) {
                did.add("read for " + node + " " + attempt);
            }

            @Override
            public void proposeInSync(long epoch, Member member) {
                did.add("propose " + member + " in " + epoch);
            }
        });
        giver.onView(view(2, A, B, C));
        return giver;
    }

    private record State(long oldest, Position applied) implements AppliedState {
        @Override
        public Position applyFirm() {
            return applied;
        }
    }

    private static View view(long epoch, Member... ring) {
        return new View(
                7, epoch, 2, 0, 0, 1, true, List.of(ring[0]), List.of(ring).subList(1, ring.length), List.of());
    }

    private List<String> effects() {
        List<String> effects = List.copyOf(did);
        did.clear();
        return effects;
    }

    private static TransferFrame.AskMessages ask(int attempt, long below) {
        return new TransferFrame.AskMessages(attempt, 2, AT, below, false, List.of());
    }

    private static TransferFrame.AskMessages ask(int attempt, boolean returns) {
        return new TransferFrame.AskMessages(attempt, 2, AT, 9, returns, List.of());
    }

    @Test
    void shouldGiveTables() {
        Giver giver = giver(false, 1_000);

        giver.onFrame("B", new TransferFrame.AskTables(1, 2));
        assertThat(effects()).containsExactly("read for B 1");
        giver.onState("B", 1, AT, Map.of(A, 4L), ReplicaSnapshot.EMPTY);

        assertThat(effects())
                .containsExactly(
                        "to B Tables[attempt=1, upTo=2:30, senders={A.1=4}, unsettled=0]",
                        "to B Piece[attempt=1, bytes=64]");
    }

    @Test
    void shouldGiveMessagesOfItselfOnlyUnderAutomaticOrWhoReturns() { // T10, T29
        Giver manual = giver(false, 1_000);
        manual.onFrame("B", ask(2, false));
        manual.onFrame("C", ask(2, true));
        assertThat(effects()).containsExactly("to B Waits[attempt=2]", "read for C 2");

        Giver automatic = giver(true, 1_000);
        automatic.onFrame("B", ask(2, false));
        assertThat(effects()).containsExactly("read for B 2");
    }

    @Test
    void shouldBeginWhenItIsAskedTo() { // T42
        Giver giver = giver(false, 1_000);
        giver.onFrame("B", ask(2, false));
        effects();

        assertThat(giver.onSync()).isTrue();
        assertThat(effects()).containsExactly("read for B 2");
        giver.onFrame("C", ask(7, false));
        assertThat(effects()).containsExactly("read for C 7");
        giver.onView(view(5, A));

        assertThat(giver.onSync()).isFalse();
    }

    @Test
    void shouldBeginWhenThePolicyBecomesAutomatic() {
        Giver giver = giver(false, 1_000);
        giver.onFrame("B", ask(2, false));
        effects();

        giver.onMode(true);

        assertThat(effects()).containsExactly("read for B 2");
    }

    @Test
    void shouldSayThatAllIsSettledWhenEverythingOfBeforeIs() { // T10
        Giver giver = giver(false, 1_000);
        giver.onFrame("B", ask(2, false));
        effects();

        giver.onBatchEnd(new State(8, new Position(2, 40)));
        assertThat(effects()).isEmpty();
        giver.onBatchEnd(new State(9, new Position(2, 41)));
        giver.onBatchEnd(new State(10, new Position(2, 42)));

        assertThat(effects()).containsExactly("to B Settled[reign=2, upTo=2:41]");
    }

    @Test
    void shouldSayThatAllIsSettledOnlyToTheMemberOfWhichThatIsTrue() { // seed 712922
        Giver giver = giver(false, 1_000);
        giver.onView(view(2, A, B, C, D));
        giver.onFrame("C", ask(2, 9));
        giver.onFrame("B", ask(3, 20));
        giver.onFrame("D", ask(4, 20));
        effects();

        giver.onBatchEnd(new State(9, new Position(2, 41)));
        assertThat(effects()).containsExactly("to C Settled[reign=2, upTo=2:41]");
        giver.onBatchEnd(new State(20, new Position(2, 42)));

        assertThat(effects()).containsExactly("to B Settled[reign=2, upTo=2:42]", "to D Settled[reign=2, upTo=2:42]");
    }

    @Test
    void shouldBreakOffWithEachMemberWhatIsUnderWayToIt() { // seed 712922
        Giver giver = giver(true, 1);
        giver.onView(view(2, A, B, C, D));
        giver.onFrame("C", ask(2, 9));
        giver.onFrame("B", new TransferFrame.AskTables(3, 2));
        giver.onFrame("D", ask(4, 9));
        effects();

        giver.onCancel();

        assertThat(effects()).containsExactly("to C Stopped[attempt=2]", "to D Stopped[attempt=4]");
    }

    @Test
    void shouldSayThatAllIsSettledToAMemberThatIsAhead() { // seed 5
        Giver giver = giver(false, 1_000);
        giver.onFrame("B", ask(2, false));
        effects();

        giver.onBatchEnd(new State(9, new Position(2, 29)));

        assertThat(effects()).containsExactly("to B Settled[reign=2, upTo=2:29]");
    }

    @Test
    void shouldReadTheStateAgainWhenTheMemberIsAheadOfIt() { // seed 1165
        Giver giver = giver(true, 1_000);
        giver.onFrame("B", ask(2, false));
        Position below = new Position(1, 29);
        giver.onState("B", 2, below, Map.of(), ReplicaSnapshot.EMPTY);
        giver.onBatchEnd(new State(0, below));
        assertThat(effects()).containsExactly("read for B 2");

        giver.onBatchEnd(new State(0, AT));
        giver.onState("B", 2, AT, Map.of(), ReplicaSnapshot.EMPTY);

        assertThat(effects())
                .containsExactly(
                        "read for B 2",
                        "to B Messages[attempt=2, upTo=2:30, messageCount=0]",
                        "to B Piece[attempt=2, bytes=64]");
    }

    @Test
    void shouldSendNoMorePiecesThanMayBeUnderWay() {
        Giver giver = giver(true, 1);
        giver.onFrame("B", ask(2, false));
        giver.onState("B", 2, AT, Map.of(), ReplicaSnapshot.EMPTY);
        assertThat(effects()).hasSize(2 + Giver.PIECES_MAX);

        giver.onFrame("B", new TransferFrame.Received(1, 4));
        assertThat(effects()).isEmpty();
        giver.onFrame("B", new TransferFrame.Received(2, 4));

        assertThat(effects()).hasSize(4).containsOnly("to B Piece[attempt=2, bytes=1]");
        assertThat(giver.progress()).containsExactly(new Giver.Progress("B", 0, 0));
    }

    @Test
    void shouldBreakOffAndSendNothingBeforeItIsAskedAgain() { // T43
        Giver giver = giver(true, 1);
        giver.onFrame("B", ask(2, false));
        giver.onState("B", 2, AT, Map.of(), ReplicaSnapshot.EMPTY);
        effects();

        assertThat(giver.onCancel()).isTrue();
        assertThat(effects()).containsExactly("to B Stopped[attempt=2]");
        giver.onFrame("B", ask(3, true));
        assertThat(effects()).containsExactly("to B Waits[attempt=3]");
        assertThat(giver.onCancel()).isFalse();
        giver.onSync();

        assertThat(effects()).containsExactly("read for B 3");
    }

    @Test
    void shouldHoldBackAProposalUntilNothingIsMissing() {
        Giver giver = giver(true, 1_000);

        giver.onProposal(2, B);
        assertThat(effects()).containsExactly("to B HowFar[reign=2]");
        giver.onFrame("B", new TransferFrame.MissingBelow(2, 9));
        giver.onFrame("C", new TransferFrame.MissingBelow(2, 0));
        assertThat(effects()).isEmpty();
        giver.onFrame("B", new TransferFrame.MissingBelow(2, 0));

        assertThat(effects()).containsExactly("propose B.1 in 2");
        giver.onProposal(2, C);
        assertThat(effects()).containsExactly("propose C.1 in 2");
    }

    @Test
    void shouldAskAnewInEveryView() {
        Giver giver = giver(true, 1_000);
        giver.onFrame("B", new TransferFrame.MissingBelow(2, 0));

        giver.onView(view(5, A, B, C));
        giver.onProposal(2, B);
        assertThat(effects()).isEmpty();
        giver.onProposal(5, B);

        assertThat(effects()).containsExactly("to B HowFar[reign=2]");
    }

    @Test
    void shouldTakeNoWordForCompleteThatCameBeforeTheMemberWasLost() {
        Giver giver = giver(true, 1_000);
        giver.onFrame("B", new TransferFrame.MissingBelow(2, 0));
        giver.onFrame("B", new TransferFrame.AskTables(1, 2));
        effects();

        giver.onProposal(2, B);
        giver.onFrame("B", new TransferFrame.MissingBelow(1, 0));

        assertThat(effects()).containsExactly("to B HowFar[reign=2]");
    }

    @Test
    void shouldAskAgainWhoDoesNotAnswer() {
        Giver giver = giver(true, 1_000);
        giver.onProposal(2, B);
        effects();

        giver.onTick(SECOND_NS / 2);
        assertThat(effects()).isEmpty();
        giver.onTick(SECOND_NS);

        assertThat(effects()).containsExactly("to B HowFar[reign=2]");
    }

    @Test
    void shouldRefuseWhoIsNotInTheRingOrMeansAnotherReign() {
        Giver giver = giver(true, 1_000);

        giver.onFrame("B", new TransferFrame.AskTables(1, 1));
        giver.onFrame("D", new TransferFrame.AskTables(1, 2));

        assertThat(effects()).containsExactly("to B Refused[attempt=1]", "to D Refused[attempt=1]");
    }

    @Test
    void shouldForgetAMemberWhoseLinkIsDown() {
        Giver giver = giver(true, 1_000);
        giver.onFrame("B", ask(2, false));
        effects();

        giver.onLinkDown("B");
        giver.onState("B", 2, AT, Map.of(), ReplicaSnapshot.EMPTY);

        assertThat(effects()).isEmpty();
        assertThat(giver.progress()).isEmpty();
    }
}
