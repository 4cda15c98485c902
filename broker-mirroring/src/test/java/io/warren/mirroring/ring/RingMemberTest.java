package io.warren.mirroring.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.ring.RecordedRing.Effect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A -> B -> C, one member at a time, by what it puts out. */
class RingMemberTest {
    private static final Member A = new Member("A", 1);
    private static final Member B = new Member("B", 1);
    private static final Member C = new Member("C", 1);
    private static final RingOptions OPTIONS = new RingOptions(300, 1_000, 1_000, 500);

    private final RecordedRing out = new RecordedRing();

    @Test
    void shouldOpenItsReignWithItsViewWhenPromoted() {
        RingMember<String> a = member(A);

        a.onView(view(1, 1, List.of(A), List.of()));

        assertThat(out.taken()).containsExactly(new Effect.Appended(new Position(1, 1), "view"));
        assertThat(a.phase()).isEqualTo(Phase.LEADING);
    }

    @Test
    void shouldDeliverWhenDurableIfAlone() {
        RingMember<String> a = member(A);
        a.onView(view(1, 1, List.of(A), List.of()));
        a.broadcast("x", true, 10);
        out.taken();

        a.onDurable(2);

        assertThat(out.taken())
                .containsExactly(
                        new Effect.Stable(2),
                        new Effect.Installed(1, 1),
                        new Effect.Delivered(2, "x"),
                        new Effect.Forgotten(2));
    }

    @Test
    void shouldNotMoveStableWhenBelowTheLimit() {
        RingMember<String> a = member(A);
        a.onView(new View(1, 1, 1, 0, 0, 2, true, List.of(A), List.of(), List.of("B")));
        a.broadcast("x", false, 10);

        a.onDurable(2);

        assertThat(a.stable()).isZero();
        assertThat(out.taken()).noneMatch(Effect.Delivered.class::isInstance);
    }

    @Test
    void shouldSendNothingToTheRightBeforeItsHello() {
        RingMember<String> a = member(A, "B");

        a.onView(view(1, 1, List.of(A, B), List.of()));
        a.broadcast("x", true, 10);

        assertThat(out.taken()).noneMatch(Effect.Sent.class::isInstance);
    }

    @Test
    void shouldServeFromTheCommonPointWhenTheRightSaysHello() {
        RingMember<String> a = member(A, "B");
        a.onView(view(1, 1, List.of(A, B), List.of()));
        out.taken();

        a.onFrame("B", new Frame.Hello<>(1, 1, Position.START));

        Entry<String> opening = Entry.ofView(new Position(1, 1), A, view(1, 1, List.of(A, B), List.of()));
        assertThat(sentTo("B")).contains(new Frame.Append<>(1, 1, true, Position.START, List.of(opening), 0, 0));
    }

    @Test
    void shouldKeepAHelloOfAViewNotYetInstalled() {
        RingMember<String> a = member(A, "B");
        a.onFrame("B", new Frame.Hello<>(1, 5, Position.START));
        out.taken();

        a.onView(view(5, 5, List.of(A, B), List.of()));

        assertThat(sentTo("B")).isNotEmpty();
    }

    @Test
    void shouldBeAtRestWhenAllThereIsIsOnEveryMembersDisk() {
        RingMember<String> a = member(A, "B");
        a.onView(view(1, 1, List.of(A, B), List.of()));
        a.onFrame("B", new Frame.Hello<>(1, 1, Position.START));
        a.onDurable(1);
        assertThat(a.isAtRest()).isFalse();

        a.onFrame("B", new Frame.Have<>(1, 1, new long[] {1, 1, 1, 1}));
        assertThat(a.isAtRest()).isTrue();

        a.broadcast("x", true, 10);
        assertThat(a.isAtRest()).isFalse();
    }

