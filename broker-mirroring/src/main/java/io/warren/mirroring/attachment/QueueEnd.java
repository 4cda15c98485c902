package io.warren.mirroring.attachment;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Message;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.mirroring.attachment.AttachmentFrame.ToChannel;
import io.warren.mirroring.attachment.AttachmentFrame.ToQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queue's end of an attachment: what came from the channel's node is said to the queue, what the queue answers goes there.
 *
 * <p>Pure; the package says what is promised. It outlives attachments: it is there until the channel has ended, or its node's process.
 * Invariants: no publish reaches the queue twice; of every publish taken that wants an answer, the answer is in {@code answers} from
 * when it is known until the channel has said that it heard it. A barrier is of one attachment, and so is its answer.
 *
 * <p>A mirrored queue recognises publishes itself, for the next master has to. Then this end remembers nothing from one attachment to the next,
 * and is told of the present one only.
 */
public final class QueueEnd {

    /** Where frames go. */
    public interface Output {

        void send(ToChannel frame);

        /** Answers wait: {@link #flush} is to be called soon, when what happens now is over. */
        void flushSoon();

        /** {@link #onClosed} is to be called. Told by the queue: on any thread. */
        void closed();

        /** The channel of a mirrored queue has heard that the queue let go of it: it publishes nothing again, and its numbers can be forgotten. */
        void heard();

        /** The channel's {@link AttachmentFrame.Detach} was carried out: this end can be forgotten. */
        void ended();
    }

    private final long id;
    private final Output output;
    private @Nullable AttachedQueue queue;
    private int attempt;

    /** Highest number that came. */
    private long highest;

    /** Numbers that the queue was given and has not taken, oldest first; negated where an answer is wanted besides. */
    private final ArrayDeque<Long> untaken = new ArrayDeque<>();

    private long takenUpTo;
    private boolean takenWaits;
    private final TreeMap<Long, Boolean> answers = new TreeMap<>();
    /** Numbers of barriers without an answer, of whatever attachment. */
    private final Set<Long> barriers = new HashSet<>();

    private final List<Long> confirmed = new ArrayList<>();
    private final List<Long> rejected = new ArrayList<>();
    private boolean flushAsked;
    private boolean isMirrored;
    /** Of a mirrored queue: the attachment that it let go of, while the channel has not said that it heard so; else 0. */
    private int letGo;

    public QueueEnd(long id, Output output) {
        this.id = id;
        this.output = output;
    }

    // ----------------------------------------------------------------------------------------------- attachments

    /**
     * An attachment begins; the one before it is over.
     *
     * @param present the queue, for this attachment; null if it is not there
     */
    public void onAttach(AttachmentFrame.Attach attach, @Nullable AttachedQueue present) {
        onAttach(attach, present, attach.isMirrored());
    }

    /**
     * The same, of a queue that may not be what the channel's end takes it for.
     *
     * @param recognises whether the queue recognises publishes itself
     */
    public void onAttach(AttachmentFrame.Attach attach, @Nullable AttachedQueue present, boolean recognises) {
        letGo = 0;
        onLinkLost();
        attempt = attach.attempt();
        queue = present;
        isMirrored = recognises;
        if (isMirrored) {
            highest = 0;
            answers.clear();
            barriers.clear();
            untaken.clear();
            takenUpTo = 0;
        }
        highest = Math.max(highest, attach.firstOpen() - 1);
        heard(attach.firstOpen());
        if (present == null) {
            output.send(new AttachmentFrame.Gone(id, attempt));
            output.ended();
            return;
        }
        answers.forEach((number, isConfirmed) -> (isConfirmed ? confirmed : rejected).add(number));
        takenWaits = takenUpTo > 0;
        flush();
    }

    /** An attachment to a queue that is mirrored by now: what the channel has not heard it is told, and then to go on at the master. */
    public void onAttachMirrored(AttachmentFrame.Attach attach) {
        onLinkLost();
        attempt = attach.attempt();
        heard(attach.firstOpen());
        answers.forEach((number, isConfirmed) -> (isConfirmed ? confirmed : rejected).add(number));
        takenWaits = takenUpTo > 0;
        sendAnswers();
        output.send(new AttachmentFrame.Mirrored(id, attempt));
    }

    /** The queue is mirrored from now on, and has answered all it ever will. */
    public void onMirrored() {
        untaken.clear();
        if (queue != null) {
            flush();
            queue = null;
            output.send(new AttachmentFrame.Mirrored(id, attempt));
        }
    }

