package io.warren.mirroring.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The smallest plan the shrinker found for each mutation under {@code src/test/mutations}: broken under the mutation, held by the
 * source as it is.
 */
class ShrunkCasesTest {
    /** Lemma 7, under the mutation accept-another-epoch (seed 3). */
    @Test
    void shouldIgnoreAFrameWhenItIsOfAnotherEpoch() {
        assertHolds(new FaultPlan(3L, 3, 2, 273, List.of(new Fault(FaultKind.FREEZE, 4948, 1677, 2, 0), new Fault(FaultKind.DELAY, 6404, 1849, 2, 1))));
    }

    /** Lemma 12, under the mutation an-early-hello-dropped (seed 2). */
    @Test
    void shouldKeepAHelloWhenItComesBeforeItsView() {
        assertHolds(new FaultPlan(2L, 5, 2, 5, List.of()));
    }

    /** Lemma 12, under the mutation keep-no-kept-set (seed 1). */
    @Test
    void shouldCarryOnFromAKeptMemberWhenTheLastInSyncOneIsGone() {
        assertHolds(new FaultPlan(1L, 4, 2, 7, List.of(new Fault(FaultKind.POWER, 7879, 1212, 0, 2))));
    }

    private static void assertHolds(FaultPlan plan) {
        Outcome outcome = Simulation.run(plan);

        assertThat(outcome.failure()).isNull();
        assertThat(outcome.healTicks()).isNotNegative();
    }
}