    @Test
    void shouldSendWhatCameTogetherInOneFrameWhenTheTurnEnds() {
        RingMember<String> a = member(A, "B");
        a.onView(view(1, 1, List.of(A, B), List.of()));
        a.onFrame("B", new Frame.Hello<>(1, 1, Position.START));
        out.taken();

        a.beginTurn();
        a.broadcast("x", true, 10);
        a.broadcast("y", true, 10);
        a.onDurable(1);
        assertThat(out.taken()).isEmpty();
        a.endTurn();

        List<Entry<String>> both = List.of(
                new Entry<>(new Position(1, 2), A, 1, true, 10, "x", null),
                new Entry<>(new Position(1, 3), A, 2, true, 10, "y", null));
        assertThat(sentTo("B"))
                .containsOnlyOnce(new Frame.Append<>(1, 1, false, new Position(1, 1), both, 0, 0))
                .hasSize(2);
    }

    /** Lemma 7. */
    @Test
    void shouldChangeNothingWhenAFrameIsOfAnotherEpochOrLog() {
        RingMember<String> b = member(B, "A", "C");
        b.onView(view(2, 2, List.of(A, B, C), List.of()));
        out.taken();

        b.onFrame("A", append(1, 1, true, Position.START, List.of(entry(1, 1, "old"))));
        b.onFrame("A", append(2, 2, true, Position.START, List.of(entry(2, 1, "other log"))));

        assertThat(out.taken()).isEmpty();
    }

    @Test
    void shouldNotAnswerTheRightBeforeItsOwnHelloWasAnswered() {
        RingMember<String> b = member(B, "A", "C");
        b.onView(view(1, 1, List.of(A, B, C), List.of()));
        b.onFrame("C", new Frame.Hello<>(1, 1, Position.START));
        assertThat(sentTo("C")).isEmpty();

        b.onFrame("A", append(1, 1, true, Position.START, List.of(entry(1, 1, "x"))));

        assertThat(sentTo("C")).isNotEmpty();
    }

    @Test
    void shouldSayHelloFurtherDownWhenItDoesNotHoldTheAnswer() {
        RingMember<String> b = member(B, List.of(entry(1, 1, "a"), entry(1, 2, "b"), entry(3, 3, "tail")), "A");
        b.onView(view(4, 4, List.of(A, B), List.of()));
        out.taken();

        b.onFrame("A", append(1, 4, true, new Position(2, 5), List.of()));

        assertThat(sentTo("A")).containsExactly(new Frame.Hello<>(1, 4, new Position(1, 2)));
    }

    @Test
    void shouldCutAtTheFirstEntryThatDiffersAndNotSooner() {
        RingMember<String> b = member(B, List.of(entry(1, 1, "a"), entry(1, 2, "b"), entry(1, 3, "c")), "A");
        b.onView(view(2, 2, List.of(A, B), List.of()));
        b.onFrame("A", append(1, 2, true, new Position(1, 1), List.of()));
        assertThat(out.taken()).noneMatch(Effect.Cut.class::isInstance);

        b.onFrame("A", append(1, 2, false, new Position(1, 1), List.of(entry(1, 2, "b"), entry(2, 3, "new"))));

        assertThat(out.taken()).startsWith(new Effect.Cut(3), new Effect.Appended(new Position(2, 3), "new"));
    }

    @Test
    void shouldReportNothingAboveTheCommonPoint() {
        RingMember<String> b = member(B, List.of(entry(1, 1, "a"), entry(1, 2, "b")), "A");
        b.onDurable(2);
        b.onView(view(2, 2, List.of(A, B), List.of()));
        out.taken();

        b.onFrame("A", append(1, 2, true, new Position(1, 1), List.of()));

        assertThat(sentTo("A")).containsExactly(new Frame.Have<>(1, 2, new long[] {0, 0, 1, 1}));
    }

