package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What one link sends for one group: what waits, and what the peer lets it send. Owned by the links' thread, but for the reserving. */
final class OutStream<P> {
    private static final int UNNUMBERED = -1;

    private final String name;
    /** Bytes that were posted and not written. */
    private final AtomicLong waitingBytes = new AtomicLong();

    private final ArrayDeque<Outgoing.Item<P>> waiting = new ArrayDeque<>();
    private int id = UNNUMBERED;
    private long credit = Wire.CREDIT_BYTES;
    private @Nullable ByteBuf pieces;
    private boolean isFirstPiece;
    private boolean isReady;
    private boolean evicted;

    OutStream(String name) {
        if (ByteBufUtil.utf8Bytes(name) > Wire.GROUP_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "group=" + name.substring(0, 40) + "... is longer than " + Wire.GROUP_BYTES_MAX + " bytes");
        }
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Makes room for an item; false if too much waits. Any thread. */
    boolean reserve(int bytes) {
        if (bytes > 0 && waitingBytes.get() > Outgoing.waitingBytesMax()) {
            return false;
        }
        waitingBytes.addAndGet(bytes);
        return true;
    }

    void reserveAnyway(int bytes) {
        waitingBytes.addAndGet(bytes);
    }

    void add(Outgoing.Item<P> item) {
        waiting.add(item);
    }

    /** True if it has something to send that may go, and was not known to. */
    boolean becomesReady() {
        boolean becomes = !isReady && (pieces != null || (!waiting.isEmpty() && credit > 0));
        isReady |= becomes;
        return becomes;
    }

    void unready() {
        isReady = false;
    }

    Outgoing.Item<P> next() {
        Outgoing.Item<P> item = waiting.remove();
        waitingBytes.addAndGet(-item.bytes);
        return item;
    }

    void spend(int bytes) {
        credit -= bytes;
    }

    void onCredit(long bytes) {
        credit += bytes;
        if (credit > Wire.CREDIT_BYTES) {
            throw new Malformed("more credit for group " + name + " than was used");
        }
    }

    // ---------------------------------------------------------------------------------------------------- pieces

    boolean hasPieces() {
        return pieces != null;
    }

    /** What goes in pieces from here on; owned by the stream. */
    void setPieces(ByteBuf whole) {
        pieces = whole;
        isFirstPiece = true;
    }

    void writePiece(ByteBuf out) {
        ByteBuf whole = pieces;
        if (whole == null) {
            throw new IllegalStateException("nothing goes in pieces for group " + name);
        }
        int bytes = Math.min(Wire.BATCH_BYTES, whole.readableBytes());
        boolean isLast = bytes == whole.readableBytes();
        int start = out.writerIndex();
        out.writeInt(0).writeByte(Wire.PIECE);
        Fields.writeNumber(out, id);
        out.writeByte((isFirstPiece ? Wire.FIRST_PIECE : 0) | (isLast ? Wire.LAST_PIECE : 0));
        if (isFirstPiece) {
            Fields.writeNumber(out, whole.readableBytes());
        }
        out.writeBytes(whole, bytes);
        out.setInt(start, out.writerIndex() - start - Wire.LENGTH_BYTES);
        isFirstPiece = false;
        if (isLast) {
            close();
        }
    }

    void close() {
        if (pieces != null) {
            pieces.release();
            pieces = null;
        }
    }

    // ---------------------------------------------------------------------------------------------------- numbers

    /** Number of the stream, or below 0 as long as the peer does not know it. */
    int id() {
        return id;
    }

    void setId(int newId) {
        id = newId;
    }

    /** Nothing waits and nothing is under way. */
    boolean isIdle() {
        return waiting.isEmpty() && pieces == null && credit == Wire.CREDIT_BYTES && waitingBytes.get() == 0;
    }

    /** Its number was given to another: what is still posted for it goes to a stream of the same name. */
    void evict() {
        evicted = true;
    }

    boolean isEvicted() {
        return evicted;
    }
}
