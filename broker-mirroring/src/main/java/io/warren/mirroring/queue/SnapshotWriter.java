package io.warren.mirroring.queue;

import io.warren.core.queue.DeathReason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A state as bytes, in pieces as large as whoever takes them wants: encoded as they are asked for, so that no more than one record stands
 * beside the state, and what was supplied.
 *
 * <pre>
 * a record:  0 int   CRC32C of all that follows
 *            4 int   bytes of the whole record
 *            8 byte  kind
 *            9       content
 *
 * 1 head         version (1), next offset (8), dead letters so far (8), missing below (8),
 *                messages (4), channels (4), unfinished dead letters (4)
 * 2 message      the publish entry
 * 3 held         a run of messages that the other end has: first (8), last (8), reign (8)
 * 4 channel      highest (8), first open (8), incarnation (8), number (8), bytes of the node (4), node in UTF-8,
 *                gaps, each first (8) and last (8)
 * 5 limits       of each priority (8)
 * 6 dead letter  number (8), offset (8), reign (8), reason (1)
 * 7 end          nothing
 * 8 gone         a message that was settled since the state was made, and could not be read any more: its offset (8)
 * </pre>
 *
 * The head comes first, the end last, messages by offset. {@link SnapshotReader} reads it.
 *
 * <p>Messages that are on the disk only have to be {@link #supply supplied} before their piece is made: {@link #wanted} names them.
 */
public final class SnapshotWriter {
    static final byte VERSION = 1;
    static final int RECORD_HEAD_BYTES = 9;
    /** A message with its record's head, and the largest row of a channel by far. */
    static final int RECORD_BYTES_MAX = QueueEntryCodec.ENTRY_BYTES_MAX + RECORD_HEAD_BYTES;

    static final byte HEAD = 1;
    static final byte MESSAGE = 2;
    static final byte HELD = 3;
    static final byte CHANNEL = 4;
    static final byte LIMITS = 5;
    static final byte DEAD_LETTER = 6;
    static final byte END = 7;
    static final byte GONE = 8;

    private static final int HEAD_CONTENT_BYTES = 1 + 3 * Long.BYTES + 3 * Integer.BYTES;

    /** What is written next. */
    private enum Step {
        HEAD,
        MESSAGES,
        CHANNELS,
        LIMITS,
        DEAD_LETTERS,
        END,
        DONE
    }

    private final ReplicaSnapshot snapshot;
    private final List<HeldMessages> held;
    private Step step = Step.HEAD;
    /** Of the step's parts the next. */
    private int next;

    private ByteBuffer record = ByteBuffer.allocate(0);
    private int messagesWritten;
    /** Publishes that were read, by offset, until they are written; null for one that is settled. */
    private final Map<Long, byte @Nullable []> supplied = new HashMap<>();

    public SnapshotWriter(ReplicaSnapshot snapshot) {
        this(snapshot, List.of());
    }

    /** @param held messages that the other end holds already: they are named, not sent */
    public SnapshotWriter(ReplicaSnapshot snapshot, List<HeldMessages> held) {
        this.snapshot = snapshot;
        this.held = List.copyOf(held);
    }

    /** All of it at once. */
    public static byte[] toBytes(ReplicaSnapshot snapshot) {
        SnapshotWriter writer = new SnapshotWriter(snapshot);
        ByteBuffer all = ByteBuffer.allocate(1024);
        while (writer.hasNext()) {
            byte[] piece = writer.next(64 * 1024);
            if (all.remaining() < piece.length) {
                all = ByteBuffer.allocate(Math.max(2 * all.capacity(), all.position() + piece.length))
                        .put(all.flip());
            }
            all.put(piece);
        }
        return Arrays.copyOf(all.array(), all.position());
    }

    public boolean hasNext() {
        return record.hasRemaining() || step != Step.DONE;
    }

    /** How many of the messages were written or named so far. */
    public int messagesWritten() {
        return messagesWritten;
    }

    /**
     * The messages that have to be supplied before the next piece is asked for, and with them some that come after.
     *
     * @param pieceBytes most bytes of that piece
     * @param aheadBytes once something has to be read, so much is, about
     * @return offsets; none if the piece can be made
     */
    public List<Long> wanted(int pieceBytes, int aheadBytes) {
        List<Long> offsets = new ArrayList<>();
        if (step != Step.HEAD && step != Step.MESSAGES) {
            return offsets;
        }
        long bytes = record.remaining();
        for (int index = step == Step.HEAD ? 0 : next; index < snapshot.messages.size(); index++) {
            boolean isEnough = bytes >= (offsets.isEmpty() ? pieceBytes : aheadBytes);
            if (isEnough) {
                break;
            }
            byte[] entry = snapshot.messages.get(index);
            if (isHeld(entry)) {
                continue;
            }
            long offset = QueueEntryCodec.offset(entry);
            boolean isPaged = PagedEntry.is(entry);
            bytes += isPaged ? PagedEntry.publish(entry).bodyBytes() : entry.length;
            if (isPaged && !supplied.containsKey(offset)) {
                offsets.add(offset);
            }
        }
        return offsets;
    }

    /**
     * What {@link #wanted} asked for.
     *
     * @param asked all of it
     * @param entries what there is of it; the others are settled
     */
    public void supply(List<Long> asked, Map<Long, byte[]> entries) {
        asked.forEach(offset -> supplied.put(offset, entries.get(offset)));
    }

    /** The next piece, of at most so many bytes, which are at least 1; shorter only at the end. */
    public byte[] next(int bytesMax) {
        ByteBuffer piece = ByteBuffer.allocate(bytesMax);
        while (piece.hasRemaining() && hasNext()) {
            if (!record.hasRemaining()) {
                advance();
            }
            int bytes = Math.min(piece.remaining(), record.remaining());
            piece.put(record.slice(record.position(), bytes));
            record.position(record.position() + bytes);
        }
        return Arrays.copyOf(piece.array(), piece.position());
    }

    /** Encodes the next record, or goes on to the next step. */
    private void advance() {
        switch (step) {
            case HEAD -> {
                head();
                begin(Step.MESSAGES);
            }
            case MESSAGES -> {
                if (next < snapshot.messages.size()) {
                    message();
                } else {
                    begin(Step.CHANNELS);
                }
            }
            case CHANNELS -> {
                if (next < snapshot.channels.size()) {
                    channel(snapshot.channels.get(next++));
                } else {
                    begin(Step.LIMITS);
                }
            }
            case LIMITS -> {
                limits();
                begin(Step.DEAD_LETTERS);
            }
            case DEAD_LETTERS -> {
                if (next < snapshot.dying.size()) {
                    deadLetter(snapshot.dying.get(next++));
                } else {
                    begin(Step.END);
                }
            }
            case END -> {
                begin(END, 0);
                end();
                begin(Step.DONE);
            }
            case DONE -> throw new IllegalStateException("everything is written");
        }
    }

    private void begin(Step following) {
        step = following;
        next = 0;
    }

    private void head() {
        begin(HEAD, HEAD_CONTENT_BYTES)
                .put(VERSION)
                .putLong(snapshot.nextOffset)
                .putLong(snapshot.deadLetterCount)
                .putLong(snapshot.missingBelow)
                .putInt(snapshot.messages.size())
                .putInt(snapshot.channels.size())
                .putInt(snapshot.dying.size());
        end();
    }

    /** One message, or as many in a row as the other end holds. */
    private void message() {
        byte[] entry = snapshot.messages.get(next);
        if (!isHeld(entry)) {
            message(entry);
            next++;
            messagesWritten++;
            return;
        }
        long first = QueueEntryCodec.offset(entry);
        long reign = QueueEntryCodec.reign(entry);
        long last = first - 1;
        while (next < snapshot.messages.size() && follows(snapshot.messages.get(next), last, reign)) {
            last++;
            next++;
            messagesWritten++;
        }
        begin(HELD, 3 * Long.BYTES).putLong(first).putLong(last).putLong(reign);
        end();
    }

    private void message(byte[] entry) {
        byte[] whole = entry;
        if (PagedEntry.is(entry)) {
            long offset = QueueEntryCodec.offset(entry);
            if (!supplied.containsKey(offset)) {
                throw new IllegalStateException("offset=" + offset + " is on the disk only and was not supplied");
            }
            whole = supplied.remove(offset);
        }
        if (whole == null) {
            begin(GONE, Long.BYTES).putLong(QueueEntryCodec.offset(entry));
        } else {
            begin(MESSAGE, whole.length).put(whole);
        }
        end();
    }

    private boolean follows(byte[] entry, long last, long reign) {
        return QueueEntryCodec.offset(entry) == last + 1 && QueueEntryCodec.reign(entry) == reign && isHeld(entry);
    }

    private boolean isHeld(byte[] entry) {
        return !held.isEmpty() && HeldMessages.has(held, QueueEntryCodec.offset(entry), QueueEntryCodec.reign(entry));
    }

    private void channel(ChannelTable.Row row) {
        byte[] node = row.channel().node().getBytes(StandardCharsets.UTF_8);
        int bytes = 4 * Long.BYTES
                + Integer.BYTES
                + node.length
                + 2 * Long.BYTES * row.gaps().size();
        begin(CHANNEL, bytes)
                .putLong(row.highest())
                .putLong(row.firstOpen())
                .putLong(row.channel().incarnation())
                .putLong(row.channel().number())
                .putInt(node.length)
                .put(node);
        row.gaps().forEach(gap -> record.putLong(gap.first()).putLong(gap.last()));
        end();
    }

    private void limits() {
        begin(LIMITS, Long.BYTES * snapshot.limits.size());
        snapshot.limits.forEach(record::putLong);
        end();
    }

    private void deadLetter(ReplicaSnapshot.Dying dying) {
        DeathReason reason = dying.entry().reason();
        begin(DEAD_LETTER, 3 * Long.BYTES + 1)
                .putLong(dying.number())
                .putLong(dying.entry().offset())
                .putLong(dying.entry().reign())
                .put(QueueEntryCodec.code(reason));
        end();
    }

    private ByteBuffer begin(byte kind, int contentBytes) {
        int bytes = RECORD_HEAD_BYTES + contentBytes;
        record = ByteBuffer.allocate(bytes);
        return record.putInt(0).putInt(bytes).put(kind);
    }

    private void end() {
        record.flip();
        record.putInt(0, QueueEntryCodec.crc(record, record.limit()));
    }
}