    @Test
    void shouldReportNothingAsDurableAfterAStartUntilItIsForced() {
        RingMember<String> b = member(B, List.of(entry(1, 1, "a")), "A");
        b.onView(view(2, 2, List.of(A, B), List.of()));
        b.onFrame("A", append(1, 2, true, new Position(1, 1), List.of()));
        assertThat(sentTo("A")).contains(new Frame.Have<>(1, 2, new long[] {0, 0, 1, 0}));

        b.onDurable(1);

        assertThat(sentTo("A")).containsExactly(new Frame.Have<>(1, 2, new long[] {0, 0, 1, 1}));
    }

    @Test
    void shouldDeliverOnlyWhatIsStable() {
        RingMember<String> b = member(B, "A");
        b.onView(view(1, 1, List.of(A, B), List.of()));
        b.onFrame("A", append(1, 1, true, Position.START, List.of(entry(1, 1, "x"), entry(1, 2, "y"))));
        out.taken();

        b.onFrame("A", new Frame.Append<>(1, 1, false, new Position(1, 2), List.of(), 1, 0));

        assertThat(out.taken()).containsExactly(new Effect.Stable(1), new Effect.Delivered(1, "x"));
    }

    @Test
    void shouldSayHelloAgainWhenTheLinkToTheLeftComesBack() {
        RingMember<String> b = member(B, "A");
        b.onView(view(1, 1, List.of(A, B), List.of()));
        b.onFrame("A", append(1, 1, true, Position.START, List.of(entry(1, 1, "x"))));
        b.onLinkDown("A");
        out.taken();

        b.onLinkUp("A");

        assertThat(sentTo("A")).contains(new Frame.Hello<>(1, 1, new Position(1, 1)));
    }

    @Test
    void shouldBeLostWhenItsLeftHasForgottenWhatItNeeds() {
        RingMember<String> b = member(B, "A");
        b.onView(view(1, 1, List.of(A), List.of(B)));
        out.taken();

        b.onFrame("A", append(1, 1, true, new Position(1, 7), List.of()));

        assertThat(out.taken()).containsExactly(new Effect.Lost(new Position(1, 7)));
        b.onSynchronised(new Position(1, 8), new Senders());
        assertThat(sentTo("A")).containsExactly(new Frame.Hello<>(1, 1, new Position(1, 8)));
    }

    /** The essay's story of D, which ends at 7 and is promoted, and A, which has forgotten up to 10. */
    @Test
    void shouldTakeOverTheStateWhenALaterEntryShowsThatItsOwnLogIsOfAnotherHistory() {
        RingMember<String> b = forgetful(new Position(1, 10), "A");
        b.onView(unsynchronised(5));
        out.taken();

        b.onFrame("A", append(1, 5, true, new Position(1, 7), List.of()));
        assertThat(out.taken()).noneMatch(Effect.Lost.class::isInstance);
        b.onFrame("A", append(1, 5, false, new Position(1, 7), List.of(entry(5, 8, "view"))));

        assertThat(out.taken()).contains(new Effect.Lost(new Position(5, 8)));
        assertThat(b.wants(new Position(1, 7))).isTrue();
        b.onSynchronised(new Position(1, 7), new Senders());
        assertThat(sentTo("A")).containsExactly(new Frame.Hello<>(1, 5, new Position(1, 7)));
        assertThat(b.stable()).isEqualTo(7);
    }

    @Test
    void shouldCountNothingWhenTheAnswerItselfShowsThatItsOwnLogIsOfAnotherHistory() {
        RingMember<String> b = forgetful(new Position(1, 10), "A");
        b.onView(unsynchronised(5));
        out.taken();

        b.onFrame("A", append(1, 5, true, new Position(5, 8), List.of()));

        assertThat(out.taken()).containsExactly(new Effect.Lost(new Position(5, 8)));
        assertThat(b.phase()).isEqualTo(Phase.BEHIND);
    }

