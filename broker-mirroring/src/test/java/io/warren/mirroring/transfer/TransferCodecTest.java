package io.warren.mirroring.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.warren.mirroring.queue.HeldMessages;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TransferCodecTest {
    private static final Position AT = new Position(7, 1L << 40);

    private static List<TransferFrame> frames() {
        List<HeldMessages> most = new ArrayList<>();
        for (long at = 0; at < HeldMessages.RUNS_MAX; at++) {
            most.add(new HeldMessages(3 * at, 3 * at + 1, 5));
        }
        return List.of(
                new TransferFrame.AskTables(1, 4),
                new TransferFrame.AskMessages(2, 4, AT, 17, false, List.of()),
                new TransferFrame.AskMessages(2, 4, AT, 17, true, List.of(new HeldMessages(0, 16, 3))),
                new TransferFrame.AskMessages(2, 4, AT, 1L << 50, true, most),
                new TransferFrame.Received(2, 4),
                new TransferFrame.MissingBelow(4, Long.MAX_VALUE),
                new TransferFrame.Tables(1, AT, Map.of()),
                new TransferFrame.Tables(1, AT, Map.of(new Member("knoten-ü", 3), 12L, new Member("b", 1), 0L)),
                new TransferFrame.Messages(2, AT, 1_000_000),
                new TransferFrame.Piece(2, new byte[] {1, 2, 3}),
                new TransferFrame.Piece(2, new byte[0]),
                new TransferFrame.Waits(2),
                new TransferFrame.Stopped(2),
                new TransferFrame.Refused(2),
                new TransferFrame.HowFar(4),
                new TransferFrame.Settled(4, AT));
    }

    @Test
    void shouldReadEveryFrameItWrites() {
        for (TransferFrame frame : frames()) {
            assertThat(TransferCodec.decode(TransferCodec.encode(frame))).isEqualTo(frame);
        }
        assertThat(frames())
                .extracting(frame -> (Object) frame.getClass())
                .containsAll(Arrays.asList(TransferFrame.ToMaster.class.getPermittedSubclasses()))
                .containsAll(Arrays.asList(TransferFrame.ToMember.class.getPermittedSubclasses()));
    }

    @Test
    void shouldRefuseAFrameThatIsCutOrSpoiledAtAnyByte() {
        for (TransferFrame frame : frames()) {
            byte[] bytes = TransferCodec.encode(frame);
            for (int at = 0; at < Math.min(bytes.length, 300); at++) {
                byte[] cut = Arrays.copyOf(bytes, at);
                byte[] spoiled = bytes.clone();
                spoiled[at] ^= 0x20;
                assertThatIllegalArgumentException().isThrownBy(() -> TransferCodec.decode(cut));
                assertThatIllegalArgumentException().isThrownBy(() -> TransferCodec.decode(spoiled));
            }
        }
    }
}
