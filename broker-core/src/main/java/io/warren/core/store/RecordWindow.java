package io.warren.core.store;

import io.warren.core.store.format.Records;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads records of one file that mostly stand one behind the other, many with each access. Owned by one thread. */
final class RecordWindow {

    private static final int WINDOW_BYTES = 256 * 1024;

    private final StoreFile file;
    private ByteBuffer window = ByteBuffer.allocate(0);
    private long start;

    RecordWindow(StoreFile file) {
        this.file = file;
    }

    StoreFile file() {
        return file;
    }

    /** What was read before may have been written since. */
    void forget() {
        window.limit(0);
    }

    /**
     * The bytes of the record that begins there, from the buffer's position to its limit; not checked, and shorter than
     * a header where there is none. Only until the next call.
     */
    ByteBuffer record(long position) throws IOException {
        if (!holds(position, Records.HEADER_BYTES)) {
            load(position, (int) Math.max(0, Math.min(WINDOW_BYTES, file.size() - position)));
        }
        int index = (int) (position - start);
        if (window.limit() - index < Records.HEADER_BYTES) {
            return window.duplicate().position(index);
        }
        int length = Records.length(window, index);
        if (length < Records.HEADER_BYTES || length > Records.RECORD_BYTES_MAX || position + length > file.size()) {
            return window.duplicate().position(index).limit(index);
        }
        if (!holds(position, length)) {
            load(position, (int) Math.max(length, Math.min(WINDOW_BYTES, file.size() - position)));
            index = 0;
        }
        int end = Math.min(window.limit(), index + length);
        return window.duplicate().limit(end).position(index);
    }

    private boolean holds(long position, int bytes) {
        return position >= start && position + bytes <= start + window.limit();
    }

    private void load(long position, int bytes) throws IOException {
        if (window.capacity() < bytes || (window.capacity() > WINDOW_BYTES && bytes <= WINDOW_BYTES)) {
            window = ByteBuffer.allocate(bytes);
        }
        window.clear().limit(bytes);
        file.read(window, position);
        window.flip();
        start = position;
    }
}
