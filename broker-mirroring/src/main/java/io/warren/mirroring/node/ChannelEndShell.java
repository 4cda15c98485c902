package io.warren.mirroring.node;

import io.warren.core.message.Message;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.SettleVerb;
import io.warren.mirroring.attachment.AttachmentCodec;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.attachment.AttachmentFrame.ToChannel;
import io.warren.mirroring.attachment.AttachmentFrame.ToQueue;
import io.warren.mirroring.attachment.ChannelEnd;
import io.warren.mirroring.attachment.FrameWindow;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One {@link ChannelEnd} with its owner, a mailbox of the core, and the process of the home it speaks to. A mirrored queue's home moves. */
final class ChannelEndShell implements AttachedQueue, ChannelEnd.Output {
    private final Attachments attachments;
    private final long id;
    private final ChannelEnd.Target target;
    private final Executor serial;
    private final ChannelEnd end;
    private final FrameWindow<ToQueue> window = new FrameWindow<>(this::pass);
    /** An entry of a mirrored queue has a message and a little more. */
    private static final int MIRRORED_BYTES_MAX = AttachmentCodec.MESSAGE_BYTES_MAX - (64 << 10);

    /** The process the present attachment is to; owned by the mailbox, as the next two. */
    private @Nullable Member peer;

    /** The process the last attachment was to. */
    private @Nullable Member lastPeer;

    private int attempt;

    /** Of a mirrored queue: the reign the end was told of last, and in which metadata log. */
    private long reign;

    private long logId;
    private volatile boolean wantsRetry;
    /** Whether its queue is mirrored; never false again. */
    private volatile boolean moving;

    ChannelEndShell(Attachments attachments, long id, ChannelEnd.Target target, AttachedChannel channel) {
        this.attachments = attachments;
        this.id = id;
        this.target = target;
        moving = target.mirrored();
        serial = attachments.local().serial(attachments::failed);
        end = new ChannelEnd(id, target, channel, this);
    }

    String home() {
        return target.home();
    }

    ChannelEnd.Target target() {
        return target;
    }

    long queueId() {
        return target.queueId();
    }

    boolean isMoving() {
        return moving;
    }

    /** The queue's end let go of it: it may try again after a while. */
    boolean wantsRetry() {
        return wantsRetry;
    }

    /** Who leads its mirrored queue, and whether there is a way to that process. */
    void onMaster(View view, Member master, boolean linked) {
        serial.execute(() -> {
            wantsRetry = false;
            if (reign != view.reign() || logId != view.logId()) {
                reign = view.reign();
                logId = view.logId();
                window.reset();
                peer = null;
                end.onMoved(master.node());
            }
            if (linked) {
                peer = master;
                end.onLink(master.node(), reign);
            } else {
                peer = null;
                end.onApart();
            }
        });
    }

    /** Nobody leads its mirrored queue, or there is no way to who does. */
    void onNoMaster() {
        serial.execute(this::homeDown);
    }

    /** Its mirrored queue is deleted. */
    void onDeleted() {
        serial.execute(end::onDeleted);
    }

    /** For the others this node's process has ended. */
    void onSelfEnded() {
        serial.execute(() -> {
            peer = null;
            window.reset();
            end.onSelfEnded();
        });
    }

    /** The home's process as the metadata has it, and the process there is a link to; null where there is none. */
    void onHome(@Nullable Member running, @Nullable Member linked) {
        serial.execute(() -> {
            if (running != null && running.equals(linked)) {
                peer = running;
                end.onLink();
            } else if (running != null) {
                end.onApart();
            } else {
                homeDown();
            }
        });
    }

    /** There is no link to that process any more. */
    void onLinkLost(Member lost) {
        serial.execute(() -> {
            if (lost.equals(peer)) {
                window.reset();
                end.onApart();
            }
        });
    }

    /** That process has ended, or counts as ended. */
    void onHomeEnded(Member ended) {
        if (!isMoving() && ended.node().equals(target.home())) {
            serial.execute(this::homeDown);
        }
    }

    private void homeDown() {
        peer = null;
        window.reset();
        end.onHomeDown();
        if (!moving && attachments.mirrors().known(queueId()) != null) {
            // It came to be mirrored, and who would have said so has ended.
            end.onMirrored();
        }
    }

