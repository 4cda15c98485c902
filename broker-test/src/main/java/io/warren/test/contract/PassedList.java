package io.warren.test.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The committed list of contracts that passed on a deployment, one id a line, sorted.
 *
 * <p>A run changes only the lines of the classes it ran, so that one class can be recorded alone.
 */
final class PassedList {
    private final String deployment;
    private final TreeMap<String, Boolean> outcomes = new TreeMap<>();

    PassedList(String deployment) {
        this.deployment = deployment;
    }

    void onPassed(String testId) {
        outcomes.merge(testId, true, Boolean::logicalAnd);
    }

    void onNotPassed(String testId) {
        outcomes.put(testId, false);
    }

    void write() {
        try {
            merge();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void merge() throws IOException {
        Path file = Path.of(System.getProperty("basedir", "."), "src/test/resources/passed-on-" + deployment + ".txt");
        var lines = new TreeSet<String>();
        if (Files.exists(file)) {
            lines.addAll(Files.readAllLines(file));
        }
        var classes = new TreeSet<String>();
        outcomes.keySet().forEach(id -> classes.add(className(id)));
        lines.removeIf(id -> classes.contains(className(id)));
        outcomes.forEach((id, passed) -> {
            if (passed) {
                lines.add(id);
            }
        });
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, lines);
    }

    private static String className(String testId) {
        return testId.substring(0, testId.indexOf('.'));
    }
}
