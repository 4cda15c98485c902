package io.warren.mirroring.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.queue.DeathReason;
import io.warren.core.store.format.Records;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The replica is a function of the entries in their order, however they are cut into batches. */
class ReplicaPropertyTest {
    private static final int SEEDS = 60;

    /** A history of one queue under several masters, with entries of reigns that are over among the others. */
    static final class History {
        private final Random random;
        /** Whether a master comes back from its disk, and transient messages go with that. */
        private final boolean comesFromDisk;

        final List<Entry<byte[]>> entries = new ArrayList<>();
        private final Map<ChannelId, Long> sent = new HashMap<>();
        private final List<Long> unsettled = new ArrayList<>();
        private final List<Long> dying = new ArrayList<>();
        private final boolean often;
        private long reign = 1;
        private long nextOffset;

        History(long seed) {
            this(seed, true);
        }

        History(long seed, boolean comesFromDisk) {
            this.comesFromDisk = comesFromDisk;
            random = new Random(seed);
            // Where consumers keep up nearly everything goes in the batch in which it comes.
            often = random.nextBoolean();
            for (int i = 0; i < 600; i++) {
                step(random.nextInt(100));
            }
        }

        private void step(int what) {
            if (what < 45) {
                publish();
            } else if (what < (often ? 85 : 65)) {
                settle();
            } else if (what < 88) {
                add(new QueueEntry.HandOut(reign, random.nextInt(3), nextOffset - random.nextInt(3) + 2), true);
            } else if (what < 92) {
                deadLetter();
            } else if (what < 94) {
                ChannelId gone = channel();
                sent.remove(gone);
                add(new QueueEntry.ChannelGone(reign, gone), false);
            } else if (what < 98) {
                QueueEntry stale =
                        new QueueEntry.Settle(reign - 1, SettleReason.PURGED, List.of(new OffsetRange(0, nextOffset)));
                add(stale, true);
            } else {
                reign++;
            }
        }

        private ChannelId channel() {
            return new ChannelId("n" + random.nextInt(2), 1, random.nextInt(3));
        }

        private void publish() {
            ChannelId channel = random.nextInt(5) == 0 ? null : channel();
            long sequence = 0;
            long firstOpen = 0;
            if (channel != null) {
                long before = sent.getOrDefault(channel, 0L);
                sequence = before + 1 + random.nextInt(3);
                firstOpen = Math.max(1, sequence - random.nextInt(6));
                sent.put(channel, sequence);
            }
            boolean persistent = random.nextInt(3) > 0;
            byte[] bytes = QueueEntryCodec.publish(
                    new QueueEntryCodec.Publishing(
                            reign,
                            1,
                            nextOffset,
                            channel,
                            sequence,
                            firstOpen,
                            random.nextInt(3),
                            Records.NEVER_MS,
                            persistent,
                            random.nextBoolean()),
                    FakeMember.message("m" + nextOffset, persistent));
            unsettled.add(nextOffset++);
            add(bytes, persistent);
        }

        private void settle() {
            List<OffsetRange> ranges = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0 && !unsettled.isEmpty(); i--) {
                long offset = unsettled.remove(random.nextInt(unsettled.size()));
                dying.remove(offset);
                ranges.add(new OffsetRange(offset, offset));
            }
            if (!ranges.isEmpty()) {
                boolean isNotKept = random.nextInt(4) == 0 && comesFromDisk;
                SettleReason reason = isNotKept ? SettleReason.NOT_KEPT : SettleReason.ACKNOWLEDGED;
                add(new QueueEntry.Settle(reign, reason, ranges), true);
            }
        }

        private void deadLetter() {
            if (unsettled.isEmpty()) {
                return;
            }
            long offset = unsettled.get(random.nextInt(unsettled.size()));
            if (!dying.contains(offset)) {
                dying.add(offset);
                add(new QueueEntry.DeadLetter(reign, offset, DeathReason.EXPIRED), true);
            }
        }

        private void add(QueueEntry entry, boolean persistent) {
            add(QueueEntryCodec.encode(entry), persistent);
        }

