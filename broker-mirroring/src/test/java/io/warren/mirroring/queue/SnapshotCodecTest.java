package io.warren.mirroring.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.warren.core.queue.DeathReason;
import io.warren.core.store.format.Records;
import io.warren.mirroring.queue.ReplicaPropertyTest.History;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SnapshotCodecTest {
    private static final int SEEDS = 30;

    private static byte[] publish(long reign, long offset, int bodyBytes) {
        return QueueEntryCodec.publish(
                new QueueEntryCodec.Publishing(
                        reign, 1, offset, new ChannelId("n", 1, 1), offset + 1, 1, 0, Records.NEVER_MS, true, false),
                FakeMember.message("m".repeat(bodyBytes), true));
    }

    /** Everything that there is, and little of it. */
    private static ReplicaSnapshot small() {
        List<OffsetRange> gaps = List.of(new OffsetRange(3, 4), new OffsetRange(6, 6));
        return new ReplicaSnapshot(
                9,
                3,
                2,
                List.of(publish(1, 4, 1), publish(2, 7, 2)),
                List.of(
                        new ChannelTable.Row(ChannelId.ofQueue(4), 2, 1, List.of()),
                        new ChannelTable.Row(new ChannelId("knoten-ü", 2, 5), 7, 3, gaps)),
                List.of(8L, -1L, 3L),
                List.of(new ReplicaSnapshot.Dying(2, new QueueEntry.DeadLetter(1, 4, DeathReason.REJECTED))));
    }

    private static ReplicaSnapshot read(List<byte[]> pieces) {
        SnapshotReader reader = new SnapshotReader();
        pieces.forEach(reader::accept);
        return reader.snapshot();
    }

    private static List<byte[]> pieces(ReplicaSnapshot snapshot, int bytesMax) {
        SnapshotWriter writer = new SnapshotWriter(snapshot);
        List<byte[]> pieces = new ArrayList<>();
        while (writer.hasNext()) {
            pieces.add(writer.next(bytesMax));
        }
        return pieces;
    }

    @Test
    void shouldReadWhatItWroteHoweverItWasCut() {
        for (int bytesMax : List.of(1, 7, 64, 100_000)) {
            assertThat(pieces(small(), bytesMax)).allMatch(piece -> piece.length <= bytesMax);
            assertThat(read(pieces(small(), bytesMax))).isEqualTo(small());
            assertThat(read(pieces(ReplicaSnapshot.EMPTY, bytesMax))).isEqualTo(ReplicaSnapshot.EMPTY);
        }
    }

    @Test
    void shouldReadTheStateOfEveryHistory() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            ReplicaSnapshot state = ReplicaPropertyTest.expected(new History(seed).entries);

            assertThat(SnapshotReader.read(SnapshotWriter.toBytes(state)))
                    .as("seed %d", seed)
                    .isEqualTo(state);
        }
    }

    @Test
    void shouldCutAMessageThatIsLargerThanAPiece() {
        ReplicaSnapshot state =
                new ReplicaSnapshot(1, 0, 0, List.of(publish(1, 0, 300_000)), List.of(), List.of(), List.of());

        List<byte[]> pieces = pieces(state, 64 * 1024);

        assertThat(pieces).hasSizeGreaterThan(4);
        assertThat(read(pieces)).isEqualTo(state);
    }

    @Test
    void shouldRefuseAStateThatIsCutAtAnyByte() {
        byte[] bytes = SnapshotWriter.toBytes(small());

        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatIllegalArgumentException().isThrownBy(() -> SnapshotReader.read(cut));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnapshotReader.read(Arrays.copyOf(bytes, bytes.length + 1)))
                .withMessageContaining("behind the end");
    }

    @Test
    void shouldRefuseAStateWithAnyByteSpoiled() {
        byte[] bytes = SnapshotWriter.toBytes(small());

        for (int at = 0; at < bytes.length; at++) {
            for (int bit : List.of(0x01, 0x10, 0x80)) {
                byte[] spoiled = bytes.clone();
                spoiled[at] ^= (byte) bit;
                assertThatIllegalArgumentException().isThrownBy(() -> SnapshotReader.read(spoiled));
            }
        }
    }

    @Test
    void shouldNameWhatTheOtherEndHoldsInsteadOfSendingIt() {
        List<byte[]> entries = new ArrayList<>();
        Map<Long, byte[]> own = new TreeMap<>();
        for (long offset = 0; offset < 200; offset++) {
            byte[] entry = publish(1 + offset / 50, offset, 1_000);
            entries.add(entry);
            if (offset % 20 != 0) {
                own.put(offset, entry);
            }
        }
        // Of another reign: another message, though its offset is the same.
        own.put(100L, publish(9, 100, 5));
        ReplicaSnapshot state = new ReplicaSnapshot(200, 0, 0, entries, List.of(), List.of(), List.of());

        SnapshotWriter writer = new SnapshotWriter(state, HeldMessages.of(own.values()));
        byte[] difference = writer.next(1 << 20);
        SnapshotReader reader = new SnapshotReader(own::get);
        reader.accept(difference);

        assertThat(writer.hasNext()).isFalse();
        assertThat(writer.messagesWritten()).isEqualTo(200);
        assertThat(difference.length).isLessThan(30_000);
        assertThat(reader.snapshot()).isEqualTo(state);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SnapshotReader().accept(difference))
                .withMessageContaining("held");
    }

    @Test
    void shouldTellOfNoMoreRunsThanItMay() {
        List<byte[]> entries = new ArrayList<>();
        for (long offset = 0; offset < HeldMessages.RUNS_MAX + 10; offset++) {
            entries.add(publish(1, 2 * offset, 1));
        }

        List<HeldMessages> runs = HeldMessages.of(entries);

        assertThat(runs).hasSize(HeldMessages.RUNS_MAX);
        assertThat(HeldMessages.has(runs, 2, 1)).isTrue();
        assertThat(HeldMessages.has(runs, 3, 1)).isFalse();
        assertThat(HeldMessages.has(runs, 2, 2)).isFalse();
        assertThat(HeldMessages.has(runs, 2L * HeldMessages.RUNS_MAX, 1)).isFalse();
    }

    @Test
    void shouldHandOutMessagesAsTheyCome() {
        SnapshotReader reader = new SnapshotReader();
        int taken = 0;
        ReplicaSnapshot state = ReplicaPropertyTest.expected(new History(3).entries.subList(0, 300));
        for (byte[] piece : pieces(state, 50)) {
            reader.accept(piece);
            taken += reader.takeMessages().size();
        }

        assertThat(reader.isComplete()).isTrue();
        assertThat(taken).isEqualTo(reader.messageCount()).isPositive();
        assertThat(reader.snapshot().messageCount()).isZero();
    }
}
