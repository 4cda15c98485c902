package io.warren.mirroring.node;

import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.attachment.AttachmentFrame.ToChannel;
import io.warren.mirroring.attachment.AttachmentFrame.ToQueue;
import io.warren.mirroring.attachment.FrameWindow;
import io.warren.mirroring.attachment.QueueEnd;
import io.warren.mirroring.mirror.MirrorEnd;
import io.warren.mirroring.mirror.Mirrors;
import io.warren.mirroring.queue.ChannelId;
import io.warren.mirroring.ring.Member;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One {@link QueueEnd} with its owner, a mailbox of the core.
 *
 * <p>A channel's node may have applied a declare that this one has not: then the frames wait until it has. They are bounded by the
 * channel's credit, and the time by the detection of a node that does not apply.
 */
final class QueueEndShell implements QueueEnd.Output {
    private final Attachments attachments;
    private final Member channelsNode;
    private final long id;
    private final Executor serial;
    private final QueueEnd end;
    private final FrameWindow<ToChannel> window = new FrameWindow<>(this::pass);
    private final ArrayDeque<ToQueue> early = new ArrayDeque<>();
    private AttachmentFrame.@Nullable Attach earlyAttach;
    private int attempt;
    /** Attachments that were asked for and have not begun. */
    private final AtomicInteger asked = new AtomicInteger();

    /** What the present attachment is to, if its queue is mirrored. */
    private AttachmentFrame.@Nullable Attach mirrored;
    /** The end has ended, and its last words wait for room. */
    private boolean ending;

    QueueEndShell(Attachments attachments, Member channelsNode, long id) {
        this.attachments = attachments;
        this.channelsNode = channelsNode;
        this.id = id;
        serial = attachments.local().serial(attachments::failed);
        end = new QueueEnd(id, this);
    }

    /** {@link #onAttach} comes. */
    void onAttachComes() {
        asked.incrementAndGet();
    }

    /** Whether the channel attaches, or waits to. */
    boolean isWanted() {
        return asked.get() > 0;
    }

    void onAttach(AttachmentFrame.Attach attach) {
        serial.execute(() -> {
            // Only the last one counts, and it counts until it has begun.
            asked.decrementAndGet();
            early.clear();
            earlyAttach = attach;
            // Also of one that is not mirrored as far as is known: it may come to be just now.
            attachments.mirroredEnds().waits(attach.queueId(), this);
            tryAttach();
        });
    }

    private void tryAttach() {
        AttachmentFrame.Attach attach = earlyAttach;
        if (attach == null) {
            return;
        }
        Mirrors.Attached attached = mirrored(attach);
        switch (attached.outcome()) {
            case BEGUN -> begin(attach, attached.queue(), true);
            case NOT_LED -> {
                // It will be led here, or is led elsewhere by now and the channel's node hears of that.
            }
            case MIRRORED -> {
                notEarly(attach);
                attempt = attach.attempt();
                window.reset();
                end.onAttachMirrored(attach);
            }
            case UNKNOWN -> tryPlain(attach);
        }
    }

    private Mirrors.Attached mirrored(AttachmentFrame.Attach attach) {
        Mirrors mirrors = attachments.mirrors();
        MirrorSaid words = new MirrorSaid(attach);
        return attach.isMirrored()
                ? mirrors.attach(attach.queueId(), attach.reign(), channel(attach), attach.attempt(), words)
                : mirrors.attachPlain(attach.queueId(), channel(attach), attach.attempt(), words);
    }

    private void tryPlain(AttachmentFrame.Attach attach) {
        if (attach.isMirrored() && attachments.local().runsByItself(attach.vhost(), attach.queue(), attach.queueId())) {
            // The channel's node knows that it is mirrored from now on; this one will, too.
            return;
        }
        AttachedQueue queue = attach.isMirrored() ? null : plain(attach, new Said(attach.attempt()));
        if (queue == null && attachments.mirrors().known(attach.queueId()) != null) {
            // It came to be mirrored between the two looks.
            serial.execute(this::tryAttach);
        } else if (queue == null && attachments.isDeclaredLater(attach.queueId())) {
            attachments.retryLater(this);
        } else {
            begin(attach, queue, attach.isMirrored());
        }
    }

    private void begin(AttachmentFrame.Attach attach, @Nullable AttachedQueue queue, boolean recognises) {
        notEarly(attach);
        mirrored = recognises ? attach : null;
        attempt = attach.attempt();
        ending = false;
        window.reset();
        end.onAttach(attach, queue, recognises);
        for (ToQueue frame = early.poll(); frame != null; frame = early.poll()) {
            take(frame);
        }
    }

    private @Nullable AttachedQueue plain(AttachmentFrame.Attach attach, AttachedChannel words) {
        return attachments.local().attach(attach.vhost(), attach.queue(), attach.queueId(), attach.attempt(), words);
    }

    /** Who publishes: a channel of that process, or a queue, which is the same whoever leads it. */
    private ChannelId channel(AttachmentFrame.Attach attach) {
        return attach.source() == 0
                ? new ChannelId(channelsNode.node(), channelsNode.incarnation(), id)
                : ChannelId.ofQueue(attach.source());
    }

    private void notEarly(AttachmentFrame.Attach attach) {
        earlyAttach = null;
        attachments.mirroredEnds().waitsNoMore(attach.queueId(), this);
    }

