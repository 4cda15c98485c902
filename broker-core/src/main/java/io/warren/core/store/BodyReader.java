package io.warren.core.store;

import io.warren.core.message.Message;
import io.warren.core.spi.QueueLog;
import io.warren.core.store.format.MessageCodec;
import io.warren.core.store.format.QueueTable;
import io.warren.core.store.format.Records;
import io.warren.core.store.format.SegmentIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies for queues that keep them on disk. One thread does; a file may go while it reads, and then the message is
 * somewhere else by now and is looked for again.
 */
final class BodyReader {

    private static final int OPEN_SEGMENTS_MAX = 16;

    /** Files go one at a time: more misses than this in a row are no race. */
    private static final int TRIES = 8;

    private record OpenSegment(StoreFile file, SegmentIndex index, RecordWindow window) {}

    private final StoreFiles files;
    private final WalFiles wal;
    private final StoreThread thread;
    private final Consumer<Throwable> onFailure;
    private final Map<Long, OpenSegment> segments = new LinkedHashMap<>(16, 0.75f, true);
    private @Nullable RecordWindow logWindow;

    BodyReader(StoreFiles files, WalFiles wal, StoreThread thread, Consumer<Throwable> onFailure) {
        this.files = files;
        this.wal = wal;
        this.thread = thread;
        this.onFailure = onFailure;
    }

    /** Tells what was recovered of a queue, which reads segments; returns the next offset. */
    long tell(RecoveredQueue kept, QueueLog.Recovered to) {
        try {
            return thread.call(() -> {
                kept.forEach(to);
                return kept.nextOffset();
            });
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Reads messages of a queue and tells it; what is settled meanwhile is left out. */
    void read(DurableQueueLog queue, List<Long> offsets) {
        thread.execute(() -> {
            try {
                readNow(queue, offsets);
            } catch (Throwable broken) {
                // Whatever it is: somebody waits for these messages.
                onFailure.accept(broken);
            }
        });
    }

    private void readNow(DurableQueueLog queue, List<Long> offsets) throws IOException {
        List<Long> found = new ArrayList<>(offsets.size());
        List<Message> messages = new ArrayList<>(offsets.size());
        for (long offset : offsets) {
            Message message = readOne(queue, offset);
            if (message != null) {
                found.add(offset);
                messages.add(message);
            }
        }
        queue.tellRead(found, messages);
    }

    private @Nullable Message readOne(DurableQueueLog queue, long offset) throws IOException {
        IOException last = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                long place = queue.place(offset);
                if (place != QueueTable.NONE) {
                    StoreFile file = wal.file(QueueTable.fileNumber(place));
                    if (file != null) {
                        return decoded(
                                logWindow(file),
                                queue,
                                offset,
                                QueueTable.position(place),
                                FileNames.log(FileNames.WAL, QueueTable.fileNumber(place)));
                    }
                } else {
                    long segment = queue.segmentOf(offset);
                    if (segment < 0) {
                        return null;
                    }
                    return fromSegment(queue, offset, segment);
                }
            } catch (IOException moved) {
                last = moved;
            }
        }
        throw last == null ? new IOException("offset=" + offset + " of queue " + queue.id() + " is nowhere") : last;
    }

    private RecordWindow logWindow(StoreFile file) {
        RecordWindow window = logWindow;
        if (window == null || window.file() != file) {
            window = new RecordWindow(file);
            logWindow = window;
        }
        return window;
    }

    private Message fromSegment(DurableQueueLog queue, long offset, long number) throws IOException {
        String name = FileNames.segment(queue.id(), number);
        OpenSegment segment = segments.get(number);
        if (segment == null) {
            segment = open(queue, name, number);
        }
        int entry = segment.index.find(offset);
        if (entry < 0) {
            throw new IOException("offset=" + offset + " is not in " + files.location(name));
        }
        return decoded(segment.window, queue, offset, segment.index.position(entry), name);
    }

    private OpenSegment open(DurableQueueLog queue, String name, long number) throws IOException {
        StoreFile file = files.open(name);
        SegmentIndex index = SegmentFile.readIndex(file, files.location(name), queue.id(), number);
        OpenSegment opened = new OpenSegment(file, index, new RecordWindow(file));
        segments.put(number, opened);
        if (segments.size() > OPEN_SEGMENTS_MAX) {
            long eldest = segments.keySet().iterator().next();
            OpenSegment closed = segments.remove(eldest);
            if (closed != null) {
                closed.file.close();
            }
        }
        return opened;
    }

    private Message decoded(RecordWindow window, DurableQueueLog queue, long offset, long position, String name)
            throws IOException {
        ByteBuffer record = window.record(position);
        if (!isMeant(record, queue, offset)) {
            window.forget();
            record = window.record(position);
            if (!isMeant(record, queue, offset)) {
                throw new DamagedStoreException(
                        files.location(name),
                        position,
                        "message " + offset + " of queue " + queue.id() + " is not there");
            }
        }
        return MessageCodec.read(record, record.position());
    }

    private static boolean isMeant(ByteBuffer record, DurableQueueLog queue, long offset) {
        int start = record.position();
        return Records.isSound(record, start)
                && Records.queueId(record, start) == queue.id()
                && Records.offset(record, start) == offset;
    }

    /** In the thread, after which nothing is read. */
    void close() throws IOException {
        for (OpenSegment segment : segments.values()) {
            segment.file.close();
        }
        segments.clear();
    }
}
