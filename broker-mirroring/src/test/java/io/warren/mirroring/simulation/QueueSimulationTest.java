package io.warren.mirroring.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueSimulationTest {
    private static final int SEEDS = 20;

    /** Three mirrored queues a seed: lemmas 6, 9 and 10 of the queues, and all of the ring's. */
    @Test
    void shouldLoseDoubleAndReorderNothing() {
        List<String> broken = new ArrayList<>();
        int counted = 0;
        int promoted = 0;

        for (long seed = 1; counted < SEEDS && seed < 3 * SEEDS; seed++) {
            Outcome outcome = Simulation.run(FaultPlan.ofQueues(seed), true, false);
            counted += outcome.counts() ? 1 : 0;
            promoted += outcome.counts() && outcome.promotions() > 0 ? 1 : 0;
            if (outcome.failure() != null) {
                broken.add("seed " + seed + ": " + outcome.failure() + " (" + Simulate.replay(true, seed) + ")");
            }
        }

        assertThat(broken).isEmpty();
        assertThat(counted).isEqualTo(SEEDS);
        assertThat(promoted).isGreaterThanOrEqualTo(SEEDS / 2);
    }

    /** The same where the bytes of messages are on the disk only, at every member, now and then. */
    @Test
    void shouldLoseNothingWhenBodiesLeaveMemory() {
        List<String> broken = new ArrayList<>();
        int read = 0;

        for (long seed = 1; seed <= SEEDS; seed++) {
            Outcome outcome = Simulation.runPaged(FaultPlan.ofQueues(seed), false);
            read += outcome.happenings().getOrDefault(Happening.READ, 0);
            if (outcome.failure() != null) {
                broken.add(
                        "seed " + seed + ": " + outcome.failure() + " (" + Simulate.replay(true, seed) + " --paged)");
            }
        }

        assertThat(broken).isEmpty();
        assertThat(read).isGreaterThan(SEEDS);
    }

    @Test
    void shouldRunTheSameWayTwiceFromOneSeed() {
        Outcome first = Simulation.run(FaultPlan.ofQueues(7), true, true);
        Outcome second = Simulation.run(FaultPlan.ofQueues(7), true, true);

        assertThat(first.trace()).isNotEmpty().isEqualTo(second.trace());
    }
}