        private void add(byte[] bytes, boolean persistent) {
            Position position = new Position(reign, entries.size() + 1L);
            entries.add(new Entry<>(position, FakeRing.A, position.offset(), persistent, bytes.length, bytes, null));
        }
    }

    private static Replica empty() {
        return new Replica(ReplicaSnapshot.EMPTY, Position.START);
    }

    /** Applied one entry at a time. */
    static ReplicaSnapshot expected(List<Entry<byte[]>> entries) {
        Replica replica = empty();
        for (Entry<byte[]> entry : entries) {
            replica.onDelivered(entry);
            replica.applyUpTo(entry.offset());
        }
        return replica.state().snapshot();
    }

    @Test
    void shouldBeTheSameInAnyBatching() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<Entry<byte[]>> entries = new History(seed).entries;
            ReplicaSnapshot expected = expected(entries);
            Random random = new Random(seed);
            for (int way = 0; way < 4; way++) {
                Replica replica = empty();
                int most = 1 << (3 * way);
                int left = 0;
                for (Entry<byte[]> entry : entries) {
                    replica.onDelivered(entry);
                    if (left-- == 0) {
                        left = random.nextInt(most);
                        replica.applyUpTo(entry.offset());
                    }
                }
                replica.applyUpTo(entries.size());

                assertThat(replica.state().snapshot())
                        .as("seed %d, batches up to %d", seed, most)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldGoOnFromItsSnapshotAsIfItHadSeenEverything() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<Entry<byte[]>> entries = new History(seed).entries;
            int at = new Random(seed).nextInt(entries.size());
            Replica before = empty();
            entries.subList(0, at).forEach(before::onDelivered);
            before.applyUpTo(at);

            Replica after = new Replica(before.state().snapshot(), before.applied());
            entries.subList(at, entries.size()).forEach(after::onDelivered);
            after.applyUpTo(entries.size());

            assertThat(after.state().snapshot()).as("seed %d", seed).isEqualTo(expected(entries));
        }
    }

    /** Batches as they come from the ring: the tail is applied when it has grown, and what lies above the last firm entry can be cut. */
    @Test
    void shouldTakeBackWhatLiesAboveTheLastFirmEntry() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<Entry<byte[]>> entries = new ArrayList<>(new History(seed).entries);
            Random random = new Random(seed);
            Replica replica = empty();
            int delivered = 0;
            while (delivered < entries.size()) {
                int to = Math.min(entries.size(), delivered + 1 + random.nextInt(200));
                entries.subList(delivered, to).forEach(replica::onDelivered);
                replica.onBatchEnd();
                delivered = to;
                int firm = delivered;
                while (firm > 0 && !entries.get(firm - 1).persistent()) {
                    firm--;
                }
                assertThat(replica.applied().offset()).isLessThanOrEqualTo(firm);
                if (firm < delivered && random.nextInt(3) == 0) {
                    assertThat(replica.cut(firm + 1)).isTrue();
                    assertThat(replica.delivered()).isEqualTo(firm);
                    entries.subList(firm, delivered).forEach(replica::onDelivered);
                }
            }
            replica.applyUpTo(entries.size());

            assertThat(replica.state().snapshot()).as("seed %d", seed).isEqualTo(expected(entries));
        }
    }

    @Test
    void shouldSayWhenItCannotTakeBack() {
        List<Entry<byte[]>> entries = new History(1).entries;
        Replica replica = empty();
        entries.forEach(replica::onDelivered);
        replica.applyUpTo(100);

        assertThat(replica.cut(100)).isFalse();
        assertThat(replica.cut(101)).isTrue();
        assertThat(replica.delivered()).isEqualTo(100);
        assertThat(replica.tailCount()).isZero();
    }

    @Test
    void shouldKeepATailThatIsBounded() {
        Replica replica = empty();
        for (Entry<byte[]> entry : new History(3).entries) {
            replica.onDelivered(entry);
            replica.onBatchEnd();
            // A few more than the limit: what comes after its last firm entry stays.
            assertThat(replica.tailCount()).isLessThan(Replica.TAIL_COUNT_MAX + 20);
        }
        assertThat(replica.applied().offset()).isPositive();
    }
}
