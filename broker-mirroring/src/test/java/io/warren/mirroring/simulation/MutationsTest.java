package io.warren.mirroring.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The mutations that {@code broker-mirroring/simulate --mutation} applies have to keep up with the source. Those of queues begin with the seed that
 * breaks them.
 */
class MutationsTest {
    private static final Path MUTATIONS = Path.of("src/test/mutations");
    private static final Pattern SEED = Pattern.compile("Broken by seed (\\d+):.*");

    private static List<Path> patches() throws IOException {
        try (Stream<Path> files = Files.list(MUTATIONS)) {
            return files.sorted().toList();
        }
    }

    /** What breaks under a mutation holds in the source as it is. */
    @Test
    void shouldHoldInEverySeedThatBreaksAMutationOfQueues() throws IOException {
        Set<Long> seeds = new TreeSet<>();
        List<String> broken = new ArrayList<>();
        int ofQueues = 0;
        for (Path patch : patches()) {
            if (patch.getFileName().toString().startsWith("queue-")) {
                ofQueues++;
                Matcher first = SEED.matcher(Files.readAllLines(patch).get(0));
                assertThat(first.matches()).as("%s begins with its seed", patch).isTrue();
                seeds.add(Long.valueOf(first.group(1)));
            }
        }

        for (long seed : seeds) {
            String failure =
                    Simulation.run(FaultPlan.ofQueues(seed), true, false).failure();
            if (failure != null) {
                broken.add("seed " + seed + ": " + failure);
            }
        }

        assertThat(ofQueues).isGreaterThanOrEqualTo(28);
        assertThat(broken).isEmpty();
    }

    @Test
    void shouldApplyToThePresentSource() throws IOException {
        List<Path> patches = patches();
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
