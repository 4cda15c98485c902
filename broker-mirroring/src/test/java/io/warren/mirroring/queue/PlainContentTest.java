package io.warren.mirroring.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.warren.core.spi.ManualClock;
import io.warren.core.store.format.Records;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PlainContentTest {
    private static final Member A = new Member("A", 1);

    private static PlainContent content() {
        PlainContent content = new PlainContent(9, 4);
        content.add(3, FakeMember.message("three", true), 0, Records.NEVER_MS, true, true);
        content.add(5, FakeMember.message("five", false), 2, 1_000, false, false);
        content.add(8, FakeMember.message("eight", true), 0, Records.NEVER_MS, true, false);
        return content;
    }

    @Test
    void shouldBeTheStateOfWhatTheQueueHolds() {
        ReplicaState state = new ReplicaState(content().snapshot(12));

        assertThat(state.nextOffset()).isEqualTo(12);
        assertThat(state.messageCount()).isEqualTo(3);
        assertThat(state.publishAt(5).priority()).isEqualTo(2);
        assertThat(state.publishAt(5).isPersistent()).isFalse();
        assertThat(state.publishAt(5).expiresAtMs()).isEqualTo(1_000);
        assertThat(state.publishAt(8).reign()).isEqualTo(9);
        assertThat(state.limit(0)).isEqualTo(3);
        assertThat(state.limit(2)).isEqualTo(-1);
        assertThat(state.missingBelow()).isZero();
        assertThat(SnapshotReader.read(SnapshotWriter.toBytes(content().snapshot(12))))
                .isEqualTo(content().snapshot(12));
    }

    @Test
    void shouldBeLedFromItsPosition() {
        FakeMember said = new FakeMember(new FakeRing(), A, new QueueSetup(4, true, 2));
        MirroredQueue queue = new MirroredQueue(
                A,
                new QueueSetup(4, true, 2),
                new ManualClock(),
                change -> {},
                said,
                said,
                content().snapshot(12),
                PlainContent.position(9));
        View view = new View(7, 9, 9, 0, 0, 1, true, List.of(A), List.of(), List.of());

        queue.onView(view);
        queue.onViewInstalled(view, 2);

        assertThat(Objects.requireNonNull(queue.backing()).readyCount()).isEqualTo(3);
    }

    @Test
    void shouldRefuseWhatDoesNotAscend() {
        PlainContent content = content();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> content.add(8, FakeMember.message("x", true), 0, 0, true, false))
                .withMessageContaining("offset=8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> content.add(9, FakeMember.message("x", true), 256, 0, true, false))
                .withMessageContaining("priority=256");
    }
}
