package io.warren.mirroring.entrylog;

import io.warren.mirroring.entrylog.EntryFiles.EntryFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Reads messages back, on a thread of its own: nobody waits for the disk who writes entries, or who serves rings and queues.
 *
 * <p>The log's thread says where they stand, and keeps these files until it hears that they were read.
 */
final class MessageReading {
    private final RecordReader reader;
    private final Executor thread;

    MessageReading(RecordReader reader, Executor thread) {
        this.reader = reader;
        this.thread = thread;
    }

    /** Where a message stands. */
    record Placed(long queueId, long message, EntryFile file, long place, int bytes) {}

    /** Who waits. Called by this thread. */
    interface Listener {

        /** All of it, by the messages' offsets. */
        void onRead(Map<Long, byte[]> publishes);

        /** Something of it cannot be read. */
        void onUnreadable(Throwable failure);

        /** The files may go. */
        void onDone();
    }

    /**
     * Reads them, and says so.
     *
     * @param publishes those that need not be read; the others are put in
     */
    void read(List<Placed> placed, Map<Long, byte[]> publishes, Listener listener) {
        thread.execute(() -> {
            try {
                for (Placed each : placed) {
                    publishes.put(each.message, read(each));
                }
                listener.onRead(publishes);
            } catch (IOException | RuntimeException | Error broken) {
                // Whatever it is: somebody waits for these messages.
                listener.onUnreadable(broken);
            } finally {
                listener.onDone();
            }
        });
    }

    private byte[] read(Placed each) throws IOException {
        return reader.publish(each.file.file, each.place, each.bytes, each.queueId, each.message);
    }
}
