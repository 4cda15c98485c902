package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

/** The examples print what they claim. */
class ExamplesTest {

    private static synchronized String printedBy(Runnable example) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, UTF_8));
        try {
            example.run();
        } finally {
            System.setOut(before);
        }
        return printed.toString(UTF_8);
    }

    @Test
    void shouldReceiveGreetingWhenHelloRuns() {
        String printed = printedBy(() -> Hello.main(new String[] {"Good", "morning"}));

        assertThat(printed).isEqualTo("received: Good morning" + System.lineSeparator());
    }

    @Test
    void shouldPrintViewsAndDeliverToTheSurvivorsWhenTheRingLosesItsMaster() {
        String printed = printedBy(() -> RingOfThree.main(new String[0]));

        assertThat(printed.lines())
                .containsExactly(
                        "view 4 reign 4 [A.1, B.1, C.1] + []",
                        "A delivers: all of us",
                        "B delivers: all of us",
                        "C delivers: all of us",
                        "A is killed",
                        "view 5 reign 5 [B.1, C.1] + []",
                        "B delivers: the two of us",
                        "C delivers: the two of us");
    }
}
