package io.warren.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a user of a broker gets onto the class path. */
final class Sizes {

    private Sizes() {}

    /**
     * Kibibytes of broker-core itself and with all it depends on.
     *
     * @see #CORE_DEPENDENCIES_PROPERTY
     */
    static double[] core() throws IOException {
        Path core = coreJar();
        double ownKib = bytes(core) / 1_024.0;
        double allKib = ownKib;
        for (String entry : Files.readString(dependencies()).trim().split(File.pathSeparator, -1)) {
            allKib += bytes(Path.of(entry)) / 1_024.0;
        }
        return new double[] {ownKib, allKib};
    }

    /** System property: a file with the class path of what broker-core needs at run time, as Maven prints it. */
    static final String CORE_DEPENDENCIES_PROPERTY = "warren.core.dependencies";

    private static Path dependencies() {
        String file = System.getProperty(CORE_DEPENDENCIES_PROPERTY);
        if (file == null) {
            throw new IllegalStateException("-D" + CORE_DEPENDENCIES_PROPERTY + " is not set: use the run script");
        }
        return Path.of(file);
    }

    private static Path coreJar() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.contains("broker-core"))
                .findFirst()
                .map(Path::of)
                .orElseThrow(() -> new IllegalStateException("broker-core is not on the class path"));
    }

    private static long bytes(Path entry) throws IOException {
        try (Stream<Path> files = Files.walk(entry)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
