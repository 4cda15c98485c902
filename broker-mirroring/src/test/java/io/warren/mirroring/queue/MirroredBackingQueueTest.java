package io.warren.mirroring.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.Settlement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MirroredBackingQueueTest {
    private final FakeRing ring = new FakeRing();
    private final FakeMember master = new FakeMember(ring, FakeRing.A, new QueueSetup(5, true, 3));

    @BeforeEach
    void promote() {
        lead(master);
    }

    private void lead(FakeMember member) {
        member.view(FakeRing.view(1, 1, FakeRing.A, FakeRing.B));
        ring.open(FakeRing.view(1, 1, FakeRing.A, FakeRing.B));
        member.deliverAll();
        member.takeSaid();
    }

    private MirroredBackingQueue backing() {
        return master.backing();
    }

    private List<String> names() {
        return backing().peek(10).stream().map(Message::routingKey).toList();
    }

    @Test
    void shouldBroadcastWhatIsPublishedAndNumberIt() {
        assertThat(master.publish("a")).isZero();
        assertThat(master.publish("b", 2, BackingQueue.NEVER, true)).isEqualTo(1);

        List<QueueEntry> entries = ring.since(1);
        assertThat(entries).hasSize(2);
        QueueEntry.Publish second = (QueueEntry.Publish) entries.get(1);
        assertThat(second.offset()).isEqualTo(1);
        assertThat(second.priority()).isEqualTo(2);
        assertThat(second.raisesLimit()).isTrue();
        assertThat(second.reign()).isEqualTo(1);
        assertThat(second.message().routingKey()).isEqualTo("b");
    }

    @Test
    void shouldCountWhatIsNotStableYet() {
        master.publish("a");

        assertThat(backing().readyCount()).isEqualTo(1);
        assertThat(backing().readyBytes()).isEqualTo(1);
        assertThat(backing().head()).isZero();
        assertThat(backing().safeOffset()).isEqualTo(-1);
        assertThat(names()).containsExactly("a");
    }

    @Test
    void shouldBeSafeWhenItIsStable() {
        master.publish("a");
        master.publish("b");

        master.deliverTo(2);
        assertThat(backing().safeOffset()).isZero();
        master.deliverTo(3);
        assertThat(backing().safeOffset()).isEqualTo(1);

        assertThat(master.takeSaid()).containsExactly("safe 0", "safe 1");
    }

    @Test
    void shouldHandOutOnlyWhatIsStable() {
        master.publish("a", 0, BackingQueue.NEVER, true);

        assertThat(master.fetch(0)).isNull();
        assertThat(master.takeSaid()).isEmpty();
        master.deliverAll();

        assertThat(master.takeSaid()).containsExactly("safe 0", "fetched 0");
        assertThat(master.fetched).containsExactly("a");
    }

    @Test
    void shouldRaiseTheLimitBeforeItHandsOutWhatNobodyWaitedFor() {
        master.publish("a");
        master.publish("b");
        master.deliverAll();

        assertThat(master.fetch(0)).isNull();
        assertThat(ring.since(3)).containsExactly(new QueueEntry.HandOut(1, 0, 0));
        master.deliverAll();
        assertThat(master.fetched).containsExactly("a");
        assertThat(master.fetch(1)).isNull();
        assertThat(ring.since(4)).containsExactly(new QueueEntry.HandOut(1, 0, 1));
    }

    @Test
    void shouldRaiseTheLimitInStepsThatGrow() {
        for (int i = 0; i < 20; i++) {
            master.publish("m" + i);
        }
        master.deliverAll();
        int before = ring.log.size();

        for (int i = 0; i < 15; i++) {
            if (master.fetch(i) == null) {
                master.deliverAll();
            }
        }

        assertThat(ring.since(before))
                .containsExactly(
                        new QueueEntry.HandOut(1, 0, 0),
                        new QueueEntry.HandOut(1, 0, 2),
                        new QueueEntry.HandOut(1, 0, 6),
                        new QueueEntry.HandOut(1, 0, 14));
    }

    @Test
    void shouldSettleWhatIsSettledInOneTurnByOneEntry() {
        for (int i = 0; i < 6; i++) {
            master.publish("m" + i, 0, BackingQueue.NEVER, true);
        }
        master.deliverAll();
        int before = ring.log.size();
        for (long offset = 0; offset < 6; offset++) {
            assertThat(master.fetch(offset)).isNotNull();
        }

        for (long offset : new long[] {4, 0, 1, 2}) {
            backing().settle(offset, Settlement.ACKNOWLEDGED);
        }
        backing().settle(5, Settlement.REJECTED);
        assertThat(ring.since(before)).isEmpty();
        master.wake();

        assertThat(ring.since(before))
                .containsExactly(
                        new QueueEntry.Settle(
                                1, SettleReason.ACKNOWLEDGED, List.of(new OffsetRange(0, 2), new OffsetRange(4, 4))),
                        new QueueEntry.Settle(1, SettleReason.REJECTED, List.of(new OffsetRange(5, 5))));
    }

    @Test
    void shouldPassABarrierWhenWhatWasSettledBeforeIsStable() {
        master.publish("a", 0, BackingQueue.NEVER, true);
        master.deliverAll();
        master.fetch(0);
        backing().settle(0, Settlement.ACKNOWLEDGED);

        long barrier = backing().barrier();

        assertThat(backing().passedBarrier()).isLessThan(barrier);
        master.publish("b");
        master.deliverTo(3);
        assertThat(backing().passedBarrier()).isEqualTo(barrier);
        assertThat(backing().barrier()).isEqualTo(barrier + 1);
    }

    @Test
    void shouldBroadcastNothingWhenAMessageGoesBackToItsPlace() {
        master.publish("a", 0, BackingQueue.NEVER, true);
        master.publish("b", 0, BackingQueue.NEVER, true);
        master.deliverAll();
        int before = ring.log.size();
        master.fetch(0);
        master.fetch(1);

        backing().requeue(0);
        backing().putBack(1);
        master.settleDown();

        assertThat(ring.since(before)).isEmpty();
        assertThat(names()).containsExactly("a", "b");
        assertThat(backing().isRedelivered(0)).isTrue();
        assertThat(backing().isRedelivered(1)).isFalse();
    }

    @Test
    void shouldSettleByReasonWhenItDropsOrPurges() {
        master.publish("a");
        master.publish("out", 0, BackingQueue.NEVER, true);
        master.publish("c");
        master.publish("d");
        master.deliverAll();
        int before = ring.log.size();

        backing().drop(0, Settlement.MAXLEN);
        master.fetch(1);
        assertThat(backing().purge()).isEqualTo(2);

        assertThat(ring.since(before))
                .containsExactly(
                        new QueueEntry.Settle(1, SettleReason.MAXLEN, List.of(new OffsetRange(0, 0))),
                        new QueueEntry.Settle(
                                1, SettleReason.PURGED, List.of(new OffsetRange(0, 0), new OffsetRange(2, 3))));
        assertThat(backing().readyCount()).isZero();
    }

    @Test
    void shouldOrderByPriorityAndKeepALimitForEach() {
        master.publish("low", 0, BackingQueue.NEVER, false);
        master.publish("high", 3, BackingQueue.NEVER, false);
        master.deliverAll();
        assertThat(names()).containsExactly("high", "low");

        assertThat(backing().head()).isEqualTo(1);
        assertThat(master.fetch(1)).isNull();

        assertThat(ring.since(3)).containsExactly(new QueueEntry.HandOut(1, 3, 1));
    }

    @Test
    void shouldExpireByTheTimeItWasPublishedAt() {
        long inASecond = master.clock.nowNs() + 1_000_000_000L;
        master.publish("a", 0, inASecond, false);
        master.publish("b", 0, inASecond + 1, false);
        master.deliverAll();

        assertThat(((QueueEntry.Publish) ring.since(1).get(0)).expiresAtMs())
                .isEqualTo(master.clock.now().toEpochMilli() + 1_000);
        assertThat(((QueueEntry.Publish) ring.since(1).get(1)).expiresAtMs())
                .isEqualTo(master.clock.now().toEpochMilli() + 1_001);
        assertThat(backing().nextExpiryNs()).isEqualTo(inASecond);
        assertThat(backing().expiredHead(inASecond - 1)).isEqualTo(BackingQueue.NONE);
        assertThat(backing().expiredHead(inASecond)).isZero();
    }

    @Test
    void shouldExpireAtTheSameTimeUnderAnotherMasterWithAnotherClock() {
        FakeMember slave = new FakeMember(ring, FakeRing.B, new QueueSetup(5, true, 3));
        slave.clock.advance(Duration.ofMillis(400));
        master.publish("a", 0, master.clock.nowNs() + 1_000_000_000L, false);
        master.publish("late", 0, master.clock.nowNs() + 100_000_000L, false);
        slave.deliverAll();

        slave.view(FakeRing.view(2, 2, FakeRing.B));
        ring.open(FakeRing.view(2, 2, FakeRing.B));
        slave.deliverAll();

        long slaveNs = slave.clock.nowNs();
        assertThat(slave.backing().expiresAtNs(0)).isEqualTo(slaveNs + 600_000_000L);
        assertThat(slave.backing().expiresAtNs(1)).isEqualTo(slaveNs - 300_000_000L);
    }

    @Test
    void shouldWaitInOrderWhenTheRingHasNoRoom() {
        ring.room = 1;
        master.publish("a");
        master.publish("b");
        master.publish("c");
        assertThat(ring.since(1)).hasSize(1);

        ring.room = 1;
        master.queue.onTick();
        assertThat(ring.since(1)).hasSize(2);
        ring.room = 5;
        master.publish("d");
        assertThat(ring.since(1)).hasSize(2);
        master.deliverAll();

        assertThat(ring.since(1).stream()
                        .map(entry -> ((QueueEntry.Publish) entry).offset())
                        .toList())
                .containsExactly(0L, 1L, 2L, 3L);
        assertThat(backing().log().waitingCount()).isZero();
    }

    /** Bodies are kept once: all but the next few hundred are read from the replica again. */
    @Test
    void shouldHandOutEveryBodyWhenMoreWaitThanAreKept() {
        int count = 3_000;
        for (int i = 0; i < count; i++) {
            master.publish("m" + i);
        }
        master.settleDown();

        for (int i = 0; i < count; i++) {
            long head = backing().head();
            String name = master.fetch(head);
            if (name == null) {
                master.settleDown();
                name = master.fetched.get(master.fetched.size() - 1);
            }
            assertThat(name).isEqualTo("m" + i);
            backing().settle(head, Settlement.ACKNOWLEDGED);
        }
        master.settleDown();

        assertThat(master.queue.snapshotUpTo(ring.log.size()).messageCount()).isZero();
    }

    @Test
    void shouldForgetEverythingWhenTheQueueIsDeleted() {
        master.publish("a");
        ring.room = 0;
        master.publish("b");

        backing().delete();
        ring.room = 9;
        master.queue.onTick();

        assertThat(backing().readyCount()).isZero();
        assertThat(ring.since(1)).hasSize(1);
    }
}
