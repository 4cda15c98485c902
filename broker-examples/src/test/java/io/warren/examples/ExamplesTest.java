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
}
