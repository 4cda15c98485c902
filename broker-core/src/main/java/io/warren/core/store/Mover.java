package io.warren.core.store;

import io.warren.core.queue.OffsetBits;
import io.warren.core.store.format.QueueTable;
import io.warren.core.store.format.RecordKind;
import io.warren.core.store.format.Records;
import io.warren.core.store.format.Segment;
import io.warren.core.store.format.SegmentIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what still waits: out of an old log file into segments, out of sparse segments into full ones. Runs beside the
 * writer, one copy at a time; the writer puts the outcome into the tables and drops what was settled meanwhile.
 *
 * <p>A few small messages are not worth a file: they go to the end of the log again, unless much of the file is such.
 */
final class Mover {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.store");

    /** What a queue has less of in a log file is written to the log again. */
    private static final int SMALL_BYTES = 64 * 1024;

    /** Of a file's bytes at most a quarter: else the log would be busy with itself. */
    private static final int FORWARD_SHARE = 4;

    private final StoreFiles files;
    private final StoreSettings settings;
    private final WalFiles wal;
    private final Executor thread;
    private @Nullable LogWriter writer;
    private long lastSegment;

    /** Files of the copy that is under way. */
    private final List<SegmentFile> made = new ArrayList<>();

    Mover(StoreFiles files, StoreSettings settings, WalFiles wal, Executor thread, long lastSegment) {
        this.files = files;
        this.settings = settings;
        this.wal = wal;
        this.thread = thread;
        this.lastSegment = lastSegment;
    }

    void deliverTo(LogWriter logWriter) {
        writer = logWriter;
    }

    private LogWriter writer() {
        return Objects.requireNonNull(writer);
    }

    private interface Copy {
        void run() throws IOException;
    }

    private void execute(Copy copy) {
        thread.execute(() -> {
            made.clear();
            try {
                copy.run();
            } catch (DamagedStoreException broken) {
                writer().add(new Failed(broken));
            } catch (IOException full) {
                abandon(full);
            } catch (Throwable broken) {
                // Whatever it is: without an answer no copy would ever begin again.
                writer().add(new Failed(broken));
            }
        });
    }

    /** Nothing was changed: what was being copied stays where it is, and is tried again when a log file is full. */
    private void abandon(IOException why) {
        LOG.warn("messages could not be moved within {}; they stay where they are", files.location(""), why);
        for (SegmentFile segment : made) {
            try {
                segment.discard(files);
            } catch (IOException left) {
                LOG.warn("{} is left over; the next start removes it", files.location(segment.name()), left);
            }
        }
        writer().add(new Abandoned());
    }

    private SegmentFile begin(long queueId, long bytesExpected) throws IOException {
        SegmentFile segment = SegmentFile.create(files, queueId, ++lastSegment, bytesExpected);
        made.add(segment);
        return segment;
    }

    // ---- out of a log file

    void move(WalFiles.WalFile file) {
        execute(() -> moveNow(file));
    }

    /** Records of one queue in a log file: where they are and how long, ascending by offset when sorted. */
    private static final class Waiting {

        final DurableQueueLog queue;
        long[] offsets = new long[16];
        long[] positions = new long[16];
        int[] lengths = new int[16];
        int count;
        long bytes;

        Waiting(DurableQueueLog queue) {
            this.queue = queue;
        }

        void add(long offset, long position, int length) {
            if (count == offsets.length) {
                offsets = Arrays.copyOf(offsets, count * 2);
                positions = Arrays.copyOf(positions, count * 2);
                lengths = Arrays.copyOf(lengths, count * 2);
            }
            offsets[count] = offset;
            positions[count] = position;
            lengths[count] = length;
            bytes += length;
            count++;
        }

        /** In the order of offsets: as they stand, but for what was written again. */
        int[] sorted() {
            Integer[] order = new Integer[count];
            boolean ascending = true;
            for (int i = 0; i < count; i++) {
                order[i] = i;
                ascending &= i == 0 || offsets[i - 1] < offsets[i];
            }
            if (!ascending) {
                Arrays.sort(order, Comparator.comparingLong(i -> offsets[i]));
            }
            return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
        }
    }

