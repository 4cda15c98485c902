package io.warren.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where a run takes place: in a JVM of its own, or in this one. */
@FunctionalInterface
interface Runs {

    double[] run(Benchmark benchmark, String system, Effort effort) throws Exception;

    /** In this JVM: for tests, because brokers then share what the compiler learnt. */
    static Runs here() {
        return (benchmark, system, effort) ->
                benchmark.system(system).measurement().run(effort);
    }

    /** In a JVM of its own, with this one's class path and options. */
    static Runs forked() {
        return Forked::run;
    }

    /** The forked JVM: its main, and how it is called. */
    final class Forked {

        private static final String RESULT = "RESULT";

        /** The same heap for everyone, large enough for the backlog; no resizing while it is measured. */
        private static final List<String> JVM_OPTIONS = List.of("-Xms2g", "-Xmx2g");

        private Forked() {}

        /** Arguments: benchmark, system, effort. */
        public static void main(String[] args) throws Exception {
            Benchmark benchmark = Benchmarks.named(args[0]);
            double[] values = benchmark.system(args[1]).measurement().run(Effort.named(args[2]));
            StringBuilder line = new StringBuilder(RESULT);
            for (double value : values) {
                line.append(' ').append(value);
            }
            System.out.println(line);
            System.exit(0); // not every system's threads are daemons
        }

        private static double[] run(Benchmark benchmark, String system, Effort effort) throws Exception {
            Process jvm = new ProcessBuilder(command(benchmark, system, effort))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            double[] values = null;
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith(RESULT)) {
                        values = parse(line);
                    }
                }
            } finally {
                jvm.destroy();
            }
            int status = jvm.waitFor();
            if (values == null) {
                throw new IOException(system + " ended with status " + status + " and no result");
            }
            return values;
        }

        private static List<String> command(Benchmark benchmark, String system, Effort effort) {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            Stream<String> properties = Stream.ofNullable(System.getProperty(Sizes.CORE_DEPENDENCIES_PROPERTY))
                    .map(file -> "-D" + Sizes.CORE_DEPENDENCIES_PROPERTY + "=" + file);
            Stream<String> program = Stream.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    Forked.class.getName(),
                    benchmark.name(),
                    system,
                    effort.name());
            return Stream.of(Stream.of(java), JVM_OPTIONS.stream(), properties, program)
                    .flatMap(part -> part)
                    .toList();
        }

        private static double[] parse(String line) {
            return Stream.of(line.split(" ", -1))
                    .skip(1)
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        }
    }
}
