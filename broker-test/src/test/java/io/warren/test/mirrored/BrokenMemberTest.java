package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.DETECTED;
import static io.warren.test.mirrored.Mirrored.WAIT;
import static io.warren.test.mirrored.Mirrored.texts;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The master's process of the queue ends though its node goes on: what it reads from its disk is not what it wrote. */
class BrokenMemberTest {
    /** More than a master reads ahead. */
    private static final int COUNT = 5_000;

    @TempDir
    private Path directory;

    private Mirrored mirrored;

    @BeforeEach
    void begin() {
        mirrored = Mirrored.onDisk(3, directory);
        mirrored.policy(Map.of("ha-mode", "all", "queue-mode", "lazy"));
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, COUNT);
    }

    @AfterEach
    void stop() {
        mirrored.close();
    }

    /** Turns over a bit of each body of this text that the node's disk has. */
    private void damage(String node, String text) throws IOException {
        byte[] wanted = text.getBytes(US_ASCII);
        int damaged = 0;
        for (Path file : files(directory.resolve(node).resolve("copies"))) {
            byte[] bytes = Files.readAllBytes(file);
            boolean isDamaged = false;
            for (int at = 0; at + wanted.length <= bytes.length; at++) {
                if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                    bytes[at] ^= 1;
                    isDamaged = true;
                }
            }
            if (isDamaged) {
                Files.write(file, bytes);
                damaged++;
            }
        }
        assertThat(damaged).isPositive();
    }

    private static List<Path> files(Path copies) throws IOException {
        try (Stream<Path> files = Files.list(copies)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    @Scenario("T41")
    void shouldBeLedByASlaveThatHoldsEverything() throws IOException {
        damage("a", "m4500");

        Set<String> seen = Collections.synchronizedSet(new LinkedHashSet<>());
        mirrored.consumer("c").consume("orders", delivery -> {
            seen.add(delivery.text());
            delivery.ack();
        });
        // The next master has to find that this member does not answer.
        await().atMost(WAIT).until(() -> {
            mirrored.pass(DETECTED);
            return seen.size() == COUNT;
        });

        assertThat(List.copyOf(seen)).isEqualTo(texts(0, COUNT));
        assertThat(mirrored.master()).isIn("b", "c");
        mirrored.assertInSync(mirrored.master().equals("b") ? "c" : "b");
        assertThat(mirrored.cluster().status("a").paused()).isFalse();
    }
}
