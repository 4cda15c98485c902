package io.warren.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitingConfirmsTest {

    @Test
    void shouldConfirmOnceAndOnlyWhatIsSafeWhenOffsetGrows() {
        FakeChannel a = new FakeChannel("a");
        FakeChannel b = new FakeChannel("b");
        RecordingQueueOutput output = new RecordingQueueOutput();
        WaitingConfirms confirms = new WaitingConfirms();
        confirms.add(3, a, 1);
        confirms.add(5, b, 1);
        confirms.add(6, a, 2);

        confirms.confirmUpTo(2, output);
        assertThat(output.effects).isEmpty();
        confirms.confirmUpTo(5, output);
        confirms.confirmUpTo(5, output);

        assertThat(output.effects).containsExactly(new QueueEffect.Confirmed(a, 1), new QueueEffect.Confirmed(b, 1));
    }
}