    /** Lemma 12: a promoted member's long tail of an older reign, above what the right has forgotten; HELLO must come to an end. */
    @Test
    void shouldBeLostWhenTheAnswerIsAboveItsBaseAndOfAnOlderReign() {
        RingMember<String> b = forgetful(new Position(2, 10), "A");
        b.onView(unsynchronised(5));
        out.taken();

        b.onFrame("A", append(1, 5, true, new Position(1, 12), List.of()));

        assertThat(out.taken()).containsExactly(new Effect.Lost(new Position(1, 12)));
        assertThat(b.wants(new Position(1, 12))).isTrue();
    }

    /** A left that catches up itself may end further down than the right's base; that is no contradiction. */
    @Test
    void shouldJoinBelowItsBaseWhenNothingSpeaksAgainstIt() {
        RingMember<String> b = forgetful(new Position(2, 10), "A");
        b.onView(view(5, 5, List.of(A), List.of(B)));
        out.taken();

        b.onFrame("A", append(1, 5, true, new Position(1, 7), List.of(entry(2, 8, "x"))));

        assertThat(b.phase()).isEqualTo(Phase.FOLLOWING);
        assertThat(b.wants(new Position(2, 9))).isFalse();
    }

    /** What it reported there would not be true any more when it takes over a state that ends further down. */
    @Test
    void shouldReportNothingUntilItHasComparedItsBase() {
        RingMember<String> b = forgetful(new Position(2, 10), "A");
        b.onView(view(5, 5, List.of(A), List.of(B)));
        b.onFrame("A", append(1, 5, true, new Position(1, 7), List.of(entry(2, 8, "x"), entry(2, 9, "y"))));
        assertThat(reportedTo("A")).isZero();

        b.onFrame("A", append(1, 5, false, new Position(2, 9), List.of(entry(2, 10, "z"))));

        assertThat(reportedTo("A")).isEqualTo(10);
    }

    /** Lemma 8. */
    @Test
    void shouldProposeAMemberThatHoldsTheReignsFirstEntryAndCountItFromThenOn() {
        RingMember<String> a = member(A, "B");
        a.onView(view(1, 1, List.of(A), List.of(B)));
        a.onDurable(1);
        a.onFrame("B", new Frame.Have<>(1, 1, new long[] {1, 1, 1, 0}));
        assertThat(out.taken()).noneMatch(Effect.ProposedInSync.class::isInstance);

        a.onFrame("B", new Frame.Have<>(1, 1, new long[] {1, 1, 1, 1}));
        a.broadcast("x", true, 10);
        a.onDurable(2);

        assertThat(out.taken()).contains(new Effect.ProposedInSync(1, B));
        assertThat(a.stable()).isEqualTo(1);
    }

    @Test
    void shouldForgetOnlyUpToAPersistentEntry() {
        RingMember<String> a = member(A);
        a.onView(view(1, 1, List.of(A), List.of()));
        a.onDurable(1);
        out.taken();

        a.broadcast("transient", false, 10);

        assertThat(out.taken())
                .contains(new Effect.Delivered(2, "transient"))
                .noneMatch(Effect.Forgotten.class::isInstance);
    }

    /** Lemma 9. */
    @Test
    void shouldOrderABroadcastOnceWhenASlaveSendsItAgain() {
        RingMember<String> a = member(A, "B");
        a.onView(view(1, 1, List.of(A, B), List.of()));
        out.taken();

        a.onFrame("B", new Frame.Broadcast<>(1, 1, B, 1, 1, true, 10, "x"));
        a.onFrame("B", new Frame.Broadcast<>(1, 1, B, 1, 1, true, 10, "x"));
        a.onFrame("B", new Frame.Broadcast<>(1, 1, B, 3, 1, true, 10, "z"));

        assertThat(out.taken()).containsExactly(new Effect.Appended(new Position(1, 2), "x"));
    }

