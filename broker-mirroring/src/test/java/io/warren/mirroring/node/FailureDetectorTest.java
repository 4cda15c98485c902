package io.warren.mirroring.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Heartbeats every 10 ns. */
class FailureDetectorTest {
    private final FailureDetector detector = new FailureDetector(10, 0);

    private void tick(long... atNs) {
        for (long at : atNs) {
            detector.onTick(at);
        }
    }

    @Test
    void shouldTakeANodeForDownAfterFourMissedHeartbeats() {
        tick(10, 20, 30, 40, 50, 60, 70);

        assertThat(detector.isDown(30, 70)).isFalse();
        assertThat(detector.isDown(29, 70)).isTrue();
    }

    @Test
    void shouldWaitForANodeItNeverHeardAsLong() {
        tick(10, 20, 30, 40);
        assertThat(detector.isDown(Peers.NEVER, 40)).isFalse();

        tick(50);
        assertThat(detector.isDown(Peers.NEVER, 50)).isTrue();
    }

    @Test
    void shouldJudgeNobodyAfterItWasAwayItself() {
        tick(10, 20, 1_000);

        assertThat(detector.isDown(20, 1_000)).isFalse();
        tick(1_010, 1_020, 1_030, 1_040, 1_050);
        assertThat(detector.isDown(20, 1_050)).isTrue();
    }
}
