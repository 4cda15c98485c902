package io.warren.benchmarks.growth;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** Runs the benchmarks of growth by name and hands out their tables. */
public final class Growth {

    /** A benchmark: its class, what it asks, and the name of what grows. */
    private record Question(Class<?> benchmark, String text, String unit) {}

    private static final Map<String, Question> QUESTIONS = new TreeMap<>(Map.of(
            "growth-queue",
            new Question(QueueLength.class, "a publish and a get, by length of the queue", "messages"),
            "growth-bindings",
            new Question(Bindings.class, "the route of a key through a topic exchange, by bindings", "bindings"),
            "growth-confirms",
            new Question(
                    OutstandingConfirms.class, "a publish and a confirm, by publishes unconfirmed", "outstanding")));

    private static final int ITERATIONS = 5;
    private static final int WARM_UPS = 3;
    private static final TimeValue SMOKE_TIME = TimeValue.milliseconds(1);

    /**
     * One row of a table.
     *
     * @param what how much there was, such as {@code 1,000 messages}
     * @param count iterations, each of a second
     */
    public record Step(String what, double medianNs, double leastNs, double greatestNs, long count) {}

    private Growth() {}

    public static List<String> names() {
        return List.copyOf(QUESTIONS.keySet());
    }

    public static String question(String name) {
        return question0(name).text();
    }

    private static Question question0(String name) {
        Question question = QUESTIONS.get(name);
        if (question == null) {
            throw new IllegalArgumentException("name=" + name + " is not in " + names());
        }
        return question;
    }

    /**
     * Measures a table.
     *
     * @param smoke only whether it works, in this JVM and at the smallest size
     */
    public static List<Step> run(String name, boolean smoke) throws RunnerException {
        Question question = question0(name);
        OptionsBuilder options = new OptionsBuilder();
        options.include("\\." + question.benchmark().getSimpleName() + "\\.")
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .jvmArgs("-Xms2g", "-Xmx2g");
        if (smoke) {
            options.forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(SMOKE_TIME)
                    .param("size", "100");
        } else {
            options.forks(1).warmupIterations(WARM_UPS).warmupTime(TimeValue.seconds(1));
            options.measurementIterations(ITERATIONS).measurementTime(TimeValue.seconds(1));
        }
        return steps(new Runner(options.build()).run(), question.unit());
    }

    private static List<Step> steps(Collection<RunResult> results, String unit) {
        List<Step> steps = new ArrayList<>();
        for (RunResult result : results) {
            Statistics times = result.getPrimaryResult().getStatistics();
            String size = result.getParams().getParam("size");
            steps.add(new Step(
                    String.format(Locale.ROOT, "%,d %s", Long.parseLong(size), unit),
                    times.getPercentile(50),
                    times.getMin(),
                    times.getMax(),
                    times.getN()));
        }
        return steps;
    }
}
