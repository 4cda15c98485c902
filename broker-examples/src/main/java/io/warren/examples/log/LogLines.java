package io.warren.examples.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A log of dpkg, Debian's package manager, as it wrote it.
 *
 * <p>The one that is shipped is the first 3,912 lines of a machine's own: its base system was put together on 24 June 2025, and
 * packages for building software were added on 9 May 2026.
 */
public final class LogLines {

    private LogLines() {}

    /** The lines of a file, or of the log that is shipped. */
    public static List<String> read(@Nullable String file) throws IOException {
        if (file != null) {
            if (!Files.isReadable(Path.of(file))) {
                throw new IllegalArgumentException("there is no file '" + file + "' to read");
            }
            return Files.readAllLines(Path.of(file));
        }
        try (InputStream shipped = Objects.requireNonNull(LogLines.class.getResourceAsStream("/dpkg.log"))) {
            return new String(shipped.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    /**
     * What a line is about, from the general to the particular: {@code install.bash:amd64}, {@code
     * status.half-configured.bash:amd64}.
     */
    public static String routingKey(String line) {
        String[] words = line.split(" ", 6);
        int last = words.length > 2 && words[2].equals("status") ? 4 : 3;
        StringBuilder key = new StringBuilder();
        for (int i = 2; i <= last && i < words.length; i++) {
            key.append(key.isEmpty() ? "" : ".").append(words[i]);
        }
        return key.toString();
    }
}