    /** Lemma 11. */
    @Test
    void shouldOrderNothingMoreWhileItsWindowIsFull() {
        RingMember<String> a = member(A);
        a.onView(view(1, 1, List.of(A), List.of()));
        a.broadcast("x", true, 240);
        assertThat(a.broadcast("y", true, 40)).isEqualTo(2);
        assertThat(out.taken()).doesNotContain(new Effect.Appended(new Position(1, 3), "y"));

        a.onDurable(2);

        assertThat(out.taken()).contains(new Effect.Appended(new Position(1, 3), "y"));
    }

    @Test
    void shouldRefuseABroadcastWhenTooMuchIsUndelivered() {
        RingMember<String> b = member(B, "A");

        assertThat(b.broadcast("x", true, 200)).isEqualTo(1);
        assertThat(b.broadcast("y", true, 200)).isZero();
    }

    @Test
    void shouldProposeAMemberAsLaggingOnceWhenItDoesNotMoveForTheLimit() {
        RingMember<String> a = member(A, "B");
        a.onView(view(1, 1, List.of(A, B), List.of()));
        a.onTick(0);
        out.taken();

        a.onTick(900);
        assertThat(out.taken()).isEmpty();
        a.onTick(1_100);
        a.onTick(1_200);

        assertThat(out.taken()).containsExactly(new Effect.ProposedLagging(1, B));
    }

    @Test
    void shouldSendAgainWhatIsUndeliveredWhenAskedInANewView() {
        RingMember<String> b = member(B, "A", "C");
        b.onView(view(1, 1, List.of(A, B, C), List.of()));
        b.onFrame("A", append(1, 1, true, Position.START, List.of(entry(1, 1, "v"))));
        b.broadcast("x", true, 10);
        b.onView(view(2, 1, List.of(A, B), List.of()));
        out.taken();

        b.onFrame("A", append(1, 2, true, new Position(1, 1), List.of()));

        assertThat(sentTo("A")).contains(new Frame.Broadcast<>(1, 2, B, 1, 1, true, 10, "x"));
    }

    // -------------------------------------------------------------------------------------------------- given

    private RingMember<String> member(Member self, String... linked) {
        return member(self, List.of(), linked);
    }

    private RingMember<String> member(Member self, List<Entry<String>> onDisk, String... linked) {
        Log<String> log = new Log<>(Position.START, new Senders(), onDisk);
        RingMember<String> member = new RingMember<>(self, 1, OPTIONS, log, out);
        for (String node : linked) {
            member.onLinkUp(node);
        }
        return member;
    }

    /** B with nothing above a base. */
    private RingMember<String> forgetful(Position base, String linked) {
        RingMember<String> member = new RingMember<>(B, 1, OPTIONS, new Log<>(base, new Senders(), List.of()), out);
        member.onLinkUp(linked);
        return member;
    }

    private static View unsynchronised(long epoch) {
        return new View(1, epoch, epoch, epoch, epoch, 1, true, List.of(A), List.of(B), List.of());
    }

    /** The highest offset that B has said to have received. */
    private long reportedTo(String node) {
        return sentTo(node).stream()
                .filter(Frame.Have.class::isInstance)
                .mapToLong(have -> ((Frame.Have<String>) have).received(1))
                .max()
                .orElse(0);
    }

    private List<Frame<String>> sentTo(String node) {
        List<Frame<String>> frames = new ArrayList<>();
        for (Effect effect : out.taken()) {
            if (effect instanceof Effect.Sent sent && sent.node().equals(node)) {
                frames.add(sent.frame());
            }
        }
        return frames;
    }

    private static View view(long epoch, long reign, List<Member> inSync, List<Member> others) {
        return new View(1, epoch, reign, 0, 0, 1, true, inSync, others, List.of());
    }

    private static Entry<String> entry(long epoch, long offset, String payload) {
        return new Entry<>(new Position(epoch, offset), A, offset, true, 10, payload, null);
    }

    private static Frame<String> append(
            long logId, long epoch, boolean answer, Position previous, List<Entry<String>> entries) {
        return new Frame.Append<>(logId, epoch, answer, previous, entries, 0, 0);
    }
}
