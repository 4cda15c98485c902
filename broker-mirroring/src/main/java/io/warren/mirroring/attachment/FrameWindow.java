package io.warren.mirroring.attachment;

import io.warren.core.message.Message;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One end's credit in bytes: how much of what it sends may be under way, and what it owes the other end for what came.
 *
 * <p>The credit of publishes and of consumers counts messages, of which one may be a few bytes and one 128 MiB. A link takes whatever an
 * attachment sends, as bytes in memory; here it waits as messages instead, which are in memory anyway. The order is kept over all
 * frames. What the other end has taken in it tells by {@link AttachmentFrame.ChannelReceived} or {@link AttachmentFrame.QueueReceived}; these
 * wait for nothing, so that neither end waits for the other.
 *
 * <p>Limit: {@value #BYTES_MAX} bytes and one frame. Pure; one owner at a time.
 *
 * @param <F> what goes from this end
 */
public final class FrameWindow<F extends AttachmentFrame> {

    /** Two windows of a link's group: no attachment has to wait where the other end keeps up. */
    public static final long BYTES_MAX = 8 << 20;

    /** Often enough that the other end never waits for it, seldom enough to cost nothing. */
    private static final long TELL_BYTES = BYTES_MAX / 4;

    /** What a frame costs besides a message's body or a list, about. */
    private static final long FRAME_BYTES = 64;

    private final Consumer<F> out;
    private final ArrayDeque<F> waiting = new ArrayDeque<>();
    private long underWayBytes;
    private long owedBytes;

    /** @param out where frames go; what it throws, who sends has to expect from here too */
    public FrameWindow(Consumer<F> out) {
        this.out = out;
    }

    /** Sends a frame, when there is room. */
    public void send(F frame) {
        if (waiting.isEmpty() && underWayBytes < BYTES_MAX) {
            pass(frame);
        } else {
            waiting.addLast(frame);
        }
    }

    private void pass(F frame) {
        underWayBytes += bytes(frame);
        out.accept(frame);
    }

    /** The other end has taken in so much. */
    public void onReceived(long bytes) {
        underWayBytes = Math.max(0, underWayBytes - bytes);
        while (!waiting.isEmpty() && underWayBytes < BYTES_MAX) {
            pass(waiting.removeFirst());
        }
    }

    /** This end has taken in a frame; returns the bytes to tell the other end of, 0 if it need not be told yet. */
    public long takenIn(AttachmentFrame frame) {
        owedBytes += bytes(frame);
        long told = owedBytes < TELL_BYTES ? 0 : owedBytes;
        owedBytes -= told;
        return told;
    }

    /** Whether everything was sent. */
    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The attachment is over; what waits is lost with it, and the next begins with a whole window. */
    public void reset() {
        waiting.clear();
        underWayBytes = 0;
        owedBytes = 0;
    }

    /** What a frame counts. */
    public static long bytes(AttachmentFrame frame) {
        Message message = message(frame);
        if (message != null) {
            return FRAME_BYTES + message.bodyBytes();
        }
        if (frame instanceof AttachmentFrame.Settle settle) {
            return FRAME_BYTES + (long) Long.BYTES * settle.offsets().size();
        }
        if (frame instanceof AttachmentFrame.Answered answered) {
            int numbers = answered.confirmed().size() + answered.rejected().size();
            return FRAME_BYTES + (long) Long.BYTES * numbers;
        }
        return FRAME_BYTES;
    }

    /** The message in a frame, or null if it has none. */
    static @Nullable Message message(AttachmentFrame frame) {
        if (frame instanceof AttachmentFrame.Publish publish) {
            return publish.message();
        }
        if (frame instanceof AttachmentFrame.Delivered delivered) {
            return delivered.message();
        }
        if (frame instanceof AttachmentFrame.GetOk got) {
            return got.message();
        }
        return frame instanceof AttachmentFrame.Reply reply ? reply.message() : null;
    }
}
