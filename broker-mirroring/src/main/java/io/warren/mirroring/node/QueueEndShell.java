package io.warren.mirroring.node;

import io.warren.core.spi.AttachedQueue;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.attachment.AttachmentFrame.ToChannel;
import io.warren.mirroring.attachment.AttachmentFrame.ToQueue;
import io.warren.mirroring.attachment.QueueEnd;
import io.warren.mirroring.ring.Member;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
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
    private final ArrayDeque<ToQueue> early = new ArrayDeque<>();
    private AttachmentFrame.@Nullable Attach earlyAttach;

    QueueEndShell(Attachments attachments, Member channelsNode, long id) {
        this.attachments = attachments;
        this.channelsNode = channelsNode;
        this.id = id;
        serial = attachments.local().serial(attachments::failed);
        end = new QueueEnd(id, this);
    }

    void onAttach(AttachmentFrame.Attach attach) {
        serial.execute(() -> {
            early.clear();
            earlyAttach = attach;
            tryAttach();
        });
    }

    private void tryAttach() {
        AttachmentFrame.Attach attach = earlyAttach;
        if (attach == null) {
            return;
        }
        AttachedQueue queue = attachments
                .local()
                .attach(attach.vhost(), attach.queue(), attach.queueId(), attach.attempt(), new Said(attach.attempt()));
        if (queue == null && attachments.isDeclaredLater(attach.queueId())) {
            attachments.retryLater(this);
            return;
        }
        earlyAttach = null;
        end.onAttach(attach, queue);
        for (ToQueue frame = early.poll(); frame != null; frame = early.poll()) {
            end.onFrame(frame);
        }
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
                end.onFrame(frame);
            }
        });
    }

    void onLinkLost(Member peer) {
        if (peer.equals(channelsNode)) {
            serial.execute(() -> {
                earlyAttach = null;
                early.clear();
                end.onLinkLost();
            });
        }
    }

    /** The channel's process has ended, and the channel with it. */
    void onChannelsNodeEnded(Member ended) {
        if (ended.equals(channelsNode)) {
            onLinkLost(ended);
            attachments.forget(channelsNode, id);
        }
    }

    @Override
    public void send(ToChannel frame) {
        attachments.send(channelsNode, frame);
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
    public void ended() {
        attachments.forget(channelsNode, id);
    }

    /** What the queue says, in its mailbox: handed to the end's. */
    private final class Said extends QueueEnd.Words {
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
