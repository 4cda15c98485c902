package io.warren.mirroring.entrylog;

import io.warren.core.message.Message;
import io.warren.core.store.StoreFile;
import io.warren.core.store.StoreFiles;
import io.warren.mirroring.queue.QueueEntry;
import io.warren.mirroring.queue.QueueEntryCodec;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.queue.SnapshotReader;
import io.warren.mirroring.queue.SnapshotWriter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files of copies that were set aside, beside the log: {@code aside-queue-NUMBER-log-LOG-at-OFFSET.state}, each a state as {@link SnapshotWriter} has it. Owned by the
 * store's thread.
 */
final class AsideFiles {
    private static final Pattern NAME = Pattern.compile("aside-queue-(\\d+)-log-[0-9a-f]+-at-\\d+\\.state");

    private static final int PIECE_BYTES = 1 << 20;

    private final StoreFiles disk;

    AsideFiles(StoreFiles disk) {
        this.disk = disk;
    }

    /** Reads publishes of a copy from its log, by the offsets of their messages. */
    interface Reading {
        Map<Long, byte[]> publishes(List<Long> messages) throws IOException;
    }

    /**
     * Writes one, if it is not there yet: a start that is repeated finds the same copy. It has its name when it is whole.
     *
     * @param log where messages are that the state only names
     * @return where it is
     */
    String write(FoundCopy copy, ReplicaSnapshot state, Reading log) throws IOException {
        String name = "aside-queue-" + copy.queueId() + "-log-" + Long.toHexString(copy.logId()) + "-at-" + copy.last()
                + ".state";
        if (!disk.exists(name)) {
            String unfinished = name + ".new";
            if (disk.exists(unfinished)) {
                disk.delete(unfinished);
            }
            try (StoreFile file = disk.create(unfinished)) {
                write(file, new SnapshotWriter(state), log);
                file.force();
            }
            disk.rename(unfinished, name);
            disk.forceDirectory();
        }
        return disk.location(name);
    }

    private static void write(StoreFile file, SnapshotWriter state, Reading log) throws IOException {
        long end = 0;
        while (state.hasNext()) {
            List<Long> wanted = state.wanted(PIECE_BYTES, PIECE_BYTES);
            state.supply(wanted, log.publishes(wanted));
            byte[] piece = state.next(PIECE_BYTES);
            file.write(ByteBuffer.wrap(piece), end);
            end += piece.length;
        }
    }

    /** Their names, sorted. */
    List<String> names() throws IOException {
        return disk.list().stream()
                .filter(name -> NAME.matcher(name).matches())
                .sorted()
                .toList();
    }

    /**
     * Reads one whole.
     *
     * @throws FileNotFoundException if there is none of this name
     * @throws IOException if it cannot be read, or is damaged
     */
    SetAside read(String name) throws IOException {
        byte[] bytes = bytes(name);
        try {
            List<Message> messages = SnapshotReader.read(bytes).messagesFrom(0).stream()
                    .map(entry -> ((QueueEntry.Publish) QueueEntryCodec.decode(entry)).message())
                    .toList();
            return new SetAside(name, Long.parseLong(matched(name).group(1)), messages);
        } catch (IllegalArgumentException damaged) {
            throw new IOException(disk.location(name) + " is damaged: " + damaged.getMessage(), damaged);
        }
    }

    private byte[] bytes(String name) throws IOException {
        require(name);
        try (StoreFile file = disk.open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
            while (bytes.hasRemaining()) {
                if (file.read(bytes, bytes.position()) < 0) {
                    throw new IOException(disk.location(name) + " ends at " + bytes.position() + " of "
                            + bytes.capacity() + " bytes");
                }
            }
            return bytes.array();
        }
    }

    /** @throws FileNotFoundException if there is none of this name */
    void delete(String name) throws IOException {
        require(name);
        disk.delete(name);
        disk.forceDirectory();
    }

    private void require(String name) throws IOException {
        if (!names().contains(name)) {
            throw new FileNotFoundException("'" + name + "' is not one of " + names());
        }
    }

    private static Matcher matched(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("name=" + name);
        }
        return matcher;
    }
}
