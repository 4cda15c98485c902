package io.warren.core.store;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A disk that forgets what was not forced: files and directory entries each have a durable and a present state, and a
 * crash keeps of the difference what the {@link Loss} says. Counts operations that change something, and loses power at
 * the one it is told to.
 */
public final class SimulatedDisk implements StoreFiles {

    /** What a crash leaves of what was not forced. */
    public enum Loss {
        /** Everything: the process died, the machine did not. */
        NOTHING,
        /** Nothing of it. */
        ALL,
        /** Any sectors of any writes, and any changes of the directory, as the seed says. */
        ANY
    }

    /** What happens at an operation. */
    public static final class PowerLost extends IOException {
        private static final long serialVersionUID = 1L;

        PowerLost(String operation) {
            super("power lost at " + operation);
        }
    }

    private static final int SECTOR_BYTES = 512;

    /** A write, or with null bytes a cut. */
    private static final class Write {
        final long position;
        final byte[] bytes;
        final long cutTo;

        Write(long position, byte[] bytes, long cutTo) {
            this.position = position;
            this.bytes = bytes;
            this.cutTo = cutTo;
        }
    }

    private static final class Content {
        byte[] present = new byte[0];
        byte[] durable = new byte[0];
        final List<Write> unforced = new ArrayList<>();
    }

    private record EntryChange(String removed, String added, Content content) {}

    private final Map<String, Content> entries = new LinkedHashMap<>();
    private final Map<String, Content> durableEntries = new LinkedHashMap<>();
    private final List<EntryChange> unforcedChanges = new ArrayList<>();
    private final Set<String> locked = new LinkedHashSet<>();
    private final List<String> operations = new ArrayList<>();

    private long crashAt = Long.MAX_VALUE;
    private boolean lost;
    private long freeBytes = Long.MAX_VALUE;
    private Runnable whenFull = () -> {};
    private Consumer<String> onCreating = name -> {};
    private Consumer<String> onWriting = name -> {};
    private Predicate<String> failingForces = name -> false;
    private Predicate<String> omittedForces = name -> false;

    /** Loses power at that operation, counted from 1; a write there is done in part. */
    public void crashAt(long operation) {
        crashAt = operation;
    }

    /** Bytes that can still be written. */
    public void freeBytes(long bytes) {
        freeBytes = bytes;
    }

    /** Run when a write found the disk full. */
    public void onWaiting(Runnable action) {
        whenFull = action;
    }

    /** Run before a file is made. */
    public void onCreating(Consumer<String> action) {
        onCreating = action;
    }

    /** Run before bytes are written to a file, while everything else can be read and written. */
    public void onWriting(Consumer<String> action) {
        onWriting = action;
    }