    private void moveNow(WalFiles.WalFile file) throws IOException {
        String name = FileNames.log(FileNames.WAL, file.number);
        LOG.debug("moving what waits in {}", name);
        Map<Long, Waiting> waiting = findWaiting(file, files.location(name));
        long total = waiting.values().stream().mapToLong(one -> one.bytes).sum();
        boolean mayForward = total < file.file.size() / FORWARD_SHARE;
        RecordWindow window = new RecordWindow(file.file);
        List<MovedSegment> segments = new ArrayList<>();
        List<Forward> forwards = new ArrayList<>();
        for (Waiting one : waiting.values()) {
            if (mayForward && one.bytes < SMALL_BYTES) {
                forwards.add(forward(one, window, file.number));
            } else {
                writeSegments(one, window, file.number, segments);
            }
        }
        if (!segments.isEmpty()) {
            files.forceDirectory();
        }
        writer().add(new Moved(name, segments, forwards));
    }

    private Map<Long, Waiting> findWaiting(WalFiles.WalFile file, String location) throws IOException {
        Map<Long, Waiting> waiting = new LinkedHashMap<>();
        new LogReader(location, file.number, file.file).scan(false, (bytes, index, position) -> {
            if (Records.kind(bytes, index) != RecordKind.PUBLISH) {
                return;
            }
            long queueId = Records.queueId(bytes, index);
            long offset = Records.offset(bytes, index);
            DurableQueueLog queue = wal.queue(queueId);
            if (queue != null && queue.place(offset) == QueueTable.place(file.number, position)) {
                waiting.computeIfAbsent(queueId, id -> new Waiting(queue))
                        .add(offset, position, Records.length(bytes, index));
            }
        });
        return waiting;
    }

    private static Forward forward(Waiting waiting, RecordWindow window, long fileNumber) throws IOException {
        List<ByteBuffer> records = new ArrayList<>();
        List<Long> places = new ArrayList<>();
        for (int i : waiting.sorted()) {
            ByteBuffer record = window.record(waiting.positions[i]);
            byte[] copy = new byte[record.remaining()];
            record.get(copy);
            records.add(ByteBuffer.wrap(copy));
            places.add(QueueTable.place(fileNumber, waiting.positions[i]));
        }
        return new Forward(waiting.queue, records, places);
    }

    private void writeSegments(Waiting waiting, RecordWindow window, long fileNumber, List<MovedSegment> to)
            throws IOException {
        SegmentFile segment = null;
        List<Long> places = new ArrayList<>();
        for (int i : waiting.sorted()) {
            if (segment == null) {
                segment = begin(waiting.queue.id(), waiting.bytes);
                places = new ArrayList<>();
            }
            segment.add(window.record(waiting.positions[i]));
            places.add(QueueTable.place(fileNumber, waiting.positions[i]));
            if (segment.bytes() >= settings.segmentBytes()) {
                to.add(new MovedSegment(waiting.queue, segment.finish(), places));
                segment = null;
            }
        }
        if (segment != null) {
            to.add(new MovedSegment(waiting.queue, segment.finish(), places));
        }
    }

    /** A new segment and where its messages stood. */
    private record MovedSegment(DurableQueueLog queue, Segment segment, List<Long> places) {}

    /** Records that are to be written to the log again, and where they stood. */
    private record Forward(DurableQueueLog queue, List<ByteBuffer> records, List<Long> places) {}

    /** Puts into the tables what was moved, but for what was settled meanwhile. */
    private static final class Moved extends LogEntry {

        private final String name;
        private final List<MovedSegment> segments;
        private final List<Forward> forwards;

        Moved(String name, List<MovedSegment> segments, List<Forward> forwards) {
            this.name = name;
            this.segments = segments;
            this.forwards = forwards;
        }

        @Override
        void write(LogWriter to) throws IOException {
            segments.forEach(moved -> install(moved, to));
            List<Runnable> written = new ArrayList<>();
            for (Forward forward : forwards) {
                write(forward, to, written);
            }
            // A reader finds its way by the tables: until a record is in the file, they name the place where it stood.
            to.flush();
            written.forEach(Runnable::run);
            to.reclaiming().onCopied();
            LOG.debug("moved what waited in {}: {} segments", name, segments.size());
        }

        private static void write(Forward forward, LogWriter to, List<Runnable> written) throws IOException {
            for (int i = 0; i < forward.records.size(); i++) {
                ByteBuffer record = forward.records.get(i);
                long offset = Records.offset(record, 0);
                if (!forward.queue.isGone() && forward.queue.place(offset) == forward.places.get(i)) {
                    long place = to.writeRecord(record);
                    written.add(() -> forward.queue.moved(offset, place));
                }
            }
        }

