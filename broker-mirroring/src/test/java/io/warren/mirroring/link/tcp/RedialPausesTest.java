package io.warren.mirroring.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RedialPausesTest {
    private final RedialPauses pauses = new RedialPauses(Duration.ofMillis(100));

    @Test
    void shouldDoubleUpToTheLimitWhenAttemptsFail() {
        assertThat(LongStream.generate(pauses::afterAttempt).limit(7)).containsExactly(2L, 4L, 8L, 16L, 32L, 64L, 100L);
    }

    @Test
    void shouldDialAtOnceWhenALinkHasLasted() {
        pauses.afterAttempt();
        pauses.afterAttempt();

        assertThat(pauses.afterLink(Duration.ofMillis(100))).isZero();
        assertThat(pauses.afterAttempt()).isEqualTo(RedialPauses.FIRST_MS);
    }

    @Test
    void shouldWaitEverLongerWhenLinksAreCutAsSoonAsTheyAreThere() {
        assertThat(new long[] {
                    pauses.afterLink(Duration.ofMillis(1)),
                    pauses.afterLink(Duration.ZERO),
                    pauses.afterLink(Duration.ofMillis(99)),
                    pauses.afterLink(Duration.ZERO)
                })
                .containsExactly(2, 4, 8, 16);
    }
}
