package io.warren.core.queue;

import static io.warren.core.queue.QueueSettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.metadata.QueueSettings;
import io.warren.core.spi.BackingQueue;
import org.junit.jupiter.api.Test;

class ExpiryTest {

    private static final QueueSettings WITHOUT = settings().build();
    private static final QueueSettings OF_FIVE_MS =
            settings().messageTtlNs(5_000_000).build();

    @Test
    void shouldNeverComeWhenNobodyAskedForIt() {
        assertThat(Expiry.atNs(Messages.message("m"), WITHOUT, 100)).isEqualTo(BackingQueue.NEVER);
    }

    @Test
    void shouldCountFromArrivalWhenQueueHasTimeToLive() {
        assertThat(Expiry.atNs(Messages.message("m"), OF_FIVE_MS, 100)).isEqualTo(5_000_100);
    }

    @Test
    void shouldCountFromArrivalWhenMessageHasExpiration() {
        assertThat(Expiry.atNs(Messages.expiring("m", 3), WITHOUT, 100)).isEqualTo(3_000_100);
    }

    @Test
    void shouldTakeTheSmallerWhenBothAreGiven() {
        assertThat(Expiry.atNs(Messages.expiring("m", 3), OF_FIVE_MS, 100)).isEqualTo(3_000_100);
        assertThat(Expiry.atNs(Messages.expiring("m", 7), OF_FIVE_MS, 100)).isEqualTo(5_000_100);
    }

    @Test
    void shouldComeAtOnceWhenTimeToLiveIsZero() {
        assertThat(Expiry.atNs(Messages.expiring("m", 0), WITHOUT, 100)).isEqualTo(100);
    }

    @Test
    void shouldNeverComeWhenItIsBeyondWhatALongHolds() {
        assertThat(Expiry.atNs(Messages.expiring("m", Long.MAX_VALUE), WITHOUT, 100))
                .isEqualTo(BackingQueue.NEVER);
        assertThat(Expiry.saturatedSum(100, Long.MAX_VALUE - 99)).isEqualTo(BackingQueue.NEVER);
        assertThat(Expiry.saturatedSum(100, Long.MAX_VALUE - 101)).isEqualTo(Long.MAX_VALUE - 1);
    }

    @Test
    void shouldComeWhenClockIsBelowZero() {
        assertThat(Expiry.saturatedSum(-100, 30)).isEqualTo(-70);
    }
}
