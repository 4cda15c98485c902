package io.warren.core.store;

import io.warren.core.store.format.Records;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Finds every sound record of a file, whatever stands around it: heads of batches, indexes and damage are stepped over
 * byte by byte. A record is 40 bytes with a checksum over all but eight of them: what is found is no accident.
 */
final class SoundRecords {

    private static final int WINDOW_BYTES = 1024 * 1024;

    private final StoreFile file;
    private final long size;
    private ByteBuffer window = ByteBuffer.allocate(0);
    private long windowStart;
    private long skippedBytes;

    SoundRecords(StoreFile file) throws IOException {
        this.file = file;
        this.size = file.size();
    }

    /** Calls for each record, in the order of the file. */
    void forEach(LogReader.Visitor visitor) throws IOException {
        long position = 0;
        while (position + Records.HEADER_BYTES <= size) {
            int index = load(position, Records.HEADER_BYTES);
            int length = Records.length(window, index);
            boolean isPossible = length >= Records.HEADER_BYTES
                    && length <= Math.min(Records.RECORD_BYTES_MAX, size - position)
                    && Records.kind(window, index) != null;
            if (isPossible) {
                index = load(position, length);
            }
            if (isPossible && Records.isSound(window, index)) {
                visitor.record(window, index, position);
                position += length;
            } else {
                skippedBytes++;
                position++;
            }
        }
    }

    /** Bytes that belong to no sound record: heads and indexes, and damage. */
    long skippedBytes() {
        return skippedBytes;
    }

    private int load(long position, int bytes) throws IOException {
        if (position < windowStart || position + bytes > windowStart + window.limit()) {
            int wanted = (int) Math.max(bytes, Math.min(WINDOW_BYTES, size - position));
            if (window.capacity() < wanted || window.capacity() > WINDOW_BYTES) {
                window = ByteBuffer.allocate(wanted);
            }
            window.clear().limit(wanted);
            file.read(window, position);
            window.flip();
            windowStart = position;
        }
        return (int) (position - windowStart);
    }
}
