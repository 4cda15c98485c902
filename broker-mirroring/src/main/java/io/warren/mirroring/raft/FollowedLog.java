package io.warren.mirroring.raft;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Which metadata log a node follows, as its directory knows it. Read before anything else of a directory: what is there of other
 * logs was left behind and goes.
 *
 * @param joining whether the node has yet to be taken in: whoever votes may not know it, and it holds nothing that counts
 * @param addresses where others of the log were reached last
 */
record FollowedLog(long logId, boolean joining, List<String> addresses) {
    private static final String FILE = "followed-log";
    private static final String VERSION = "1";

    FollowedLog {
        addresses = List.copyOf(addresses);
    }

    /** What is written in a directory, or null if nothing is. */
    static @Nullable FollowedLog read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return null;
        }
        Properties lines = new Properties();
        lines.load(new StringReader(Files.readString(file, StandardCharsets.UTF_8)));
        String version = lines.getProperty("version");
        if (!VERSION.equals(version)) {
            throw new IOException(file + " has version=" + version + ", this one reads " + VERSION);
        }
        List<String> addresses = new ArrayList<>();
        for (int i = 0; lines.getProperty("address." + i) != null; i++) {
            addresses.add(lines.getProperty("address." + i));
        }
        try {
            return new FollowedLog(
                    Long.parseUnsignedLong(lines.getProperty("log", ""), 16),
                    Boolean.parseBoolean(lines.getProperty("joining")),
                    addresses);
        } catch (NumberFormatException damaged) {
            throw new IOException(file + " names no log", damaged);
        }
    }

    void write(Path directory) throws IOException {
        Properties lines = new Properties();
        lines.setProperty("version", VERSION);
        lines.setProperty("log", Long.toHexString(logId));
        lines.setProperty("joining", Boolean.toString(joining));
        for (int i = 0; i < addresses.size(); i++) {
            lines.setProperty("address." + i, addresses.get(i));
        }
        StringWriter text = new StringWriter();
        lines.store(text, "The metadata log this node follows. Written by the node.");
        ForcedFile.replace(directory.resolve(FILE), text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
