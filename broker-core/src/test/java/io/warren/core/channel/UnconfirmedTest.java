package io.warren.core.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.channel.Unconfirmed.Outcome;
import org.junit.jupiter.api.Test;

class UnconfirmedTest {

    private final Unconfirmed unconfirmed = new Unconfirmed();

    @Test
    void shouldBeConfirmedWhenItsOnlyQueueHasIt() {
        unconfirmed.add(1, 1);
        unconfirmed.add(2, 1);

        assertThat(unconfirmed.confirmed(1)).isEqualTo(Outcome.CONFIRMED);
        assertThat(unconfirmed.confirmed(1)).isEqualTo(Outcome.OPEN);
        assertThat(unconfirmed.confirmed(2)).isEqualTo(Outcome.CONFIRMED);

        assertThat(unconfirmed.isEmpty()).isTrue();
    }

    @Test
    void shouldStayOpenUntilTheLastOfItsQueuesHasIt() {
        unconfirmed.add(1, 3);
        unconfirmed.add(2, 2);

        assertThat(unconfirmed.confirmed(1)).isEqualTo(Outcome.OPEN);
        assertThat(unconfirmed.confirmed(1)).isEqualTo(Outcome.OPEN);
        assertThat(unconfirmed.size()).isEqualTo(2);
        assertThat(unconfirmed.confirmed(1)).isEqualTo(Outcome.CONFIRMED);

        assertThat(unconfirmed.size()).isEqualTo(1);
        assertThat(unconfirmed.isEmpty()).isFalse();
    }

    @Test
    void shouldBeDecidedWhenOneRefuses() {
        unconfirmed.add(1, 3);
        unconfirmed.confirmed(1);

        assertThat(unconfirmed.rejected(1)).isEqualTo(Outcome.REJECTED);
        assertThat(unconfirmed.rejected(1)).isEqualTo(Outcome.OPEN);
        assertThat(unconfirmed.confirmed(1)).isEqualTo(Outcome.OPEN);

        assertThat(unconfirmed.isEmpty()).isTrue();
    }
}
