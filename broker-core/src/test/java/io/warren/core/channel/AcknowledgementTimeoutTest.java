package io.warren.core.channel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a delivery is overdue. */
class AcknowledgementTimeoutTest {

    private final AcknowledgementTimeout timeout = new AcknowledgementTimeout(100);

    @Test
    void shouldFindOldestOverdueWhenItWasSeenLongAgo() {
        assertThat(timeout.isOverdue(1, 1, 0)).isFalse();
        assertThat(timeout.isOverdue(1, 5, 50)).isFalse();
        assertThat(timeout.isOverdue(1, 9, 99)).isFalse();
        assertThat(timeout.isOverdue(1, 9, 100)).isTrue();
    }

    @Test
    void shouldStartAnewWhenOldestWasAcknowledged() {
        timeout.isOverdue(1, 1, 0);
        timeout.isOverdue(1, 2, 60);

        assertThat(timeout.isOverdue(2, 2, 120)).as("2 is 60 old at least").isFalse();
        assertThat(timeout.isOverdue(2, 2, 160)).isTrue();
    }

    @Test
    void shouldForgetWhenNothingWaits() {
        timeout.isOverdue(1, 3, 0);

        assertThat(timeout.isOverdue(0, 3, 90)).isFalse();
        assertThat(timeout.isOverdue(4, 4, 110)).isFalse();
        assertThat(timeout.isOverdue(4, 4, 209)).isFalse();
        assertThat(timeout.isOverdue(4, 4, 210)).isTrue();
    }

    @Test
    void shouldKeepNoMoreThanOneMarkOfEachTag() {
        for (int now = 0; now < 100; now++) {
            assertThat(timeout.isOverdue(7, 7, now)).isFalse();
        }
        assertThat(timeout.isOverdue(7, 7, 100)).isTrue();
    }
}