    /** Changes the last occurrence of that byte in a file, under everybody's hands. */
    public synchronized void damage(String name, byte value) {
        byte[] bytes = entries.get(name).present;
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (bytes[i] == value) {
                bytes[i]++;
                return;
            }
        }
        throw new IllegalStateException("no byte " + value + " in " + name);
    }

    /** Forces of these files fail; the directory is the empty name. */
    public void failForces(Predicate<String> names) {
        failingForces = names;
    }

    /** Forces of these files do nothing, and say nothing: a deliberate fault. */
    public void omitForces(Predicate<String> names) {
        omittedForces = names;
    }

    /** Every operation that changed something. */
    public List<String> operations() {
        return operations;
    }

    private boolean operation(String text) throws IOException {
        if (lost) {
            throw new PowerLost(text);
        }
        operations.add(text);
        if (operations.size() == crashAt) {
            lost = true;
        }
        return lost;
    }

    // ---- what a crash leaves

    /** The disk as it is found after a crash now. */
    public synchronized SimulatedDisk afterCrash(Loss loss, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedDisk found = new SimulatedDisk();
        Map<Content, Content> contents = new LinkedHashMap<>();
        entriesAfter(loss, random).forEach((name, content) -> {
            Content kept = contents.computeIfAbsent(content, key -> contentAfter(key, loss, random));
            found.entries.put(name, kept);
            found.durableEntries.put(name, kept);
        });
        return found;
    }

    private Map<String, Content> entriesAfter(Loss loss, SplittableRandom random) {
        Map<String, Content> found = new LinkedHashMap<>(durableEntries);
        for (EntryChange change : unforcedChanges) {
            if (loss == Loss.NOTHING || (loss == Loss.ANY && random.nextBoolean())) {
                if (change.removed != null) {
                    found.remove(change.removed);
                }
                if (change.added != null) {
                    found.put(change.added, change.content);
                }
            }
        }
        return found;
    }

    private static Content contentAfter(Content content, Loss loss, SplittableRandom random) {
        Content found = new Content();
        found.present = switch (loss) {
            case NOTHING -> content.present.clone();
            case ALL -> content.durable.clone();
            case ANY -> anyOf(content, random);
        };
        found.durable = found.present.clone();
        return found;
    }

    private static byte[] anyOf(Content content, SplittableRandom random) {
        byte[] bytes = content.durable.clone();
        for (Write write : content.unforced) {
            if (write.bytes == null) {
                bytes = random.nextBoolean() ? Arrays.copyOf(bytes, (int) write.cutTo) : bytes;
                continue;
            }
            boolean whole = random.nextInt(3) == 0;
            for (int from = 0; from < write.bytes.length; ) {
                int sectorEnd = (int) ((write.position + from) / SECTOR_BYTES + 1) * SECTOR_BYTES;
                int to = (int) Math.min(write.bytes.length, sectorEnd - write.position);
                if (whole || random.nextBoolean()) {
                    bytes = written(bytes, write.position + from, write.bytes, from, to);
                }
                from = to;
            }
        }
        return bytes;
    }

    private static byte[] written(byte[] into, long position, byte[] bytes, int from, int to) {
        int end = (int) position + to - from;
        byte[] result = end > into.length ? Arrays.copyOf(into, end) : into;
        System.arraycopy(bytes, from, result, (int) position, to - from);
        return result;
    }

    // ---- for tests that damage

    public synchronized byte[] bytes(String name) {
        return entries.get(name).present.clone();
    }

    public synchronized void put(String name, byte[] bytes) {
        Content content = new Content();
        content.present = bytes.clone();
        content.durable = bytes.clone();
        entries.put(name, content);
        durableEntries.put(name, content);
    }

    // ---- the port

    @Override
    public synchronized List<String> list() {
        return List.copyOf(entries.keySet());
    }

    @Override
    public synchronized boolean exists(String name) {
        return entries.containsKey(name);
    }

    @Override
    public StoreFile create(String name) throws IOException {
        onCreating.accept(name);
        return created(name);
    }

    private synchronized StoreFile created(String name) throws IOException {
        if (entries.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
        boolean last = operation("create " + name);
        Content content = new Content();
        entries.put(name, content);
        unforcedChanges.add(new EntryChange(null, name, content));
        return ended(last, "create " + name, new SimulatedFile(name, content));
    }

    private static <T> T ended(boolean last, String text, T value) throws IOException {
        if (last) {
            throw new PowerLost(text);
        }
        return value;
    }

    @Override
    public synchronized StoreFile open(String name) throws IOException {
        Content content = entries.get(name);
        if (content == null) {
            throw new FileNotFoundException(name);
        }
        return new SimulatedFile(name, content);
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        boolean last = operation("rename " + from + " to " + to);
        Content content = entries.remove(from);
        entries.put(to, content);
        unforcedChanges.add(new EntryChange(from, to, content));
        ended(last, "rename", null);
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        boolean last = operation("delete " + name);
        if (entries.remove(name) == null) {
            throw new FileNotFoundException(name);
        }
        unforcedChanges.add(new EntryChange(name, null, null));
        ended(last, "delete", null);
    }

    @Override
    public synchronized void forceDirectory() throws IOException {
        boolean last = operation("force directory");
        if (!last && failingForces.test("")) {
            throw new IOException("force of the directory failed");
        }
        if (!last && !omittedForces.test("")) {
            durableEntries.clear();
            durableEntries.putAll(entries);
            unforcedChanges.clear();
        }
        ended(last, "force directory", null);
    }

    @Override
    public synchronized Closeable lock(String name) throws IOException {
        if (!locked.add(name)) {
            throw new IOException("locked");
        }
        return () -> locked.remove(name);
    }

    @Override
    public synchronized long usableBytes() {
        return freeBytes;
    }

    @Override
    public String location(String name) {
        return name;
    }

    private final class SimulatedFile implements StoreFile {

        private final String name;
        private final Content content;

        SimulatedFile(String name, Content content) {
            this.name = name;
            this.content = content;
        }

        @Override
        public long size() {
            synchronized (SimulatedDisk.this) {
                return content.present.length;
            }
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            onWriting.accept(name);
            synchronized (SimulatedDisk.this) {
                boolean last = operation("write " + name + " " + position + " " + bytes.remaining());
                boolean full = bytes.remaining() > freeBytes;
                byte[] copy = new byte[last || full ? bytes.remaining() / 2 : bytes.remaining()];
                bytes.get(copy);
                content.present = written(content.present, position, copy, 0, copy.length);
                content.unforced.add(new Write(position, copy, 0));
                if (full) {
                    whenFull.run();
                    throw new IOException("No space left on device");
                }
                freeBytes -= copy.length;
                ended(last, "write", null);
            }
        }

        @Override
        public int read(ByteBuffer bytes, long position) {
            synchronized (SimulatedDisk.this) {
                int count = (int) Math.max(0, Math.min(bytes.remaining(), content.present.length - position));
                bytes.put(content.present, (int) Math.min(position, content.present.length), count);
                return count;
            }
        }

        @Override
        public void force() throws IOException {
            synchronized (SimulatedDisk.this) {
                boolean last = operation("force " + name);
                if (!last && failingForces.test(name)) {
                    throw new IOException("force of " + name + " failed");
                }
                if (!last && !omittedForces.test(name)) {
                    content.durable = content.present.clone();
                    content.unforced.clear();
                }
                ended(last, "force", null);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            synchronized (SimulatedDisk.this) {
                boolean last = operation("truncate " + name + " " + size);
                content.present = Arrays.copyOf(content.present, (int) size);
                content.unforced.add(new Write(0, null, size));
                ended(last, "truncate", null);
            }
        }

        @Override
        public void close() {
            // Nothing is lost by closing, and nothing forced.
        }
    }
}
