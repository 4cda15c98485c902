package io.warren.test.ring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What one process has delivered, in a mapped file: what it has noted survives its death, without a force.
 *
 * <p>First the offset below the first delivery (a state that was taken over ends there) and how many there are, then three numbers each:
 * offset, sender (node number and incarnation), sequence. One owner at a time.
 */
final class History implements AutoCloseable {
    private static final int HEADER_LONGS = 2;
    private static final int ROW_LONGS = 3;
    private static final int ROWS_MAX = 4_000_000;

    private final FileChannel file;
    private final LongBuffer longs;
    private long count;

    private History(FileChannel file, MappedByteBuffer mapped) {
        this.file = file;
        longs = mapped.asLongBuffer();
        count = longs.get(1);
    }

    static History create(Path path, long base) {
        try {
            FileChannel file = FileChannel.open(
                    path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
            // Sparse: only what is written takes room.
            History history = new History(
                    file,
                    file.map(FileChannel.MapMode.READ_WRITE, 0, (HEADER_LONGS + (long) ROWS_MAX * ROW_LONGS) * 8));
            history.longs.put(0, base);
            return history;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static History read(Path path) {
        try {
            FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
            return new History(file, file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    void add(long offset, long sender, long sequence) {
        if (count == ROWS_MAX) {
            throw new IllegalStateException("more than " + ROWS_MAX + " deliveries of one process");
        }
        int at = (int) (HEADER_LONGS + count * ROW_LONGS);
        longs.put(at, offset).put(at + 1, sender).put(at + 2, sequence);
        longs.put(1, ++count);
    }

    long base() {
        return longs.get(0);
    }

    long count() {
        return count;
    }

    long offset(long row) {
        return longs.get((int) (HEADER_LONGS + row * ROW_LONGS));
    }

    long sender(long row) {
        return longs.get((int) (HEADER_LONGS + row * ROW_LONGS) + 1);
    }

    long sequence(long row) {
        return longs.get((int) (HEADER_LONGS + row * ROW_LONGS) + 2);
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