        private static void install(MovedSegment moved, LogWriter to) {
            DurableQueueLog queue = moved.queue;
            Segment segment = moved.segment;
            List<Long> offsets = offsets(segment.unsettled());
            synchronized (queue.table()) {
                for (int i = 0; i < offsets.size(); i++) {
                    long offset = offsets.get(i);
                    if (!queue.isGone() && queue.table().get(offset) == moved.places.get(i)) {
                        to.wal().left(queue.table().remove(offset));
                    } else {
                        segment.unsettled().remove(offset);
                    }
                }
                add(queue, segment, to);
            }
        }
    }

    private static List<Long> offsets(OffsetBits bits) {
        List<Long> offsets = new ArrayList<>();
        bits.forEach(offsets::add);
        return offsets;
    }

    private static void add(DurableQueueLog queue, Segment segment, LogWriter to) {
        if (segment.unsettled().size() > 0) {
            queue.addSegment(segment);
        } else {
            to.reclaiming().onReplaced(queue, segment);
        }
    }

    // ---- out of sparse segments

    void compact(DurableQueueLog queue) {
        execute(() -> compactNow(queue));
    }

    private void compactNow(DurableQueueLog queue) throws IOException {
        List<Segment> sparse = queue.sparseSegments();
        LOG.debug("compacting {} segments of queue {}", sparse.size(), queue.id());
        SegmentFile copy = null;
        List<Segment> copied = new ArrayList<>();
        long last = -1;
        for (Segment segment : sparse) {
            List<Long> waiting = queue.waitingIn(segment);
            // A segment's index ascends: one that reaches back is left for the next time.
            if (waiting.isEmpty() || waiting.get(0) <= last) {
                continue;
            }
            if (copy == null) {
                copy = begin(queue.id(), settings.segmentBytes());
            }
            copyWaiting(queue, segment, waiting, copy);
            copied.add(segment);
            last = waiting.get(waiting.size() - 1);
            if (copy.bytes() >= settings.segmentBytes()) {
                break;
            }
        }
        Segment whole = null;
        if (copy != null) {
            whole = copy.finish();
            files.forceDirectory();
        }
        writer().add(new Compacted(queue, copied, whole));
    }

    private void copyWaiting(DurableQueueLog queue, Segment segment, List<Long> waiting, SegmentFile copy)
            throws IOException {
        String name = FileNames.segment(queue.id(), segment.number());
        try (StoreFile file = files.open(name)) {
            SegmentIndex index = SegmentFile.readIndex(file, files.location(name), queue.id(), segment.number());
            RecordWindow window = new RecordWindow(file);
            for (long offset : waiting) {
                long position = index.position(index.find(offset));
                ByteBuffer record = window.record(position);
                if (!Records.isSound(record, record.position())) {
                    throw new DamagedStoreException(files.location(name), position, "the checksum is wrong");
                }
                copy.add(record);
            }
        }
    }

    /** Puts a copied segment in the place of those it was copied from. */
    private static final class Compacted extends LogEntry {

        private final DurableQueueLog queue;
        private final List<Segment> sparse;
        private final @Nullable Segment copy;

        Compacted(DurableQueueLog queue, List<Segment> sparse, @Nullable Segment copy) {
            this.queue = queue;
            this.sparse = sparse;
            this.copy = copy;
        }

        @Override
        void write(LogWriter to) {
            synchronized (queue.table()) {
                if (copy != null) {
                    for (long offset : offsets(copy.unsettled())) {
                        boolean waits = sparse.stream().anyMatch(segment -> segment.holds(offset));
                        if (!waits || queue.isGone()) {
                            copy.unsettled().remove(offset);
                        }
                    }
                }
                for (Segment segment : sparse) {
                    boolean wasEmptied = segment.unsettled().size() == 0;
                    queue.table().removeSegment(segment);
                    // The files of a queue that is gone go with it.
                    if (!wasEmptied && !queue.isGone()) {
                        to.reclaiming().onReplaced(queue, segment);
                    }
                }
                if (copy != null) {
                    add(queue, copy, to);
                }
            }
            to.reclaiming().onCopied();
            LOG.debug("compacted {} segments of queue {}", sparse.size(), queue.id());
        }
    }

    /** A copy was given up. */
    private static final class Abandoned extends LogEntry {
        @Override
        void write(LogWriter writer) {
            writer.reclaiming().onAbandoned();
        }
    }

    /** What was to be copied is damaged. */
    private static final class Failed extends LogEntry {

        private final Throwable failure;

        Failed(Throwable failure) {
            this.failure = failure;
        }

        @Override
        void write(LogWriter writer) {
            writer.fail(failure);
        }
    }
}
