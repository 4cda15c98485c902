package io.warren.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every benchmark starts and prints what it promises; its figures mean nothing here. */
@Timeout(60)
class BenchmarksTest {

    @TempDir
    Path directory;

    static Stream<String> names() {
        return Benchmarks.names().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldPrintRowForEverySystemWhenRun(String name) throws Exception {
        Path dependencies = Files.writeString(directory.resolve("classpath"), directory.toString());
        System.setProperty(Sizes.CORE_DEPENDENCIES_PROPERTY, dependencies.toString());
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        boolean good =
                new Benchmarks(new PrintStream(printed, true, UTF_8), Runs.here(), Effort.SMOKE, 1).run(List.of(name));

        assertThat(good).as(printed.toString(UTF_8)).isTrue();
        String summary = printed.toString(UTF_8).split("SUMMARY", -1)[1];
        assertThat(summary.lines().filter(row -> row.startsWith(name + " "))).isNotEmpty();
        Suite.all().stream()
                .filter(benchmark -> benchmark.name().equals(name))
                .flatMap(benchmark -> benchmark.systems().stream())
                .forEach(system -> assertThat(summary).contains(" " + system.name() + " "));
    }
}