    void onFrame(Member from, ToChannel frame) {
        serial.execute(() -> {
            if (from.equals(peer)) {
                take(from, frame);
            }
        });
    }

    private void take(Member from, ToChannel frame) {
        boolean isPresent = frame.attempt() == attempt;
        if (frame instanceof AttachmentFrame.QueueReceived received) {
            if (isPresent) {
                window.onReceived(received.bytes());
            }
            return;
        }
        end.onFrame(frame);
        if (isMoving() && frame instanceof AttachmentFrame.Detached && end.isApart()) {
            wantsRetry = true;
        }
        long told = isPresent ? window.takenIn(frame) : 0;
        if (told > 0) {
            attachments.send(from, new AttachmentFrame.ChannelReceived(id, attempt, told));
        }
    }

    @Override
    public void send(ToQueue frame) {
        if (frame instanceof AttachmentFrame.Attach attach) {
            attempt = attach.attempt();
            lastPeer = peer;
            window.reset();
        }
        window.send(frame);
    }

    private void pass(ToQueue frame) {
        Member to = peer;
        if (to == null) {
            return;
        }
        try {
            checkSize(frame);
            attachments.send(to, frame);
        } catch (IllegalArgumentException tooLarge) {
            refuse(frame, tooLarge);
        }
    }

    private void checkSize(ToQueue frame) {
        if (isMoving() && frame instanceof AttachmentFrame.Publish publish) {
            Message message = publish.message();
            if (message.memoryBytes() > MIRRORED_BYTES_MAX) {
                throw new IllegalArgumentException("message size " + message.bodyBytes()
                        + " is, with its headers, larger than what a mirrored queue takes: " + MIRRORED_BYTES_MAX);
            }
        }
    }

    /** Of what a channel says only a message can be too large. It was not sent, so nobody will say that it was received. */
    private void refuse(ToQueue frame, IllegalArgumentException tooLarge) {
        if (!(frame instanceof AttachmentFrame.Publish publish)) {
            throw tooLarge;
        }
        serial.execute(() -> {
            if (publish.attempt() == attempt) {
                window.onReceived(FrameWindow.bytes(publish));
            }
            end.onTooLarge(publish.number(), String.valueOf(tooLarge.getMessage()));
        });
    }

    @Override
    public void endedApart(int lastAttempt) {
        Member home = lastPeer;
        if (home != null) {
            attachments.endedApart(home, new AttachmentFrame.Detach(id, lastAttempt));
        }
    }

    @Override
    public void ended() {
        attachments.forget(id);
    }

    @Override
    public void mirrored() {
        moving = true;
        window.reset();
        peer = null;
        attachments.onMirrored(id, this);
    }

    // ---------------------------------------------------------------------------------- what the channel says

    @Override
    public void publish(long sequence, Message message) {
        serial.execute(() -> end.publish(sequence, message));
    }

    @Override
    public void barrier(long sequence) {
        serial.execute(() -> end.barrier(sequence));
    }

    @Override
    public void consume(Consumer consumer, int permits) {
        serial.execute(() -> end.consume(consumer, permits));
    }

    @Override
    public void cancel(String consumerTag) {
        serial.execute(() -> end.cancel(consumerTag));
    }

    @Override
    public void credit(String consumerTag, int deliveries) {
        serial.execute(() -> end.credit(consumerTag, deliveries));
    }

    @Override
    public void limitPermits(boolean limited) {
        serial.execute(() -> end.limitPermits(limited));
    }

    @Override
    public void permit(int permits) {
        serial.execute(() -> end.permit(permits));
    }

    @Override
    public void get(boolean acknowledges) {
        serial.execute(() -> end.get(acknowledges));
    }

    @Override
    public void settle(SettleVerb verb, int attachment, List<Long> offsets) {
        serial.execute(() -> end.settle(verb, attachment, offsets));
    }

    @Override
    public void declare() {
        serial.execute(end::declare);
    }

    @Override
    public void purge() {
        serial.execute(end::purge);
    }

    @Override
    public void delete(boolean ifUnused, boolean ifEmpty) {
        serial.execute(() -> end.delete(ifUnused, ifEmpty));
    }

    @Override
    public void close(Runnable done) {
        serial.execute(() -> end.close(done));
    }
}
