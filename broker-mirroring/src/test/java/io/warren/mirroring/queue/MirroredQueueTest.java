package io.warren.mirroring.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.message.Message;
import io.warren.core.queue.DeathReason;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.Settlement;
import io.warren.mirroring.queue.MirroredBackingQueue.Verdict;
import io.warren.mirroring.ring.View;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MirroredQueueTest {
    private static final QueueSetup SETUP = new QueueSetup(5, true, 0);
    private static final ChannelId CHANNEL = new ChannelId("c", 1, 7);

    private final FakeRing ring = new FakeRing();
    private final FakeMember a = new FakeMember(ring, FakeRing.A, SETUP);
    private final FakeMember b = new FakeMember(ring, FakeRing.B, SETUP);

    @BeforeEach
    void lead() {
        install(FakeRing.view(1, 1, FakeRing.A, FakeRing.B));
        ring.open(FakeRing.view(1, 1, FakeRing.A, FakeRing.B));
        a.deliverAll();
        b.deliverAll();
        a.takeSaid();
    }

    private void install(View view) {
        a.view(view);
        b.view(view);
    }

    /** A has died, or was replaced; what is in the log so far is what B holds of it. */
    private void promoteB() {
        View view = FakeRing.view(2, 2, FakeRing.B);
        b.view(view);
        ring.open(view);
        b.deliverAll();
    }

    private static List<String> names(FakeMember member) {
        member.settleDown();
        return member.backing().peek(10).stream().map(Message::routingKey).toList();
    }

    /** Peek shows bodies in memory only, and after a promotion they are in the replica: the first fetch brings them. */
    private List<String> drain(FakeMember member) {
        MirroredBackingQueue backing = member.backing();
        List<String> names = new java.util.ArrayList<>();
        while (backing.head() != BackingQueue.NONE) {
            long head = backing.head();
            String name = member.fetch(head);
            if (name == null) {
                member.settleDown();
                name = member.fetched.get(member.fetched.size() - 1);
            }
            names.add(name + (backing.isRedelivered(head) ? " again" : ""));
        }
        return names;
    }

    @Test
    void shouldLeadFromTheDeliveryOfItsViewOn() {
        assertThat(b.takeSaid()).isEmpty();
        View view = FakeRing.view(2, 2, FakeRing.B);
        b.view(view);
        ring.open(view);

        assertThat(b.queue.backing()).isNull();
        assertThat(b.queue.takesPublishes()).isFalse();
        b.deliverAll();

        assertThat(b.takeSaid()).startsWith("promoted in 2");
        assertThat(b.queue.takesPublishes()).isTrue();
    }

    @Test
    void shouldTakeNoPublishesBelowTheLimit() {
        a.view(new View(1, 2, 1, 0, 0, 2, true, List.of(FakeRing.A), List.of(), List.of("b")));

        assertThat(a.queue.takesPublishes()).isFalse();
        assertThat(a.queue.backing()).isNotNull();
    }

    @Test
    void shouldHaveEverythingUnsettledAtItsPlaceAfterAPromotion() {
        a.publish("seen", 0, BackingQueue.NEVER, true);
        a.publish("settled", 0, BackingQueue.NEVER, true);
        a.publish("out", 0, BackingQueue.NEVER, true);
        a.publish("unseen");
        a.settleDown();
        a.fetch(0);
        a.fetch(1);
        a.fetch(2);
        a.backing().requeue(0);
        a.backing().settle(1, Settlement.ACKNOWLEDGED);
        a.settleDown();

        promoteB();

        assertThat(b.backing().readyCount()).isEqualTo(3);
        assertThat(b.backing().safeOffset()).isEqualTo(3);
        assertThat(drain(b)).containsExactly("seen again", "out again", "unseen");
        assertThat(b.publish("next")).isEqualTo(4);
    }

    @Test
    void shouldKeepAPublishThatHadReachedTheNextMaster() {
        a.publishFrom(CHANNEL, 1, 1, "one");

        promoteB();

        assertThat(b.backing().judge(CHANNEL, 1)).isEqualTo(Verdict.CONFIRM);
        assertThat(b.backing().judge(CHANNEL, 2)).isEqualTo(Verdict.TAKE);
        assertThat(drain(b)).containsExactly("one");
    }

    @Test
    void shouldConfirmAKnownPublishWhenAllThatWasBroadcastIsStable() {
        a.publishFrom(CHANNEL, 1, 1, "one");
        assertThat(a.backing().judge(CHANNEL, 1)).isEqualTo(Verdict.CONFIRM);

        long barrier = a.backing().barrier();

        assertThat(a.backing().passedBarrier()).isLessThan(barrier);
        a.deliverAll();
        assertThat(a.backing().passedBarrier()).isGreaterThanOrEqualTo(barrier);
    }

    @Test
    void shouldRefuseAgainWhatAnEarlierMasterRefused() {
        a.publishFrom(CHANNEL, 4, 4, "four");
        a.backing().beginPublish(CHANNEL, 5, 4);
        a.backing().endPublish();
        a.publishFrom(CHANNEL, 6, 4, "six");
        a.deliverAll();

        promoteB();

        assertThat(b.backing().judge(CHANNEL, 4)).isEqualTo(Verdict.CONFIRM);
        assertThat(b.backing().judge(CHANNEL, 5)).isEqualTo(Verdict.REFUSE);
        assertThat(b.backing().judge(CHANNEL, 6)).isEqualTo(Verdict.CONFIRM);
        assertThat(b.backing().judge(CHANNEL, 7)).isEqualTo(Verdict.TAKE);
    }

    @Test
    void shouldNotTakeAPublishOfNobodyForTheLastChannels() {
        a.backing().beginPublish(CHANNEL, 1, 1);
        a.backing().endPublish();
        a.publish("of nobody");

        assertThat(((QueueEntry.Publish) ring.since(1).get(0)).channel()).isNull();
        assertThat(a.backing().judge(CHANNEL, 1)).isEqualTo(Verdict.TAKE);
    }

    @Test
    void shouldForgetAChannelThatIsGoneEverywhere() {
        a.publishFrom(CHANNEL, 1, 1, "one");
        a.backing().channelGone(CHANNEL);
        a.deliverAll();
        assertThat(a.backing().channels()).isEmpty();

        promoteB();

        assertThat(b.backing().channels()).isEmpty();
    }

    /** The ring's outbox brings an entry of a reign that is over: its offset is another message's by now. */
    @Test
    void shouldApplyNothingThatWasDecidedInAnotherReign() {
        a.publishFrom(CHANNEL, 1, 1, "one");
        byte[] stale = ring.log.remove(1).payload();
        promoteB();
        b.publish("other");
        byte[] settle =
                QueueEntryCodec.encode(new QueueEntry.Settle(1, SettleReason.PURGED, List.of(new OffsetRange(0, 9))));

        ring.order(stale, true);
        ring.order(settle, true);
        b.settleDown();
        a.view(FakeRing.view(2, 2, FakeRing.B));
        a.deliverAll();

        assertThat(b.backing().readyCount()).isEqualTo(1);
        assertThat(names(b)).containsExactly("other");
        assertThat(b.backing().safeOffset()).isZero();
        assertThat(b.backing().judge(CHANNEL, 1)).isEqualTo(Verdict.TAKE);
        long last = ring.log.size();
        assertThat(a.queue.snapshotUpTo(last)).isEqualTo(b.queue.snapshotUpTo(last));
    }

    @Test
    void shouldLeadNoMoreWhenAnotherDoes() {
        a.publish("not stable");

        a.view(FakeRing.view(2, 2, FakeRing.B, FakeRing.A));

        assertThat(a.takeSaid()).containsExactly("demoted");
        assertThat(a.queue.backing()).isNull();
        a.deliverAll();
        a.queue.onWake();
        a.queue.onTick();
        assertThat(a.takeSaid()).isEmpty();
    }

    @Test
    void shouldGoOnLeadingInAViewThatKeepsTheReign() {
        a.publish("one");

        a.view(FakeRing.view(2, 1, FakeRing.A));

        a.deliverAll();
        assertThat(a.takeSaid()).containsExactly("safe 0");
    }

    @Test
    void shouldNotLeadWhenItsViewIsDeliveredLate() {
        View second = FakeRing.view(2, 2, FakeRing.B);
        b.view(second);
        ring.open(second);
        b.view(FakeRing.view(3, 3, FakeRing.A, FakeRing.B));

        b.deliverAll();

        assertThat(b.takeSaid()).isEmpty();
    }

    @Test
    void shouldSettleTransientMessagesWhenTheQueueComesBackFromDisk() {
        a.publishFrom(CHANNEL, 1, 1, "kept");
        a.backing().beginPublish(CHANNEL, 2, 1);
        a.called(() -> a.backing().publish(FakeMember.message("lost", false), 0, BackingQueue.NEVER, false));
        a.backing().endPublish();
        a.deliverAll();
        View view = new View(1, 2, 2, 2, 0, 1, true, List.of(FakeRing.B), List.of(), List.of());
        b.view(view);
        ring.open(view);
        int before = ring.log.size();

        b.settleDown();

        assertThat(b.backing().readyCount()).isEqualTo(1);
        assertThat(ring.since(before))
                .containsExactly(new QueueEntry.Settle(2, SettleReason.NOT_KEPT, List.of(new OffsetRange(1, 1))));
        assertThat(drain(b)).containsExactly("kept");
        assertThat(b.backing().judge(CHANNEL, 1)).isEqualTo(Verdict.CONFIRM);
        assertThat(b.backing().judge(CHANNEL, 2)).isEqualTo(Verdict.REFUSE);
        a.view(view);
        a.deliverAll();
        long last = ring.log.size();
        assertThat(a.queue.snapshotUpTo(last)).isEqualTo(b.queue.snapshotUpTo(last));
    }

    @Test
    void shouldDeadLetterWhenTheOthersKnow() {
        a.publish("dies", 0, BackingQueue.NEVER, true);
        a.deliverAll();
        a.takeSaid();
        a.called(() -> a.backing().take(0));

        a.backing().deadLetter(0, DeathReason.EXPIRED);
        assertThat(a.takeSaid()).isEmpty();
        a.deliverAll();

        assertThat(a.takeSaid()).contains("dead letter 1: 0 EXPIRED");
        a.backing().settle(0, Settlement.DEAD_LETTERED);
        a.settleDown();
        assertThat(a.queue.snapshotUpTo(ring.log.size()).messageCount()).isZero();
    }

    @Test
    void shouldFinishTheDeadLettersOfAnEarlierMasterUnderTheirNumbers() {
        for (int i = 0; i < 4; i++) {
            a.publish("m" + i, 0, BackingQueue.NEVER, true);
        }
        a.deliverAll();
        for (long offset : new long[] {0, 1, 2}) {
            a.called(() -> a.backing().take(offset));
        }
        a.backing().deadLetter(1, DeathReason.MAXLEN);
        a.backing().deadLetter(0, DeathReason.EXPIRED);
        a.backing().deadLetter(2, DeathReason.EXPIRED);
        a.settleDown();
        a.backing().settle(0, Settlement.DEAD_LETTERED);
        a.settleDown();

        promoteB();

        assertThat(b.takeSaid())
                .containsSubsequence("promoted in 2", "dead letter 1: 1 MAXLEN", "dead letter 3: 2 EXPIRED");
        assertThat(b.backing().readyCount()).isEqualTo(1);
        assertThat(b.backing().inheritedMessage(2).routingKey()).isEqualTo("m2");
        assertThat(b.backing().purge()).isEqualTo(1);
        b.settleDown();
        assertThat(b.queue.snapshotUpTo(ring.log.size()).messageCount()).isEqualTo(2);
        b.backing().settle(1, Settlement.DEAD_LETTERED);
        b.backing().settle(2, Settlement.DEAD_LETTERED);
        b.settleDown();
        assertThat(b.queue.snapshotUpTo(ring.log.size()).messageCount()).isZero();

        b.publish("next", 0, BackingQueue.NEVER, true);
        b.settleDown();
        b.called(() -> b.backing().take(4));
        b.backing().deadLetter(4, DeathReason.REJECTED);
        b.settleDown();
        assertThat(b.takeSaid()).contains("dead letter 4: 4 REJECTED");
    }

    @Test
    void shouldSayWhichStatesThereAre() {
        a.publish("one");
        a.deliverAll();

        assertThatThrownBy(() -> a.queue.snapshotUpTo(9))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("to 2");
    }
}
