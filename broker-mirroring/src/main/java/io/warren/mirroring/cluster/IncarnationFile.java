package io.warren.mirroring.cluster;

import io.warren.mirroring.node.NodeSettings;
import io.warren.mirroring.raft.ForcedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The number of this node's last process, in a file of its directory: its copy of the metadata may be older than that. */
final class IncarnationFile implements NodeSettings.Incarnations {
    private final Path file;

    IncarnationFile(Path directory) {
        file = directory.resolve("incarnation");
    }

    @Override
    public long last() {
        try {
            return Files.exists(file)
                    ? Long.parseLong(
                            Files.readString(file, StandardCharsets.UTF_8).strip())
                    : 0;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        } catch (NumberFormatException damaged) {
            throw new UncheckedIOException(
                    file + " holds no number: write into it one above every incarnation this node has logged",
                    new IOException(damaged));
        }
    }

    @Override
    public void begin(long incarnation) {
        try {
            ForcedFile.replace(file, (incarnation + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException unwritable) {
            throw new UncheckedIOException("cannot write " + file, unwritable);
        }
    }
}