    /** The link is lost, or the channel's process: what the channel holds goes back. */
    public void onLinkLost() {
        AttachedQueue over = queue;
        queue = null;
        confirmed.clear();
        rejected.clear();
        takenWaits = false;
        if (over != null) {
            over.close(() -> {});
        }
        if (letGo > 0) {
            // If the channel has not heard it attaches again, under the next number.
            letGo = 0;
            output.ended();
        }
    }

    /** A mirrored queue has let go of the channel, which may attach again. */
    public void onLetGo(int ofAttempt) {
        if (ofAttempt == attempt && queue != null) {
            onLinkLost();
            output.send(new AttachmentFrame.Detached(id, attempt));
        }
    }

    /** The reign is over in which a mirrored queue was attached: there is nothing to let go of. The channel's node hears by itself. */
    public void onReignOver(int ofAttempt) {
        if (ofAttempt == attempt) {
            queue = null;
            confirmed.clear();
            rejected.clear();
        }
    }

    // ------------------------------------------------------------------------------------ what the channel's end says

    /** A frame other than {@link AttachmentFrame.Attach} came. */
    public void onFrame(ToQueue frame) {
        AttachedQueue present = queue;
        if (frame instanceof AttachmentFrame.Detach detach) {
            onDetach(present, detach);
        } else if (frame.attempt() == attempt && present != null) {
            onPresent(present, frame);
        }
    }

    /** The channel may have ended in an attachment of which nothing came here: there was no link. */
    private void onDetach(@Nullable AttachedQueue present, AttachmentFrame.Detach detach) {
        if (detach.attempt() < attempt) {
            return;
        }
        if (letGo > 0 && letGo == detach.attempt()) {
            letGo = 0;
            output.heard();
            output.ended();
            return;
        }
        attempt = detach.attempt();
        queue = null;
        if (present == null) {
            output.send(new AttachmentFrame.Detached(id, attempt));
            output.ended();
        } else {
            present.close(output::closed);
        }
    }

    /** The queue has back what the channel held. */
    public void onClosed() {
        output.send(new AttachmentFrame.Detached(id, attempt));
        if (isMirrored) {
            letGo = attempt;
        } else {
            output.ended();
        }
    }

    private void onPresent(AttachedQueue present, ToQueue frame) {
        if (frame instanceof AttachmentFrame.Publish publish) {
            onPublish(present, publish);
        } else if (frame instanceof AttachmentFrame.Settle settle) {
            present.settle(settle.verb(), settle.attempt(), settle.offsets());
        } else if (frame instanceof AttachmentFrame.Credit credit) {
            present.credit(credit.tag(), credit.deliveries());
        } else if (frame instanceof AttachmentFrame.Barrier barrier) {
            highest = Math.max(highest, barrier.number());
            barriers.add(barrier.number());
            present.barrier(barrier.number());
        } else if (frame instanceof AttachmentFrame.Permit permit) {
            present.permit(permit.permits());
        } else if (frame instanceof AttachmentFrame.LimitPermits limit) {
            present.limitPermits(limit.limited());
        } else if (frame instanceof AttachmentFrame.Consume consume) {
            present.consume(consume.consumer(), consume.permits());
        } else if (frame instanceof AttachmentFrame.Cancel cancel) {
            present.cancel(cancel.tag());
        } else {
            onQuestion(present, frame);
        }
    }

    private static void onQuestion(AttachedQueue present, ToQueue frame) {
        if (frame instanceof AttachmentFrame.Get get) {
            present.get(get.acknowledges());
        } else if (frame instanceof AttachmentFrame.Declare) {
            present.declare();
        } else if (frame instanceof AttachmentFrame.Purge) {
            present.purge();
        } else if (frame instanceof AttachmentFrame.Delete delete) {
            present.delete(delete.ifUnused(), delete.ifEmpty());
        }
    }

    private void onPublish(AttachedQueue present, AttachmentFrame.Publish publish) {
        if (isMirrored) {
            present.publish(publish.number(), publish.firstOpen(), publish.message());
            return;
        }
        heard(publish.firstOpen());
        if (publish.number() <= highest) {
            // It came before, over a link that was lost: its answer is under way, or is told with the next ones.
            return;
        }
        highest = publish.number();
        untaken.addLast(publish.confirm() ? -highest : highest);
        present.publish(publish.confirm() ? highest : 0, publish.message());
    }

    /** The channel has the answers to everything below. */
    private void heard(long firstOpen) {
        if (!answers.isEmpty() && answers.firstKey() < firstOpen) {
            answers.headMap(firstOpen).clear();
        }
    }

    // ------------------------------------------------------------------------------------------ what the queue says