    /** The queue that was asked for too early, or one that never will be. */
    long earlyQueueId() {
        AttachmentFrame.Attach attach = earlyAttach;
        return attach == null ? Long.MIN_VALUE : attach.queueId();
    }

    /** This node counts as ended. */
    void end() {
        onLinkLost(channelsNode);
    }

    void retryEarly() {
        serial.execute(this::tryAttach);
    }

    void onFrame(ToQueue frame) {
        serial.execute(() -> {
            if (earlyAttach != null) {
                early.addLast(frame);
            } else {
                take(frame);
            }
        });
    }

    private void take(ToQueue frame) {
        boolean isPresent = frame.attempt() == attempt;
        if (frame instanceof AttachmentFrame.ChannelReceived received) {
            if (isPresent) {
                window.onReceived(received.bytes());
                forgetIfOver();
            }
            return;
        }
        end.onFrame(frame);
        long told = isPresent ? window.takenIn(frame) : 0;
        if (told > 0) {
            attachments.send(channelsNode, new AttachmentFrame.QueueReceived(id, attempt, told));
        }
    }

    void onLinkLost(Member peer) {
        if (peer.equals(channelsNode)) {
            serial.execute(() -> {
                AttachmentFrame.Attach over = earlyAttach;
                if (over != null) {
                    notEarly(over);
                }
                early.clear();
                window.reset();
                end.onLinkLost();
                forgetIfOver();
            });
        }
    }

    /** The channel's process has ended, and the channel with it. */
    void onChannelsNodeEnded(Member ended) {
        if (ended.equals(channelsNode)) {
            onLinkLost(ended);
            attachments.forget(channelsNode, id, this);
        }
    }

    @Override
    public void send(ToChannel frame) {
        window.send(frame);
    }

    private void pass(ToChannel frame) {
        try {
            attachments.send(channelsNode, frame);
        } catch (IllegalArgumentException tooLarge) {
            refuse(frame, tooLarge);
        }
    }

    /** Of what a queue says only a message can be too large. It was not sent, so nobody will say that it was received. */
    private void refuse(ToChannel frame, IllegalArgumentException tooLarge) {
        boolean isMessage = frame instanceof AttachmentFrame.Delivered || frame instanceof AttachmentFrame.GetOk;
        if (!isMessage) {
            throw tooLarge;
        }
        serial.execute(() -> {
            if (frame.attempt() == attempt) {
                window.onReceived(FrameWindow.bytes(frame));
            }
            end.onTooLarge(frame.attempt(), String.valueOf(tooLarge.getMessage()));
        });
    }

    @Override
    public void flushSoon() {
        serial.execute(end::flush);
    }

    @Override
    public void closed() {
        serial.execute(end::onClosed);
    }

    @Override
    public void heard() {
        AttachmentFrame.Attach over = mirrored;
        if (over != null && over.source() == 0) {
            attachments.mirrors().channelEnded(over.queueId(), channel(over));
        }
    }

    @Override
    public void ended() {
        ending = true;
        forgetIfOver();
    }

    private void forgetIfOver() {
        if (ending && window.isEmpty()) {
            attachments.forgetUnlessWanted(channelsNode, id, this);
        }
    }

    /** What a mirrored queue says: of an attachment that is over nothing counts. */
    private final class MirrorSaid extends Said implements MirrorEnd {
        private final AttachmentFrame.Attach attach;
        private final int attempt;

        MirrorSaid(AttachmentFrame.Attach attach) {
            super(attach.attempt());
            this.attach = attach;
            this.attempt = attach.attempt();
        }

        private void ifPresent(Runnable what) {
            serial.execute(() -> {
                if (attempt == QueueEndShell.this.attempt) {
                    what.run();
                }
            });
        }

        @Override
        public void onTaken(int publishes) {}

        @Override
        public void onConfirmed(long sequence) {
            ifPresent(() -> end.onAnswered(sequence, true));
        }

        @Override
        public void onRejected(long sequence) {
            ifPresent(() -> end.onAnswered(sequence, false));
        }

        @Override
        public void onReignOver() {
            serial.execute(() -> {
                if (!attach.isMirrored() && attachments.mirrors().hasGroup(attach.queueId())) {
                    // It was not mirrored any more, and is again.
                    end.onMirrored();
                    return;
                }
                end.onReignOver(attempt);
                if (attempt == QueueEndShell.this.attempt && earlyAttach == null) {
                    attachments.forgetUnlessWanted(channelsNode, id, QueueEndShell.this);
                }
            });
        }

        @Override
        public void onLetGo() {
            serial.execute(() -> end.onLetGo(attempt));
        }
    }

    /** What the queue says, in its mailbox: handed to the end's. */
    private class Said extends QueueEnd.Words {
        private final int attempt;

        Said(int attempt) {
            super(id, attempt);
            this.attempt = attempt;
        }

        @Override
        protected void answer(ToChannel frame) {
            serial.execute(() -> end.onAnswer(attempt, frame));
        }

        @Override
        public void onMirrored() {
            serial.execute(end::onMirrored);
        }

        @Override
        public void onTaken(int publishes) {
            serial.execute(() -> end.onTaken(publishes));
        }

        @Override
        public void onConfirmed(long sequence) {
            serial.execute(() -> end.onAnswered(sequence, true));
        }

        @Override
        public void onRejected(long sequence) {
            serial.execute(() -> end.onAnswered(sequence, false));
        }
    }
}
