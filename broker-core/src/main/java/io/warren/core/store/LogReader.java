package io.warren.core.store;

import io.warren.core.store.format.Batch;
import io.warren.core.store.format.FileHeader;
import io.warren.core.store.format.Records;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads a log file batch by batch, up to where it ends or is torn; tells a torn tail from damage.
 *
 * <p>A batch is handed on when all of it is sound, never a part of it.
 */
public final class LogReader {

    /** What is done with a record. */
    public interface Visitor {

        /**
         * A sound record.
         *
         * @param bytes holds it at {@code index}; only during the call
         * @param position where in the file it stands
         */
        void record(ByteBuffer bytes, int index, long position) throws IOException;
    }

    /**
     * What was read.
     *
     * @param end behind the last sound batch
     * @param cutBytes bytes behind it that are not to be trusted, 0 for a file that is whole
     * @param isSealed whether the file says that nothing follows
     */
    public record Scan(long end, long cutBytes, boolean isSealed) {}

    /** How records are told from what is none. */
    public interface Format {

        /** Whether a whole and undamaged record begins there. */
        boolean isSound(ByteBuffer bytes, int start);

        /** Bytes of the sound record that begins there. */
        int length(ByteBuffer bytes, int start);
    }

    private static final Format RECORDS = new Format() {
        @Override
        public boolean isSound(ByteBuffer bytes, int start) {
            return Records.isSound(bytes, start);
        }

        @Override
        public int length(ByteBuffer bytes, int start) {
            return Records.length(bytes, start);
        }
    };

    private static final int WINDOW_BYTES = 1024 * 1024;

    private final String name;
    private final long number;
    private final StoreFile file;
    private final long size;
    private final Format format;
    private final int windowBytes;
    private ByteBuffer window;
    private long windowStart;

    /** A reader of the message store's own records. */
    LogReader(String name, long number, StoreFile file) throws IOException {
        this(name, number, file, RECORDS);
    }

    /**
     * A reader of a file that has a sound header.
     *
     * @param name where the file is, for messages to people
     */
    public LogReader(String name, long number, StoreFile file, Format format) throws IOException {
        this.format = format;
        this.name = name;
        this.number = number;
        this.file = file;
        this.size = file.size();
        this.windowBytes = (int) Math.max(Batch.HEADER_BYTES, Math.min(WINDOW_BYTES, size));
        this.window = ByteBuffer.allocate(windowBytes).limit(0);
    }

    /**
     * Reads the file from the first batch on.
     *
     * @param isNewest false for a file that others follow: it was finished and forced before they began
     * @throws DamagedStoreException for a bad place that had been forced
     */
    public Scan scan(boolean isNewest, Visitor visitor) throws IOException {
        long position = FileHeader.BYTES;
        while (position < size) {
            int index = load(position, Batch.HEADER_BYTES);
            if (!Batch.isHead(window, index, number, position)) {
                return cut(position, position, isNewest);
            }
            Batch batch = Batch.read(window, index);
            long next = position + Batch.HEADER_BYTES + batch.payloadBytes();
            if (next > size) {
                return cut(position, position, isNewest);
            }
            index = load(position, Batch.HEADER_BYTES + batch.payloadBytes());
            int bad = firstBad(index + Batch.HEADER_BYTES, batch.payloadBytes());
            if (bad >= 0) {
                return cut(position, windowStart + bad, isNewest);
            }
            deliver(index + Batch.HEADER_BYTES, batch.payloadBytes(), visitor);
            position = next;
            if (batch.isLast()) {
                return new Scan(position, 0, true);
            }
        }
        if (!isNewest) {
            throw new DamagedStoreException(name, position, "it ends before its end");
        }
        return new Scan(position, 0, false);
    }

    /** Index of the first record of a batch that is not sound, or -1. */
    private int firstBad(int from, int bytes) {
        int end = from + bytes;
        ByteBuffer limited = window.duplicate().limit(end);
        int index = from;
        while (index < end) {
            if (!format.isSound(limited, index)) {
                return index;
            }
            index += format.length(limited, index);
        }
        return -1;
    }

    private void deliver(int from, int bytes, Visitor visitor) throws IOException {
        int end = from + bytes;
        for (int index = from; index < end; index += format.length(window, index)) {
            visitor.record(window, index, windowStart + index);
        }
    }

    private Scan cut(long batchStart, long bad, boolean isNewest) throws IOException {
        if (!isNewest) {
            throw new DamagedStoreException(name, bad, "all of this file had been written and forced");
        }
        long witness = laterBatchThatCovers(batchStart);
        if (witness >= 0) {
            throw new DamagedStoreException(
                    name, bad, "the batch at byte " + witness + " says that this place had been forced");
        }
        return new Scan(batchStart, size - batchStart, false);
    }

    /** Position of a batch behind a bad one that was written when that had been forced, or -1. */
    private long laterBatchThatCovers(long bad) throws IOException {
        for (long position = bad + 1; position + Batch.HEADER_BYTES <= size; position++) {
            int index = load(position, Batch.HEADER_BYTES);
            if (Batch.isHead(window, index, number, position)
                    && Batch.read(window, index).forcedBefore() > bad) {
                return position;
            }
        }
        return -1;
    }

    /** Brings that part of the file into the window, as far as the file goes; returns its index there. */
    private int load(long position, int bytes) throws IOException {
        if (position < windowStart || position + bytes > windowStart + window.limit()) {
            if (bytes > window.capacity()) {
                window = ByteBuffer.allocate(bytes);
            } else if (window.capacity() > windowBytes && bytes <= windowBytes) {
                window = ByteBuffer.allocate(windowBytes);
            }
            window.clear();
            file.read(window, position);
            window.flip();
            windowStart = position;
        }
        return (int) (position - windowStart);
    }
}
