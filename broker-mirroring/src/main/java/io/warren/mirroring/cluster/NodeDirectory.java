package io.warren.mirroring.cluster;

import io.warren.mirroring.raft.ForcedFile;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A node's directory, for one process at a time: whose it is, and that nobody else uses it. */
final class NodeDirectory implements AutoCloseable {
    private static final String LOCK = "in-use";
    private static final String IDENTITY = "node";

    private final Path directory;
    private final FileChannel locked;

    /**
     * Whose directory it is.
     *
     * @param host and port where the node was reached last
     */
    record Identity(String node, String host, int port) {}

    private NodeDirectory(Path directory, FileChannel locked) {
        this.directory = directory;
        this.locked = locked;
    }

    /** @throws IOException if another process uses it, or it cannot be used */
    static NodeDirectory open(Path directory) throws IOException {
        Files.createDirectories(directory);
        FileChannel file =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isLocked(file)) {
            file.close();
            throw new IOException("directory=" + directory + " is in use: its node runs");
        }
        return new NodeDirectory(directory, file);
    }

    /** The lock goes with the channel. */
    private static boolean isLocked(FileChannel file) throws IOException {
        try {
            FileLock lock = file.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException usedByThisProcess) {
            return false;
        }
    }

    /** Whose directory a path is, or null if it is no node's. */
    static @Nullable Identity identity(Path directory) throws IOException {
        Path file = directory.resolve(IDENTITY);
        if (!Files.exists(file)) {
            return null;
        }
        Properties lines = new Properties();
        lines.load(new StringReader(Files.readString(file, StandardCharsets.UTF_8)));
        try {
            return new Identity(
                    lines.getProperty("node", ""),
                    lines.getProperty("host", ""),
                    Integer.parseInt(lines.getProperty("port", "")));
        } catch (NumberFormatException damaged) {
            throw new IOException(file + " does not say which node's directory it is in", damaged);
        }
    }

    /** @throws IOException if it is another node's */
    void identify(Identity node) throws IOException {
        Identity before = identity(directory);
        if (before != null && !before.node().equals(node.node())) {
            throw new IOException("directory=" + directory + " is node '" + before.node() + "', and cannot be node '"
                    + node.node() + "': a directory goes with its name");
        }
        if (!node.equals(before)) {
            Properties lines = new Properties();
            lines.setProperty("node", node.node());
            lines.setProperty("host", node.host());
            lines.setProperty("port", Integer.toString(node.port()));
            StringWriter text = new StringWriter();
            lines.store(text, "Whose directory this is. Written by the node.");
            ForcedFile.replace(directory.resolve(IDENTITY), text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() {
        try {
            locked.close();
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException("cannot leave directory=" + directory, failed);
        }
    }
}
