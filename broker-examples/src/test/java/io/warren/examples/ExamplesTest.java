package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples print what they claim. */
@Timeout(60)
class ExamplesTest {

    /** A main method. */
    private interface Example {
        void run() throws Exception;
    }

    private static synchronized String printedBy(Example example) throws Exception {
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
    void shouldReceiveGreetingWhenHelloRuns() throws Exception {
        String printed = printedBy(() -> Hello.main(new String[] {"Good", "morning"}));

        assertThat(printed).isEqualTo("received: Good morning" + System.lineSeparator());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "memory"})
    void shouldRouteLogWhateverWayItTravels(String way) throws Exception {
        String printed = printedBy(() -> JavaClientLog.main(new String[] {way}));

        assertThat(printed.lines())
                .containsExactly(
                        "archive      1500 lines, 0 of them at the second try",
                        "unfinished    447 lines, 447 of them at the second try");
    }

    @Test
    void shouldTellWhatBecameOfEveryOrderWhenSpringRuns() throws Exception {
        String printed = printedBy(() -> SpringOrders.main(new String[0]));

        assertThat(printed.lines().filter(line -> !line.startsWith(" ")))
                .containsExactly(
                        "no exchange: refused",
                        "no queue: confirmed, but returned: NO_ROUTE",
                        "two books: confirmed",
                        "minus one book: confirmed");
        assertThat(printed.lines().filter(line -> line.startsWith(" ")))
                .containsExactly(
                        "  delivered two books",
                        "  cannot deliver minus one book",
                        "  cannot deliver minus one book",
                        "  cannot deliver minus one book",
                        "  given up: minus one book");
    }

    @Test
    void shouldPrintViewsAndDeliverToTheSurvivorsWhenTheRingLosesItsMaster() throws Exception {
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
