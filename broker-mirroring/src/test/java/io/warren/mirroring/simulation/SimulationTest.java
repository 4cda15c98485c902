package io.warren.mirroring.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimulationTest {
    /** From here on 200 counted seeds see every kind of fault, the rarest, a promotion by policy, five times. */
    private static final long FROM = 300;

    /** Lemmas 1 to 9 and 11 to 15 after every step, 200 counted seeds. */
    @Test
    void shouldHoldEveryLemmaInTwoHundredSeeds() {
        List<String> broken = new ArrayList<>();
        Set<FaultKind> struck = EnumSet.noneOf(FaultKind.class);
        int counted = 0;

        for (long seed = FROM; counted < 200 && seed < FROM + 400; seed++) {
            Outcome outcome = Simulation.run(FaultPlan.of(seed));
            counted += outcome.counts() ? 1 : 0;
            struck.addAll(outcome.struck().keySet());
            if (outcome.failure() != null) {
                broken.add("seed " + seed + ": " + outcome.failure() + " (broker-mirroring/simulate --seeds 1 --from "
                        + seed + " --trace)");
            }
        }

        assertThat(broken).isEmpty();
        assertThat(counted).isEqualTo(200);
        assertThat(struck).containsExactlyInAnyOrder(FaultKind.values());
    }

    @Test
    void shouldRunTheSameWayTwiceFromOneSeed() {
        Outcome first = Simulation.runTraced(FaultPlan.of(11));
        Outcome second = Simulation.runTraced(FaultPlan.of(11));

        assertThat(first.trace()).isNotEmpty().isEqualTo(second.trace());
    }
}
