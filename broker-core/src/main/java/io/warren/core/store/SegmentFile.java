package io.warren.core.store;

import io.warren.core.queue.OffsetBits;
import io.warren.core.store.format.FileHeader;
import io.warren.core.store.format.Records;
import io.warren.core.store.format.Segment;
import io.warren.core.store.format.SegmentIndex;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Segments on disk: written once, from one end to the other, and only read after that. */
final class SegmentFile {

    private static final int BUFFER_BYTES = 1024 * 1024;

    private final String name;
    private final long number;
    private final StoreFile file;
    private final SegmentIndex index = new SegmentIndex();
    private final OffsetBits offsets = new OffsetBits();
    private ByteBuffer buffer;
    private long position;

    private SegmentFile(String name, long number, StoreFile file, int bufferBytes) {
        this.name = name;
        this.number = number;
        this.file = file;
        this.buffer = ByteBuffer.allocate(bufferBytes);
    }

    /**
     * Begins a segment.
     *
     * @param bytesExpected how long it will be, as far as is known
     */
    static SegmentFile create(StoreFiles files, long queueId, long number, long bytesExpected) throws IOException {
        String name = FileNames.segment(queueId, number);
        StoreFile file = files.create(name);
        int bufferBytes = (int) Math.min(BUFFER_BYTES, FileHeader.BYTES + bytesExpected);
        SegmentFile segment = new SegmentFile(name, number, file, bufferBytes);
        segment.buffer.put(FileHeader.bytes(FileHeader.Kind.SEGMENT, number, queueId));
        return segment;
    }

    String name() {
        return name;
    }

    /** Gives it up. */
    void discard(StoreFiles files) throws IOException {
        file.close();
        files.delete(name);
    }

    /** Bytes of it so far. */
    long bytes() {
        return position + buffer.position();
    }

    /** Adds a record; offsets ascend. */
    void add(ByteBuffer record) throws IOException {
        if (record.remaining() > buffer.remaining()) {
            flush();
        }
        if (record.remaining() > buffer.remaining()) {
            buffer = ByteBuffer.allocate(record.remaining());
        }
        index.add(record, record.position(), bytes());
        offsets.add(Records.offset(record, record.position()));
        buffer.put(record);
    }

    private void flush() throws IOException {
        buffer.flip();
        int bytes = buffer.limit();
        file.write(buffer, position);
        position += bytes;
        buffer.clear();
    }

    /** Ends and forces it; its name is durable after the next force of the directory. */
    Segment finish() throws IOException {
        flush();
        file.write(index.bytes(position, number), position);
        file.force();
        file.close();
        return new Segment(number, index.offset(0), index.offset(index.count() - 1), index.count(), offsets);
    }

    /**
     * Reads the index of a segment.
     *
     * @throws DamagedStoreException if it cannot be trusted
     */
    static SegmentIndex readIndex(StoreFile file, String location, long queueId, long number) throws IOException {
        long size = file.size();
        ByteBuffer header = read(file, 0, FileHeader.BYTES);
        FileHeader read = FileHeader.read(header);
        if (read == null
                || read.kind() != FileHeader.Kind.SEGMENT
                || read.number() != number
                || read.queueId() != queueId) {
            throw new DamagedStoreException(location, 0, "its header is not that of segment " + number);
        }
        Versions.check(read, location);
        if (size < FileHeader.BYTES + SegmentIndex.TRAILER_BYTES) {
            throw new DamagedStoreException(location, size, "it ends before its index");
        }
        long trailerAt = size - SegmentIndex.TRAILER_BYTES;
        ByteBuffer trailer = read(file, trailerAt, SegmentIndex.TRAILER_BYTES);
        long indexAt = SegmentIndex.indexPosition(trailer, number);
        if (indexAt < FileHeader.BYTES || indexAt > trailerAt) {
            throw new DamagedStoreException(location, trailerAt, "its end is not that of segment " + number);
        }
        SegmentIndex index = SegmentIndex.read(read(file, indexAt, Math.toIntExact(trailerAt - indexAt)), trailer);
        if (index == null) {
            throw new DamagedStoreException(location, indexAt, "the checksum of its index is wrong");
        }
        return index;
    }

    private static ByteBuffer read(StoreFile file, long position, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        file.read(buffer, position);
        return buffer.flip();
    }
}
