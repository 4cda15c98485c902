package io.warren.mirroring.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.spi.ManualClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A lease that is asked for before every word is looked up now and then. */
class LeaseWatchTest {
    private static final long PERIOD_NS = 1_600;

    private final ManualClock clock = new ManualClock();
    private final AtomicInteger looks = new AtomicInteger();
    private boolean isHeld = true;
    private final LeaseWatch watch = new LeaseWatch(
            nowNs -> {
                looks.incrementAndGet();
                return isHeld;
            },
            clock,
            PERIOD_NS);

    @Test
    void shouldLookAFewTimesInEachPeriod() {
        for (int i = 0; i < PERIOD_NS; i++) {
            assertThat(watch.isHeld()).isTrue();
            clock.advance(Duration.ofNanos(1));
        }

        assertThat(looks).hasValue(16);
    }

    @Test
    void shouldNoticeWithinAPartOfAPeriodThatItIsLost() {
        assertThat(watch.isHeld()).isTrue();
        isHeld = false;

        clock.advance(Duration.ofNanos(PERIOD_NS / 16));

        assertThat(watch.isHeld()).isFalse();
    }

    @Test
    void shouldNoticeAtOnceThatItIsHeldAgain() {
        isHeld = false;
        assertThat(watch.isHeld()).isFalse();

        isHeld = true;

        assertThat(watch.isHeld()).isTrue();
    }
}
