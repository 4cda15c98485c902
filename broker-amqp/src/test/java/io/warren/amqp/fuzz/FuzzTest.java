package io.warren.amqp.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client sends, cut anywhere and spoiled in all ways; {@link Fuzz} does it for longer. */
class FuzzTest {

    private static final int INPUTS = 20_000;

    static Iterable<Recording> recordings() {
        return Recording.all();
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void shouldAnswerTheSameWhereverTheBytesAreCut(Recording recording) {
        byte[] handshake = Recording.join(recording.handshake());
        byte[] frames = Recording.join(recording.frames());
        byte[] all = Arrays.copyOf(handshake, handshake.length + frames.length);
        System.arraycopy(frames, 0, all, handshake.length, frames.length);
        try (FuzzTarget target = new FuzzTarget()) {
            Map<Integer, List<String>> whole = target.answer(all).byChannel();
            for (int cut = 1; cut < all.length; cut++) {
                target.reset();
                Answer answer = target.answer(Arrays.copyOf(all, cut), Arrays.copyOfRange(all, cut, all.length));

                assertThat(answer.byChannel()).as("cut before byte %d", cut).isEqualTo(whole);
            }
        }
    }

    @Test
    void shouldSurviveWhateverComes() {
        Fuzz fuzz = new Fuzz(1);

        fuzz.run(0, INPUTS);

        assertThat(fuzz.endStates()).containsKeys("accepted", "501", "502", "503", "504", "505");
        assertThat(fuzz.afterHandshake()).isGreaterThan(INPUTS * 9 / 10);
        assertThat(fuzz.endStates().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(INPUTS);
    }
}
