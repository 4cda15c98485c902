package io.warren.mirroring.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The mutations that {@code broker-mirroring/simulate --mutation} applies have to keep up with the source. */
class MutationsTest {
    private static final Path MUTATIONS = Path.of("src/test/mutations");

    @Test
    void shouldApplyToThePresentSource() throws IOException {
        List<Path> patches;
        try (Stream<Path> files = Files.list(MUTATIONS)) {
            patches = files.sorted().toList();
        }
        List<String> stale = new ArrayList<>();

        for (Path patch : patches) {
            stale.addAll(staleHunks(patch));
        }

        assertThat(patches).hasSizeGreaterThanOrEqualTo(20);
        assertThat(stale).isEmpty();
    }

    /** The hunks whose old text is not in the file they name, exactly once. */
    private static List<String> staleHunks(Path patch) throws IOException {
        List<String> stale = new ArrayList<>();
        String source = "";
        StringBuilder old = new StringBuilder();
        for (String line : Files.readAllLines(patch)) {
            if (line.startsWith("--- a/")) {
                checkHunk(patch, source, old, stale);
                source = Files.readString(Path.of(line.substring("--- a/".length())));
            } else if (line.startsWith("@@")) {
                checkHunk(patch, source, old, stale);
            } else if (line.startsWith(" ") || (line.startsWith("-") && !line.startsWith("--- "))) {
                old.append(line.substring(1)).append('\n');
            }
        }
        checkHunk(patch, source, old, stale);
        return stale;
    }

    private static void checkHunk(Path patch, String source, StringBuilder old, List<String> stale) {
        if (old.length() > 0) {
            int at = source.indexOf(old.toString());
            if (at < 0 || source.indexOf(old.toString(), at + 1) >= 0) {
                stale.add(patch.getFileName() + ": " + old);
            }
            old.setLength(0);
        }
    }
}
