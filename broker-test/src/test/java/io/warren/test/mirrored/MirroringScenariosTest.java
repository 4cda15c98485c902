package io.warren.test.mirrored;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.test.rounds.ScenarioRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/mirroring-scenarios.md has a row for every scenario, and the tests that it names are there and name the scenario. */
class MirroringScenariosTest {
    private static final Pattern ROW =
            Pattern.compile("^\\| ([TSP]\\d+) \\| ([^|]+)\\|([^|]*)\\|([^|]*)\\|([^|]*)\\| ([a-z ]+) \\|$");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");
    private static final Set<String> VERDICTS = Set.of("same", "better", "differs", "not there yet");

    private record Row(List<String> tests, String verdict) {}

    private static final Map<String, Row> ROWS = new TreeMap<>();
    private static Map<String, Path> sources;

    @BeforeAll
    static void read() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        for (String line : Files.readAllLines(root.resolve("docs/mirroring-scenarios.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                List<String> tests = new ArrayList<>();
                Matcher named = TEST.matcher(row.group(5));
                while (named.find()) {
                    tests.add(named.group(1));
                }
                ROWS.put(row.group(1), new Row(tests, row.group(6)));
            }
        }
        try (Stream<Path> files = Files.walk(root.resolve("broker-test/src/test/java"))) {
            sources = files.filter(file -> file.toString().endsWith("Test.java"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            file -> file,
                            (one, two) -> one));
        }
    }

    private static Stream<String> ids(String letter, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> letter + (letter.equals("T") && number < 10 ? "0" : "") + number);
    }

    @Test
    void shouldHaveARowForEveryScenario() {
        List<String> all = Stream.of(ids("T", 51), ids("S", 9), ids("P", 8))
                .flatMap(each -> each)
                .sorted()
                .toList();

        assertThat(ROWS.keySet()).containsExactlyElementsOf(all);
    }

    @Test
    void shouldSayHowEachCompares() {
        assertThat(ROWS.values()).allSatisfy(row -> assertThat(VERDICTS).contains(row.verdict()));
        assertThat(ROWS.values())
                .filteredOn(row -> row.verdict().equals("same") || row.verdict().equals("better"))
                .allSatisfy(row -> assertThat(row.tests()).isNotEmpty());
    }

    @Test
    void shouldNameTestsThatAreThereAndNameTheScenario() {
        ROWS.forEach((id, row) -> row.tests().forEach(test -> {
            assertThat(sources).as(id).containsKey(test);
            if (!id.startsWith("S")) {
                assertThat(scenariosOf(test)).as(test).contains(id);
            }
        }));
    }

    @Test
    void shouldHaveARowForEachTestThatNamesAScenario() {
        ROWS.forEach((id, row) -> {
            List<String> naming = sources.keySet().stream()
                    .filter(test -> sources.get(test).getParent().endsWith("mirrored"))
                    .filter(test -> scenariosOf(test).contains(id))
                    .toList();
            assertThat(row.tests()).as(id).containsAll(naming);
        });
    }

    @Test
    void shouldSayWhichAreRunOnProcesses() throws IOException {
        String line =
                Files.readAllLines(Path.of("").toAbsolutePath().getParent().resolve("docs/mirroring-scenarios.md"))
                        .stream()
                        .filter(each -> each.startsWith("`broker-test/scenarios`"))
                        .findFirst()
                        .orElseThrow();

        assertThat(line).endsWith(": " + String.join(", ", ScenarioRuns.scenarios()) + ".");
    }

    private static Set<String> scenariosOf(String test) {
        try {
            return Arrays.stream(Class.forName(MirroringScenariosTest.class.getPackageName() + "." + test)
                            .getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Scenario.class))
                    .flatMap(method ->
                            Arrays.stream(method.getAnnotation(Scenario.class).value()))
                    .collect(Collectors.toSet());
        } catch (ClassNotFoundException elsewhere) {
            return Set.of();
        }
    }
}