    /** The queue has taken the oldest publish it had not; of whatever attachment. */
    public void onTaken(int publishes) {
        if (isMirrored) {
            return;
        }
        for (int i = 0; i < publishes; i++) {
            long number = untaken.removeFirst();
            if (number > 0) {
                takenUpTo = number;
                takenWaits = true;
            }
        }
        if (takenWaits) {
            askFlush();
        }
    }

    /** A publish or a barrier is answered; of whatever attachment. */
    public void onAnswered(long number, boolean isConfirmed) {
        if (!barriers.remove(number) && !isMirrored) {
            answers.put(number, isConfirmed);
        }
        (isConfirmed ? confirmed : rejected).add(number);
        askFlush();
    }

    private void askFlush() {
        if (!flushAsked && queue != null) {
            flushAsked = true;
            output.flushSoon();
        }
    }

    /** Sends the answers that wait. */
    public void flush() {
        flushAsked = false;
        if (queue != null) {
            sendAnswers();
        }
    }

    private void sendAnswers() {
        if (takenWaits) {
            takenWaits = false;
            output.send(new AttachmentFrame.Taken(id, attempt, takenUpTo));
        }
        if (!confirmed.isEmpty() || !rejected.isEmpty()) {
            output.send(new AttachmentFrame.Answered(id, attempt, confirmed, rejected));
            confirmed.clear();
            rejected.clear();
        }
    }

    /**
     * A message could not be sent, for it is larger than what nodes pass on to each other: the channel cannot go on, and the message goes back
     * when it has ended.
     *
     * @param why with what it was and what is allowed
     */
    public void onTooLarge(int ofAttempt, String why) {
        AmqpError error =
                AmqpError.channel(ReplyCode.PRECONDITION_FAILED, why + "; the queue can be consumed at its node");
        onAnswer(ofAttempt, new AttachmentFrame.Refused(id, ofAttempt, error));
    }

    /** Whatever else the queue says, through the attachment of that number; of an earlier one nothing is passed on. */
    public void onAnswer(int ofAttempt, ToChannel frame) {
        if (ofAttempt != attempt || queue == null) {
            return;
        }
        if (frame instanceof AttachmentFrame.Gone) {
            // Of the queue's last words some may wait still.
            flush();
            queue = null;
            output.send(frame);
            output.ended();
        } else {
            output.send(frame);
        }
    }

    /** The words of a queue as frames of one attachment; answers to publishes are those of the end, not of the attachment. */
    public abstract static class Words implements AttachedChannel {
        private final long id;
        private final int attempt;

        protected Words(long id, int attempt) {
            this.id = id;
            this.attempt = attempt;
        }

        protected abstract void answer(ToChannel frame);

        @Override
        public void onDelivery(
                String tag, int attachment, long offset, boolean redelivered, boolean permitted, Message message) {
            answer(new AttachmentFrame.Delivered(id, attempt, tag, offset, redelivered, permitted, message));
        }

        @Override
        public void onGetOk(int attachment, long offset, boolean redelivered, Message message, long readyCount) {
            answer(new AttachmentFrame.GetOk(id, attempt, offset, redelivered, readyCount, message));
        }

        @Override
        public void onGetEmpty() {
            answer(new AttachmentFrame.GetEmpty(id, attempt));
        }

        @Override
        public void onConsumeOk(String tag) {
            answer(new AttachmentFrame.ConsumeOk(id, attempt, tag));
        }

        @Override
        public void onConsumeRefused(String tag, AmqpError error) {
            answer(new AttachmentFrame.ConsumeRefused(id, attempt, tag, error));
        }

        @Override
        public void onCancelOk(String tag) {
            answer(new AttachmentFrame.CancelOk(id, attempt, tag));
        }

        @Override
        public void onCancelled(String tag) {
            answer(new AttachmentFrame.Cancelled(id, attempt, tag));
        }

        @Override
        public void onDeclareOk(long readyCount, int consumerCount) {
            answer(new AttachmentFrame.DeclareOk(id, attempt, readyCount, consumerCount));
        }

        @Override
        public void onPurged(long messageCount) {
            answer(new AttachmentFrame.Purged(id, attempt, messageCount));
        }

        @Override
        public void onDeleteGranted(long messageCount) {
            answer(new AttachmentFrame.DeleteGranted(id, attempt, messageCount));
        }

        @Override
        public void onRefused(AmqpError error) {
            answer(new AttachmentFrame.Refused(id, attempt, error));
        }

        @Override
        public void onQueueGone() {
            answer(new AttachmentFrame.Gone(id, attempt));
        }

        @Override
        public void onPermitWanted() {
            answer(new AttachmentFrame.PermitWanted(id, attempt));
        }

        @Override
        public void onPermitsReturned(int permits) {
            answer(new AttachmentFrame.PermitReturned(id, attempt, permits));
        }
    }
}
