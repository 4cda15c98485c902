package io.warren.mirroring.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Node A, heartbeats every 100. */
class LeaseTest {
    private static final List<String> VOTERS = List.of("A", "B", "C", "D", "E");

    private final Lease lease = new Lease("A", 100);

    @Test
    void shouldLastThreePeriodsFromTheSendingOfWhatTheControllerAnswered() {
        lease.onAnswered("B", 1_000);

        assertThat(lease.isHeld("B", VOTERS, 1_299)).isTrue();
        assertThat(lease.isHeld("B", VOTERS, 1_300)).isFalse();
    }

    @Test
    void shouldLastAsLongAsAMajorityAnswersWhenThereIsNoController() {
        lease.onAnswered("C", 1_000);
        assertThat(lease.isHeld(null, VOTERS, 1_010)).isFalse();

        lease.onAnswered("D", 1_005);

        assertThat(lease.isHeld(null, VOTERS, 1_010)).isTrue();
        assertThat(lease.isHeld(null, VOTERS, 1_301)).isFalse();
    }

    @Test
    void shouldNotTakeAnEarlierAnswerForALaterOne() {
        lease.onAnswered("B", 1_000);
        lease.onAnswered("B", 900);

        assertThat(lease.isHeld("B", VOTERS, 1_250)).isTrue();
    }

    @Test
    void shouldNotHoldByItselfWhenItIsTheControllerAndHearsNoMajority() {
        lease.onAnswered("B", 1_000);

        assertThat(lease.isHeld("A", VOTERS, 1_010)).isFalse();
        assertThat(lease.isHeld("A", List.of("A"), 9_999)).isTrue();
    }
}
