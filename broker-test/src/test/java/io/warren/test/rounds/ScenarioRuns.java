package io.warren.test.rounds;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.warren.test.mirrored.Scenario;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs scenarios of mirrored queues on three processes and prints what came of each: {@code ScenarioRuns [SCENARIO]...}. Ends with 1 if one did not come out right, or
 * none was run.
 */
public final class ScenarioRuns {
    private static final List<Class<?>> CLASSES =
            List.of(PoliciesOverProcesses.class, FailoverOverProcesses.class, RestartsOverProcesses.class);

    private ScenarioRuns() {}

    /** The scenarios that are run. */
    public static Set<String> scenarios() {
        Set<String> all = new TreeSet<>();
        CLASSES.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .forEach(method -> all.addAll(of(method)));
        return all;
    }

    private static List<String> of(Method method) {
        Scenario named = method.getAnnotation(Scenario.class);
        return named == null ? List.of() : List.of(named.value());
    }

    public static void main(String[] arguments) {
        Set<String> wanted = arguments.length == 0 ? scenarios() : Set.of(arguments);
        Printer printer = new Printer();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(CLASSES.stream()
                                        .map(type -> selectClass(type))
                                        .toList())
                                .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(isWanted(test, wanted)))
                                .build(),
                        printer);
        System.out.printf("scenarios run %d, wrong %d%n", printer.ran, printer.wrong);
        System.exit(printer.wrong == 0 && printer.ran > 0 ? 0 : 1);
    }

    private static boolean isWanted(TestDescriptor test, Set<String> wanted) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source ->
                        of(((MethodSource) source).getJavaMethod()).stream().anyMatch(wanted::contains))
                .orElse(true);
    }

    private static final class Printer implements TestExecutionListener {
        private long beganNs;
        private int ran;
        private int wrong;

        @Override
        public void executionStarted(TestIdentifier test) {
            beganNs = System.nanoTime();
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            boolean isRight = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
            if (!test.isTest() && isRight) {
                return;
            }
            ran++;
            wrong += isRight ? 0 : 1;
            System.out.printf(
                    "%s %s %s %.1f s%n",
                    isRight ? "right" : "WRONG",
                    scenariosOf(test),
                    test.getDisplayName(),
                    (System.nanoTime() - beganNs) / 1e9);
            result.getThrowable().ifPresent(failure -> failure.printStackTrace(System.out));
        }

        private static List<String> scenariosOf(TestIdentifier test) {
            return test.getSource()
                    .filter(MethodSource.class::isInstance)
                    .map(source -> of(((MethodSource) source).getJavaMethod()))
                    .orElse(List.of());
        }
    }
}
