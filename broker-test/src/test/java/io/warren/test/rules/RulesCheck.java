package io.warren.test.rules;

import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of routing, core and the in-VM contracts on a core with a broken rule, and prints each that fails as it
 * fails: for {@code broker-test/rules}, which may have to end a run that hangs and counts the lines it has.
 */
final class RulesCheck {

    /** Not what is broken here: the store, the layout, the cluster; and properties, which find all of it too late. */
    private static final String LEFT_OUT = ".*(PropertyTest|\\.store\\.|architecture|Compatibility|\\.cluster\\.).*";

    private RulesCheck() {}

    /** Takes one argument: directories of test classes, separated as in a class path. */
    public static void main(String[] arguments) {
        Set<Path> roots = Arrays.stream(arguments[0].split(File.pathSeparator))
                .map(Path::of)
                .collect(Collectors.toSet());
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClasspathRoots(roots))
                .filters(includeClassNamePatterns(".*Test"), excludeClassNamePatterns(LEFT_OUT))
                .configurationParameter("junit.jupiter.execution.timeout.testable.method.default", "30 s")
                .configurationParameter("junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                .build();
        var listener = new Printer();
        LauncherFactory.create().execute(request, listener);
        System.out.println("RAN " + listener.ran);
        System.exit(0); // what a broken core left running must not keep this JVM
    }

    private static final class Printer implements TestExecutionListener {

        private int ran;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                ran++;
            }
            result.getThrowable()
                    .filter(failure -> result.getStatus() == TestExecutionResult.Status.FAILED)
                    .ifPresent(failure -> System.out.println("FAILED " + name(test) + ": " + firstLine(failure)));
        }

        private static String name(TestIdentifier test) {
            return test.getUniqueIdObject().getSegments().stream()
                    .skip(1)
                    .map(segment -> segment.getValue().replaceAll("\\(.*", "").replaceAll("^.*\\.", ""))
                    .collect(Collectors.joining("."));
        }

        private static String firstLine(Throwable failure) {
            return String.valueOf(failure.getMessage())
                    .lines()
                    .filter(line -> !line.isBlank())
                    .findFirst()
                    .orElse(failure.getClass().getSimpleName());
        }
    }
}
