package io.warren.amqp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.amqp.method.BasicMethod.Ack;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConfirmBatchTest {

    private final ConfirmBatch batch = new ConfirmBatch();

    private List<Ack> flush() {
        List<Ack> acks = new ArrayList<>();
        batch.flush(acks::add);
        return acks;
    }

    @Test
    void shouldSayOneForAllWhenTheyCameInOrder() {
        batch.onConfirmed(1);
        batch.onConfirmed(2);
        batch.onConfirmed(3);

        assertThat(flush()).containsExactly(new Ack(3, true));
        assertThat(flush()).isEmpty();
    }

    @Test
    void shouldSayOneAloneWhenAnEarlierIsMissing() {
        batch.onConfirmed(1);
        batch.onConfirmed(3);

        assertThat(flush()).containsExactly(new Ack(1, false), new Ack(3, false));
    }

    @Test
    void shouldNotRepeatWhatWasSaidBeyondAGapWhenItCloses() {
        batch.onConfirmed(2);
        assertThat(flush()).containsExactly(new Ack(2, false));

        batch.onConfirmed(1);
        assertThat(flush()).containsExactly(new Ack(1, false));

        batch.onConfirmed(3);
        assertThat(flush()).containsExactly(new Ack(3, false));
    }

    @Test
    void shouldLeaveOutRejectedWhenOthersAreConfirmed() {
        batch.onRejected(1);
        batch.onConfirmed(2);

        assertThat(flush()).containsExactly(new Ack(2, false));
    }

    @Test
    void shouldCoverAllWhenTheyCameInReverse() {
        batch.onConfirmed(3);
        batch.onConfirmed(2);
        batch.onConfirmed(1);

        assertThat(flush()).containsExactly(new Ack(3, true));
    }
}
