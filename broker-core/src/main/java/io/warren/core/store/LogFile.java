package io.warren.core.store;

import io.warren.core.store.format.Batch;
import io.warren.core.store.format.FileHeader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A log file that is being written: batches, one behind the other. Owned by one thread. What stands in the batches is its writer's business, and
 * {@link LogReader} reads it.
 *
 * <p>{@code forced} never exceeds {@code end}; both only grow.
 */
public final class LogFile {

    private final long number;
    private final StoreFile file;
    private long end = FileHeader.BYTES;
    private long forced = FileHeader.BYTES;

    private LogFile(long number, StoreFile file) {
        this.number = number;
        this.file = file;
    }

    /** A new file, which is on the disk with its name when this returns. If that fails, there is none. */
    public static LogFile create(StoreFiles files, String name, FileHeader.Kind kind, long number) throws IOException {
        StoreFile file = files.create(name);
        try {
            file.write(FileHeader.bytes(kind, number, 0), 0);
            file.force();
            files.forceDirectory();
            return new LogFile(number, file);
        } catch (IOException failed) {
            discard(files, name, file, failed);
            throw failed;
        }
    }

    /** It is not wanted after all. */
    static void discard(StoreFiles files, String name, StoreFile file, IOException why) {
        try {
            file.close();
            files.delete(name);
        } catch (IOException left) {
            why.addSuppressed(left);
        }
    }

    /** A file whose end is known from reading it, and all of which has been forced again. */
    public static LogFile reopened(long number, StoreFile file, long end) {
        LogFile reopened = new LogFile(number, file);
        reopened.end = end;
        reopened.forced = end;
        return reopened;
    }

    /** The number in its name and in its header. */
    public long number() {
        return number;
    }

    public StoreFile file() {
        return file;
    }

    /** Where the next batch begins. */
    public long end() {
        return end;
    }

    /** Whether all of it has been forced. */
    public boolean isForced() {
        return forced == end;
    }

    /**
     * Writes a batch: the buffer holds {@link Batch#HEADER_BYTES} free bytes and then the records, up to its position.
     * If that fails, it may be tried again.
     */
    public void append(ByteBuffer batch, int flags) throws IOException {
        int payload = batch.position() - Batch.HEADER_BYTES;
        new Batch(payload, number, end, forced, flags).write(batch, 0);
        ByteBuffer all = batch.duplicate().flip();
        file.write(all, end);
        end += Batch.HEADER_BYTES + payload;
    }

    /** Says in the file that nothing follows in it. */
    public void seal() throws IOException {
        append(ByteBuffer.allocate(Batch.HEADER_BYTES).position(Batch.HEADER_BYTES), Batch.LAST);
    }

    public void force() throws IOException {
        file.force();
        forced = end;
    }
}
