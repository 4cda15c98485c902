package io.warren.core.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A directory of the machine. */
public final class DiskFiles implements StoreFiles {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.store");

    private final Path directory;
    private final boolean forcesDirectory;

    /** A directory, made if it is not there. */
    public DiskFiles(Path directory) throws IOException {
        this.directory = directory.toAbsolutePath();
        boolean isNew = !Files.isDirectory(this.directory);
        Files.createDirectories(this.directory);
        // Windows opens no directory; its file systems write their own entries in order.
        this.forcesDirectory =
                !System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
        Path parent = this.directory.getParent();
        if (isNew && parent != null) {
            force(parent);
        }
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(Files::isRegularFile)
                    .map(entry -> entry.getFileName().toString())
                    .toList();
        }
    }

    @Override
    public boolean exists(String name) {
        return Files.exists(directory.resolve(name));
    }

    @Override
    public StoreFile create(String name) throws IOException {
        return new DiskFile(FileChannel.open(
                directory.resolve(name),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    }

    @Override
    public StoreFile open(String name) throws IOException {
        return new DiskFile(
                FileChannel.open(directory.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        try {
            Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException refused) {
            throw new IOException("the file system of " + directory + " cannot rename in one step", refused);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        Files.delete(directory.resolve(name));
    }

    @Override
    public void forceDirectory() throws IOException {
        force(directory);
    }

    private void force(Path path) throws IOException {
        if (forcesDirectory) {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    @Override
    public Closeable lock(String name) throws IOException {
        Path path = directory.resolve(name);
        FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException ours) {
            LOG.debug("{} is locked in this process", path, ours);
        }
        channel.close();
        throw new IOException(directory + " is in use by another broker: it holds the lock on " + path);
    }

    @Override
    public long usableBytes() throws IOException {
        FileStore disk = Files.getFileStore(directory);
        return disk.getUsableSpace();
    }

    @Override
    public String location(String name) {
        return directory.resolve(name).toString();
    }

    private static final class DiskFile implements StoreFile {

        /** The JDK copies what is on the heap into memory of its own, which a thread keeps, as large as it was asked for. */
        private static final int PIECE_BYTES = 1024 * 1024;

        private final FileChannel channel;

        DiskFile(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            forgetInterrupt();
            long at = position;
            int end = bytes.limit();
            while (bytes.position() < end) {
                bytes.limit(Math.min(end, bytes.position() + PIECE_BYTES));
                at += channel.write(bytes, at);
            }
        }

        @Override
        public int read(ByteBuffer bytes, long position) throws IOException {
            forgetInterrupt();
            int total = 0;
            int end = bytes.limit();
            while (bytes.position() < end) {
                bytes.limit(Math.min(end, bytes.position() + PIECE_BYTES));
                int count = channel.read(bytes, position + total);
                if (count < 0) {
                    break;
                }
                total += count;
            }
            bytes.limit(end);
            return total;
        }

        @Override
        public void force() throws IOException {
            forgetInterrupt();
            channel.force(false);
        }

        @Override
        public void truncate(long size) throws IOException {
            forgetInterrupt();
            channel.truncate(size);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }

        /** A channel closes under a thread that is interrupted. Ours are; only a callback that ran here can have done it. */
        private static void forgetInterrupt() {
            if (Thread.interrupted()) {
                LOG.debug("a store's thread was interrupted; it does not stop for that");
            }
        }
    }
}
