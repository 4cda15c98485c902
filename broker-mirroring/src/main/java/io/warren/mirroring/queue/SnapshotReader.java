package io.warren.mirroring.queue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Puts a state together from the pieces that a {@link SnapshotWriter} made, however they were cut.
 *
 * <p>What is not what a writer makes is an {@link IllegalArgumentException} that says what is wrong; a reader that has thrown is done with.
 * Limits: one record of {@link SnapshotWriter#RECORD_BYTES_MAX}, for which memory is taken as its bytes come; a priority has one byte, so
 * there are 256 limits.
 */
public final class SnapshotReader {
    private static final int FIRST_BYTES = 1024;
    private static final int LIMITS_MAX = 256;

    /** What comes next. */
    private enum Step {
        HEAD,
        MESSAGES,
        CHANNELS,
        DEAD_LETTERS,
        DONE
    }

    private final LongFunction<byte @Nullable []> own;
    private Step step = Step.HEAD;
    private byte[] pending = new byte[FIRST_BYTES];
    private int pendingBytes;

    private long nextOffset;
    private long deadLetterCount;
    private long missingBelow;
    private int messageCount;
    private int channelCount;
    private int dyingCount;
    private int messagesRead;
    private long lastOffset = -1;
    private final List<byte[]> messages = new ArrayList<>();
    private final List<ChannelTable.Row> channels = new ArrayList<>();
    private final List<Long> limits = new ArrayList<>();
    private final List<ReplicaSnapshot.Dying> dying = new ArrayList<>();

    /** For what a writer made that was told of nothing that is held. */
    public SnapshotReader() {
        this(offset -> null);
    }

    /** @param own the publish entries that the writer was told this end holds, by offset; null for one that it does not */
    public SnapshotReader(LongFunction<byte @Nullable []> own) {
        this.own = own;
    }

    /** All of it at once. */
    public static ReplicaSnapshot read(byte[] bytes) {
        SnapshotReader reader = new SnapshotReader();
        reader.accept(bytes);
        return reader.snapshot();
    }

    /** Takes the next piece. */
    public void accept(byte[] piece) {
        if (pending.length - pendingBytes < piece.length) {
            pending = Arrays.copyOf(pending, Math.max(2 * pending.length, pendingBytes + piece.length));
        }
        System.arraycopy(piece, 0, pending, pendingBytes, piece.length);
        pendingBytes += piece.length;
        int from = 0;
        while (pendingBytes - from >= SnapshotWriter.RECORD_HEAD_BYTES) {
            int bytes = ByteBuffer.wrap(pending).getInt(from + 4);
            require(
                    bytes >= SnapshotWriter.RECORD_HEAD_BYTES && bytes <= SnapshotWriter.RECORD_BYTES_MAX,
                    "no size of a record",
                    bytes);
            if (pendingBytes - from < bytes) {
                break;
            }
            record(ByteBuffer.wrap(Arrays.copyOfRange(pending, from, from + bytes)));
            from += bytes;
        }
        pendingBytes -= from;
        System.arraycopy(pending, from, pending, 0, pendingBytes);
        require(step != Step.DONE || pendingBytes == 0, "bytes behind the end", pendingBytes);
    }

    /** Whether everything has come. */
    public boolean isComplete() {
        return step == Step.DONE;
    }

    /** How many messages there are in all; 0 before that is known. */
    public int messageCount() {
        return messageCount;
    }

    /** How many of them have come. */
    public int messagesRead() {
        return messagesRead;
    }

    /** The messages that have come since the last call: they are not kept here any more. */
    public List<byte[]> takeMessages() {
        List<byte[]> taken = List.copyOf(messages);
        messages.clear();
        return taken;
    }

    /** The state, with the messages that were not taken. */
    public ReplicaSnapshot snapshot() {
        require(isComplete(), "cut off behind so many messages", messagesRead);
        return new ReplicaSnapshot(nextOffset, deadLetterCount, missingBelow, messages, channels, limits, dying);
    }

    private void record(ByteBuffer record) {
        int crc = record.getInt(0);
        require(crc == QueueEntryCodec.crc(record, record.limit()), "checksum of a record is wrong", crc);
        byte kind = record.get(8);
        record.position(SnapshotWriter.RECORD_HEAD_BYTES);
        switch (kind) {
            case SnapshotWriter.HEAD -> head(record);
            case SnapshotWriter.MESSAGE -> message(record);
            case SnapshotWriter.HELD -> held(record);
            case SnapshotWriter.GONE -> gone(record);
            case SnapshotWriter.CHANNEL -> channel(record);
            case SnapshotWriter.LIMITS -> limits(record);
            case SnapshotWriter.DEAD_LETTER -> deadLetter(record);
            case SnapshotWriter.END -> end(record);
            default -> throw wrong("no kind of a record", kind);
        }
    }

    private void head(ByteBuffer from) {
        require(step == Step.HEAD && from.remaining() == 37, "no head", from.remaining());
        byte version = from.get();
        require(version == SnapshotWriter.VERSION, "written by a version this one does not know", version);
        nextOffset = notNegative(from.getLong());
        deadLetterCount = notNegative(from.getLong());
        missingBelow = notNegative(from.getLong());
        messageCount = (int) notNegative(from.getInt());
        channelCount = (int) notNegative(from.getInt());
        dyingCount = (int) notNegative(from.getInt());
        require(missingBelow <= nextOffset, "messages that are to come are missing", missingBelow);
        step = Step.MESSAGES;
    }

    private void message(ByteBuffer from) {
        byte[] entry = new byte[from.remaining()];
        from.get(entry);
        require(QueueEntryCodec.decode(entry) instanceof QueueEntry.Publish, "no publish", entry.length);
        add(entry);
    }

    private void held(ByteBuffer from) {
        require(from.remaining() == 3 * Long.BYTES, "no run of messages", from.remaining());
        HeldMessages run = new HeldMessages(from.getLong(), from.getLong(), from.getLong());
        require(run.last() < nextOffset, "an offset that is to come", run.last());
        for (long offset = run.first(); offset <= run.last(); offset++) {
            byte[] entry = own.apply(offset);
            if (entry == null || QueueEntryCodec.reign(entry) != run.reign()) {
                throw wrong("a message counts as held that is not", offset);
            }
            add(entry);
        }
    }

    /** What is settled by now. Whoever reads this hears of that behind the entry up to which the state goes. */
    private void gone(ByteBuffer from) {
        require(from.remaining() == Long.BYTES, "no offset", from.remaining());
        count(from.getLong());
    }

    private void add(byte[] entry) {
        count(QueueEntryCodec.offset(entry));
        messages.add(entry);
    }

    private void count(long offset) {
        require(step == Step.MESSAGES && messagesRead < messageCount, "a message too many", offset);
        require(offset > lastOffset && offset < nextOffset, "a message out of order", offset);
        lastOffset = offset;
        messagesRead++;
    }

    private void channel(ByteBuffer from) {
        if (step == Step.MESSAGES && messagesRead == messageCount) {
            step = Step.CHANNELS;
        }
        require(step == Step.CHANNELS && channels.size() < channelCount, "a channel too many", channels.size());
        require(from.remaining() >= 36, "too short for a channel", from.remaining());
        long highest = notNegative(from.getLong());
        long firstOpen = notNegative(from.getLong());
        long incarnation = from.getLong();
        long number = from.getLong();
        int nodeBytes = from.getInt();
        require(nodeBytes >= 0 && nodeBytes <= from.remaining(), "no size of a name", nodeBytes);
        byte[] node = new byte[nodeBytes];
        from.get(node);
        require(from.remaining() % (2 * Long.BYTES) == 0, "no size of ranges", from.remaining());
        List<OffsetRange> gaps = new ArrayList<>();
        while (from.hasRemaining()) {
            gaps.add(new OffsetRange(from.getLong(), from.getLong()));
        }
        ChannelId channel = new ChannelId(new String(node, StandardCharsets.UTF_8), incarnation, number);
        channels.add(new ChannelTable.Row(channel, highest, firstOpen, gaps));
    }

    private void limits(ByteBuffer from) {
        boolean isDue = (step == Step.MESSAGES || step == Step.CHANNELS)
                && messagesRead == messageCount
                && channels.size() == channelCount;
        require(isDue && from.remaining() % Long.BYTES == 0, "limits out of place", from.remaining());
        require(from.remaining() <= LIMITS_MAX * Long.BYTES, "more limits than priorities", from.remaining());
        while (from.hasRemaining()) {
            limits.add(from.getLong());
        }
        step = Step.DEAD_LETTERS;
    }

    private void deadLetter(ByteBuffer from) {
        require(step == Step.DEAD_LETTERS && dying.size() < dyingCount, "a dead letter too many", dying.size());
        require(from.remaining() == 3 * Long.BYTES + 1, "no dead letter", from.remaining());
        long number = from.getLong();
        long offset = from.getLong();
        long reign = from.getLong();
        require(number > 0 && number <= deadLetterCount, "a dead letter that is to come", number);
        dying.add(new ReplicaSnapshot.Dying(
                number, new QueueEntry.DeadLetter(reign, offset, QueueEntryCodec.reason(from.get()))));
    }

    private void end(ByteBuffer from) {
        require(step == Step.DEAD_LETTERS && dying.size() == dyingCount, "the end comes early", dying.size());
        require(!from.hasRemaining(), "bytes in the end", from.remaining());
        step = Step.DONE;
    }

    private static long notNegative(long number) {
        require(number >= 0, "a number below 0", number);
        return number;
    }

    private static void require(boolean holds, String what, long found) {
        if (!holds) {
            throw wrong(what, found);
        }
    }

    private static IllegalArgumentException wrong(String what, long found) {
        return new IllegalArgumentException("not a state of a mirrored queue: " + what + " (" + found + ")");
    }
}
