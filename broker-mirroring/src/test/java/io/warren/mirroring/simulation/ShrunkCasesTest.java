package io.warren.mirroring.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The smallest plan the shrinker found for each mutation under {@code src/test/mutations}: broken under the mutation, held by the
 * source as it is.
 */
class ShrunkCasesTest {
    /** Lemma 9, under the mutation a-broadcast-sent-again-taken-as-new (seed 1). */
    @Test
    void shouldOrderABroadcastOnceWhenItIsSentAgain() {
        assertHolds(new FaultPlan(1L, 4, 2, 44, List.of()));
    }

    /** Lemma 12, under the mutation a-gap-after-a-return-from-disk-never-closed (seed 772). */
    @Test
    void shouldTakeTheNextBroadcastOfASurvivorWhenItsLastOnesWereLost() {
        assertHolds(new FaultPlan(772L, 4, 2, 34, List.of(new Fault(FaultKind.STALL, 1957, 652, 1, 3), new Fault(FaultKind.LEAVE, 4381, 858, 2, 0), new Fault(FaultKind.CRASH, 7767, 2846, 3, 2))));
    }

    /** Lemma 8, under the mutation accept-a-growth-of-another-epoch (seed 6). */
    @Test
    void shouldRefuseAGrowthWhenItWasDecidedInAnotherEpoch() {
        assertHolds(new FaultPlan(6L, 5, 1, 556, List.of(new Fault(FaultKind.CRASH, 846, 2201, 1, 0), new Fault(FaultKind.MEMBERS, 2447, 3063, 3, 2), new Fault(FaultKind.PARTITION, 5577, 700, 2, 1), new Fault(FaultKind.CRASH, 5992, 573, 0, 2), new Fault(FaultKind.MEMBERS, 6114, 224, 2, 4))));
    }

    private static void assertHolds(FaultPlan plan) {
        Outcome outcome = Simulation.run(plan);

        assertThat(outcome.failure()).isNull();
        assertThat(outcome.healTicks()).isNotNegative();
    }
}
