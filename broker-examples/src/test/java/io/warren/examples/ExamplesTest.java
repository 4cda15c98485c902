package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples print what they claim. */
@Timeout(60)
class ExamplesTest {

    private static final Path PRINTED = Path.of("src/test/resources/printed");

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

    /** The examples whose claim is a file of this name. */
    static Stream<Path> printed() throws IOException {
        try (Stream<Path> files = Files.list(PRINTED)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("printed")
    void shouldPrintWhatItClaims(Path claim) throws Exception {
        String name = claim.getFileName().toString().replace(".txt", "");
        Method main = Class.forName("io.warren.examples." + name).getMethod("main", String[].class);

        String printed = printedBy(() -> main.invoke(null, (Object) new String[0]));

        // Of several consumers, who is first is open.
        assertThat(printed.lines()).containsExactlyInAnyOrderElementsOf(Files.readAllLines(claim));
        if (!name.equals("PublishSubscribe")) {
            assertThat(printed.lines()).containsExactlyElementsOf(Files.readAllLines(claim));
        }
    }

    /** Each example has a test: a file above, or a method below. */
    @Test
    void shouldTestEveryExample() throws Exception {
        List<String> withMethod = List.of(
                "Cluster",
                "Failover",
                "Hello",
                "JavaClientLog",
                "Log",
                "RingOfThree",
                "RollingRestart",
                "Server",
                "SpringOrders");
        Set<String> tested = new TreeSet<>(withMethod);
        printed().forEach(file -> tested.add(file.getFileName().toString().replace(".txt", "")));

        try (Stream<Path> sources = Files.list(Path.of("src/main/java/io/warren/examples"))) {
            assertThat(sources.filter(ExamplesTest::hasMain)
                            .map(file -> file.getFileName().toString().replace(".java", "")))
                    .containsExactlyInAnyOrderElementsOf(tested);
        }
    }

    private static boolean hasMain(Path source) {
        try {
            return Files.isRegularFile(source) && Files.readString(source).contains("static void main");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void shouldPrintTableWhenLogIsRouted() throws Exception {
        String printed = printedBy(() -> Log.main(new String[0]));

        assertThat(printed.lines().limit(6))
                .containsExactly(
                        "queue        lines second try",
                        "archive       3912          0",
                        "unfinished    1117       1117",
                        "upgrades        32          0",
                        "triggers        33          0",
                        "perl             7          0");
        assertThat(printed.lines().skip(6)).singleElement().asString().startsWith("3912 lines in ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "memory"})
    void shouldRouteLogWhateverWayItTravels(String way) throws Exception {
        String printed = printedBy(() -> JavaClientLog.main(new String[] {way}));

        assertThat(printed.lines()).containsExactly("archive       3912          0", "unfinished    1117       1117");
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

    @Test
    void shouldMissNothingWhenTheMasterIsKilled() throws Exception {
        List<String> printed =
                printedBy(() -> Failover.main(new String[0])).lines().toList();

        assertThat(printed)
                .startsWith(
                        "master a, in sync b c", "a is killed, while a client of c publishes", "master b, in sync c");
        assertNothingMissing(printed);
        assertThat(numberIn(printed, "confirmed ")).isGreaterThanOrEqualTo(2_000);
    }

    @Test
    void shouldMissNothingWhenNodesAreRestartedInTurn() throws Exception {
        List<String> printed =
                printedBy(() -> RollingRestart.main(new String[0])).lines().toList();

        assertThat(printed.subList(0, 3))
                .allMatch(line -> line.matches("[abc] is back, and all copies are in sync .*"));
        assertNothingMissing(printed);
        assertThat(numberIn(printed, "confirmed ")).isGreaterThanOrEqualTo(2_000);
    }

    private static void assertNothingMissing(List<String> table) {
        assertThat(numberIn(table, "missing ")).isZero();
        assertThat(numberIn(table, "  without a reason ")).isZero();
        assertThat(numberIn(table, "received ")).isGreaterThanOrEqualTo(numberIn(table, "confirmed "));
    }

    private static int numberIn(List<String> table, String row) {
        String line =
                table.stream().filter(each -> each.startsWith(row)).findFirst().orElseThrow();
        return Integer.parseInt(line.substring(row.length()).strip().split(" ", 2)[0]);
    }
}
