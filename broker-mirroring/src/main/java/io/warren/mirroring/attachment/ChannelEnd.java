package io.warren.mirroring.attachment;

import io.warren.core.error.AmqpError;
import io.warren.core.error.Refusals;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Message;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.SettleVerb;
import io.warren.mirroring.attachment.AttachmentFrame.ToChannel;
import io.warren.mirroring.attachment.AttachmentFrame.ToQueue;
import io.warren.mirroring.attachment.OpenPublishes.Open;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The channel's end of an attachment: what the channel says goes to the queue's node, what comes from there is told to the channel.
 *
 * <p>A mirrored queue's home moves: what was not answered goes to the next master, in order, and each publish is kept until it is confirmed,
 * whether the channel wants to know or not.
 *
 * <p>Pure; the package says what is promised. Invariants: {@code open} holds, in order of their numbers, exactly the publishes and barriers
 * that the channel was not answered; numbers and attempts only grow.
 */
public final class ChannelEnd implements AttachedQueue {

    /** Where frames go. */
    public interface Output {

        void send(ToQueue frame);

        /**
         * The channel has ended, and the home may hold something for it that it cannot be told of now: it is to be told a {@link
         * AttachmentFrame.Detach} of this attempt as soon as there is a link. Not if its process has ended.
         */
        void endedApart(int lastAttempt);

        /** Nothing comes any more and nothing is wanted: this end can be forgotten. */
        void ended();

        /** The queue moves from now on: this end is to be told who leads it. */
        void mirrored();
    }

    private enum State {
        /** The home runs, as far as is known, and there is no link to it; or nothing is known of it yet. */
        APART,
        /** An attachment is there. */
        ATTACHED,
        /** The home does not run. */
        DOWN,
        /** The queue is deleted. */
        GONE,
        /** The channel has ended and waits until the queue has back what it held. */
        CLOSING,
        /** The channel has ended, and there is no master who could hear of it and of what it published. */
        LEAVING,
        /** The channel has ended. */
        ENDED
    }

    /**
     * Which queue.
     *
     * @param home its node, the present one if it moves
     * @param mirrored whether it moves
     * @param source id of the mirrored queue whose dead letters are published, under their own numbers; 0 for a channel
     */
    public record Target(String vhost, String queue, long queueId, String home, boolean mirrored, long source) {

        /** A queue that is not mirrored. */
        public Target(String vhost, String queue, long queueId, String home) {
            this(vhost, queue, queueId, home, false, 0);
        }
    }

    /** @param whenGone answers it where there is no queue */
    private record Question(IntFunction<ToQueue> frame, Runnable whenGone) {}

    private static final class Subscription {
        private final Consumer asked;
        private int credit;
        private boolean accepted;

        Subscription(Consumer asked) {
            this.asked = asked;
            this.credit = asked.credit();
        }

        Consumer again() {
            return new Consumer(
                    asked.tag(),
                    asked.acknowledges(),
                    asked.exclusive(),
                    asked.priority(),
                    asked.prefetchCount(),
                    credit,
                    asked.cancelledByFailover());
        }
    }

    private final long id;
    private final Target target;
    private final AttachedChannel channel;
    private final Output output;
    private final OpenPublishes open = new OpenPublishes();
    private final Map<String, Subscription> subscriptions = new LinkedHashMap<>();
    private State state = State.APART;
    private String home;
    private long reign;
    private int attempt;
    private boolean limited;
    private int permitsAway;
    /** Whether the queue moves; never false again. */
    private boolean mirrored;

    /** The one that has no answer yet, to be asked again in another attachment. */
    private @Nullable Question question;

    private @Nullable String cancelling;
    private Runnable whenClosed = () -> {};

    /**
     * An end that has not heard of its home yet: what the channel says waits.
     *
     * @param id names it within this process
     */
    public ChannelEnd(long id, Target target, AttachedChannel channel, Output output) {
        this.id = id;
        this.target = target;
        this.mirrored = target.mirrored;
        this.home = target.home;
        this.channel = channel;
        this.output = output;
    }

    // ------------------------------------------------------------------------------------------- link and home

    /**
     * There is a link to the master of a mirrored queue.
     *
     * @param reignThere in which it leads
     */
    public void onLink(String master, long reignThere) {
        home = master;
        reign = reignThere;
        onLink();
    }

    /** A mirrored queue has another master than before. */
    public void onMoved(String master) {
        home = master;
        onApart();
        List.copyOf(subscriptions.values()).stream()
                .filter(subscription -> subscription.accepted && subscription.asked.cancelledByFailover())
                .forEach(subscription -> {
                    subscriptions.remove(subscription.asked.tag());
                    channel.onCancelled(subscription.asked.tag());
                });
    }

    /** The queue was a process at its home, and is mirrored from now on: what was not answered it has not got. */
    public void onMirrored() {
        if (mirrored || state == State.GONE || state == State.ENDED) {
            return;
        }
        mirrored = true;
        switch (state) {
            case APART, ATTACHED, DOWN -> {
                if (attempt > 0) {
                    // The queue's end has nothing to remember any more.
                    output.endedApart(attempt);
                }
                if (state == State.ATTACHED) {
                    detached();
                }
                state = State.APART;
            }
            case CLOSING -> cutOff();
            case LEAVING, GONE, ENDED -> {}
        }
        if (state != State.ENDED) {
            output.mirrored();
        }
    }

    /** The queue is deleted, and there is no home that could say so. */
    public void onDeleted() {
        switch (state) {
            case APART, DOWN -> onGone();
            case CLOSING, LEAVING -> end();
            case ATTACHED, GONE, ENDED -> {}
        }
    }

    /** Whether it waits for its home, or for a link. */
    public boolean isApart() {
        return state == State.APART || state == State.LEAVING;
    }

    /** The home's process runs and there is a link to it. */
    public void onLink() {
        switch (state) {
            case APART, DOWN -> attach();
            case LEAVING -> leave();
            case ATTACHED, GONE, CLOSING, ENDED -> {}
        }
    }

    /** The home's process runs and there is no link to it, or not any more. */
    public void onApart() {
        switch (state) {
            case DOWN -> state = State.APART;
            case ATTACHED -> {
                detached();
                state = State.APART;
            }
            case CLOSING -> cutOff();
            case APART, GONE, LEAVING, ENDED -> {}
        }
    }

    /** The home's process has ended, or counts as ended: what it had not answered nobody will. */
    public void onHomeDown() {
        switch (state) {
            case APART, ATTACHED -> {
                detached();
                state = target.source == 0 ? State.DOWN : State.APART;
                if (state == State.DOWN) {
                    // Dead letters wait: their queue has them as long as nobody answers.
                    loseAll();
                }
            }
            case CLOSING -> cutOff();
            case DOWN, GONE, LEAVING, ENDED -> {}
        }
    }

    /**
     * For the others this channel's process has ended: who leads forgets what it published. Under another process's name that would be taken
     * once more.
     */
    public void onSelfEnded() {
        boolean isOver = state == State.LEAVING || state == State.CLOSING;
        if (isOver && target.source == 0) {
            end();
        } else {
            onHomeDown();
        }
    }

    private void attach() {
        attempt++;
        state = State.ATTACHED;
        sendAttach();
        if (limited) {
            output.send(new AttachmentFrame.LimitPermits(id, attempt, true));
        }
        subscriptions.values().forEach(subscription -> subscribe(subscription, 0));
        open.forEach(this::sendOpen);
        if (question != null) {
            output.send(question.frame.apply(attempt));
        }
    }

    private void sendAttach() {
        output.send(new AttachmentFrame.Attach(
                id, attempt, target.vhost, target.queue, target.queueId, open.first(), reign, target.source));
    }

    private void subscribe(Subscription subscription, int permits) {
        permitsAway += permits;
        output.send(new AttachmentFrame.Consume(id, attempt, subscription.again(), permits));
    }

    private void sendOpen(long number, Open publish) {
        Message message = publish.message();
        output.send(
                message == null
                        ? new AttachmentFrame.Barrier(id, attempt, number)
                        : new AttachmentFrame.Publish(
                                id, attempt, number, open.first(), mirrored || publish.sequence() != 0, message));
    }

    /** The attachment is over: what was settled in it may not have arrived, and permits are lost. */
    private void detached() {
        returnPermits();
        open.takeBarriers().forEach(barrier -> answer(barrier, false));
        String tag = cancelling;
        if (tag != null) {
            cancelling = null;
            subscriptions.remove(tag);
            channel.onCancelOk(tag);
        }
    }

    private void returnPermits() {
        int lost = permitsAway;
        permitsAway = 0;
        if (lost > 0) {
            channel.onPermitsReturned(lost);
        }
    }

    private void loseAll() {
        open.takeAll().forEach(one -> answer(one, false));
        List<Subscription> consumers = List.copyOf(subscriptions.values());
        subscriptions.clear();
        consumers.forEach(this::cancelled);
        if (question != null) {
            question = null;
            channel.onRefused(down());
        }
    }

    private void cancelled(Subscription subscription) {
        if (subscription.accepted) {
            channel.onCancelled(subscription.asked.tag());
        } else {
            AmqpError why = state == State.GONE ? Refusals.noQueue(target.vhost, target.queue) : down();
            channel.onConsumeRefused(subscription.asked.tag(), why);
        }
    }

    private AmqpError down() {
        return Refusals.homeDown(target.vhost, target.queue, home);
    }

    // ------------------------------------------------------------------------------------- what the channel says

    @Override
    public void publish(long sequence, Message message) {
        add(new Open(sequence, message));
    }

    @Override
    public void barrier(long sequence) {
        if (state == State.APART) {
            // What was settled before is back in the queue.
            channel.onRejected(sequence);
        } else {
            add(new Open(sequence, null));
        }
    }

    private void add(Open one) {
        if (state == State.CLOSING || state == State.LEAVING || state == State.ENDED) {
            return;
        }
        if (one.weight() > 1) {
            channel.onWeighed(one.weight() - 1);
        }
        switch (state) {
            case APART -> number(one);
            case ATTACHED -> sendOpen(number(one), one);
            case DOWN -> answer(one, false);
            case GONE -> answer(one, true);
            case CLOSING, LEAVING, ENDED -> {}
        }
    }

    private long number(Open one) {
        if (target.source == 0) {
            return open.add(one);
        }
        open.add(one.sequence(), one);
        return one.sequence();
    }

    private void answer(Open one, boolean confirmed) {
        if (one.message() != null) {
            channel.onTaken(one.weight());
        }
        if (one.sequence() == 0) {
            return;
        }
        if (confirmed) {
            channel.onConfirmed(one.sequence());
        } else {
            channel.onRejected(one.sequence());
        }
    }

    @Override
    public void consume(Consumer consumer, int permits) {
        Subscription subscription = new Subscription(consumer);
        if (state != State.ATTACHED && permits > 0) {
            channel.onPermitsReturned(permits);
        }
        switch (state) {
            case APART -> subscriptions.put(consumer.tag(), subscription);
            case ATTACHED -> {
                subscriptions.put(consumer.tag(), subscription);
                subscribe(subscription, permits);
            }
            case DOWN, GONE -> cancelled(subscription);
            case CLOSING, LEAVING, ENDED -> {}
        }
    }

    @Override
    public void cancel(String tag) {
        if (state == State.ATTACHED && subscriptions.containsKey(tag)) {
            cancelling = tag;
            output.send(new AttachmentFrame.Cancel(id, attempt, tag));
        } else {
            subscriptions.remove(tag);
            channel.onCancelOk(tag);
        }
    }

    @Override
    public void credit(String tag, int deliveries) {
        Subscription subscription = subscriptions.get(tag);
        if (subscription != null) {
            subscription.credit += deliveries;
            if (state == State.ATTACHED) {
                output.send(new AttachmentFrame.Credit(id, attempt, tag, deliveries));
            }
        }
    }

    @Override
    public void limitPermits(boolean isLimited) {
        limited = isLimited;
        if (state == State.ATTACHED) {
            output.send(new AttachmentFrame.LimitPermits(id, attempt, isLimited));
        }
    }

    @Override
    public void permit(int permits) {
        if (state == State.ATTACHED) {
            permitsAway += permits;
            output.send(new AttachmentFrame.Permit(id, attempt, permits));
        } else {
            channel.onPermitsReturned(permits);
        }
    }

    @Override
    public void get(boolean acknowledges) {
        ask(at -> new AttachmentFrame.Get(id, at, acknowledges), channel::onGetEmpty);
    }

    @Override
    public void declare() {
        ask(at -> new AttachmentFrame.Declare(id, at), () -> channel.onDeclareOk(0, 0));
    }

    @Override
    public void purge() {
        ask(at -> new AttachmentFrame.Purge(id, at), () -> channel.onPurged(0));
    }

    @Override
    public void delete(boolean ifUnused, boolean ifEmpty) {
        ask(at -> new AttachmentFrame.Delete(id, at, ifUnused, ifEmpty), () -> channel.onDeleteGranted(0));
    }

    private void ask(IntFunction<ToQueue> asked, Runnable whenGone) {
        switch (state) {
            case APART -> question = new Question(asked, whenGone);
            case ATTACHED -> {
                question = new Question(asked, whenGone);
                output.send(asked.apply(attempt));
            }
            case DOWN -> channel.onRefused(down());
            case GONE -> whenGone.run();
            case CLOSING, LEAVING, ENDED -> {}
        }
    }

    @Override
    public void settle(SettleVerb verb, int attachment, List<Long> offsets) {
        if (state == State.ATTACHED && attachment == attempt) {
            output.send(new AttachmentFrame.Settle(id, attempt, verb, offsets));
        }
    }

    @Override
    public void close(Runnable done) {
        whenClosed = done;
        if (state == State.ATTACHED) {
            state = State.CLOSING;
            output.send(new AttachmentFrame.Detach(id, attempt));
        } else if (state == State.APART || state == State.DOWN) {
            cutOff();
        } else {
            end();
        }
    }

    /** The channel has ended, and there is nobody to hear of that: not now, of a mirrored queue, else never. */
    private void cutOff() {
        // Dead letters end with a reign of their queue: whoever leads it next sends them.
        boolean isKnown = target.source == 0 && (attempt > 0 || !open.isEmpty());
        if (!mirrored || !isKnown) {
            endApart();
            return;
        }
        state = State.LEAVING;
        subscriptions.clear();
        question = null;
        closed();
    }

    /** A master hears of what the channel published, and that it has ended. */
    private void leave() {
        attempt++;
        state = State.CLOSING;
        sendAttach();
        open.forEach(this::sendOpen);
        output.send(new AttachmentFrame.Detach(id, attempt));
    }

    private void endApart() {
        if (attempt > 0) {
            output.endedApart(attempt);
        }
        end();
    }

    private void end() {
        state = State.ENDED;
        open.takeAll();
        subscriptions.clear();
        question = null;
        output.ended();
        closed();
    }

    private void closed() {
        Runnable done = whenClosed;
        whenClosed = () -> {};
        done.run();
    }

    /**
     * A publish was not sent, and never can be: it is larger than what nodes pass on to each other.
     *
     * @param why with what it was and what is allowed
     */
    public void onTooLarge(long number, String why) {
        Open refused = open.remove(number);
        if (refused != null) {
            answer(refused, false);
            channel.onRefused(AmqpError.channel(ReplyCode.PRECONDITION_FAILED, why));
        }
    }

    // ------------------------------------------------------------------------------------- what the queue's end says

    /** A frame came; one of an earlier attachment changes nothing. */
    public void onFrame(ToChannel frame) {
        if (frame.attempt() != attempt) {
            return;
        }
        boolean isLast = frame instanceof AttachmentFrame.Detached || frame instanceof AttachmentFrame.Gone;
        if (frame instanceof AttachmentFrame.Mirrored) {
            onMirrored();
        } else if (state == State.CLOSING && isLast) {
            if (mirrored && frame instanceof AttachmentFrame.Detached) {
                // Had it not heard, it would publish again what was not answered: only now may its numbers be
                // forgotten.
                output.send(new AttachmentFrame.Detach(id, attempt));
            }
            end();
        } else if (state == State.ATTACHED) {
            onPresent(frame);
        }
    }

    private void onPresent(ToChannel frame) {
        if (frame instanceof AttachmentFrame.Delivered delivered) {
            onDelivered(delivered);
        } else if (frame instanceof AttachmentFrame.Taken taken) {
            onTaken(taken.upTo());
        } else if (frame instanceof AttachmentFrame.Answered answered) {
            answered.confirmed().forEach(number -> onAnswered(number, true));
            answered.rejected().forEach(number -> onAnswered(number, false));
        } else if (frame instanceof AttachmentFrame.PermitWanted) {
            channel.onPermitWanted();
        } else if (frame instanceof AttachmentFrame.PermitReturned returned) {
            permitsAway -= returned.permits();
            channel.onPermitsReturned(returned.permits());
        } else if (frame instanceof AttachmentFrame.Gone) {
            onGone();
        } else if (frame instanceof AttachmentFrame.Detached) {
            // The queue's end let go, and will have it back later.
            onApart();
        } else if (!onConsumer(frame)) {
            onQuestionAnswered(frame);
        }
    }

    private void onDelivered(AttachmentFrame.Delivered delivered) {
        Subscription subscription = subscriptions.get(delivered.tag());
        if (subscription == null) {
            return;
        }
        subscription.credit--;
        if (delivered.permitted()) {
            permitsAway--;
        }
        channel.onDelivery(
                delivered.tag(),
                attempt,
                delivered.offset(),
                delivered.redelivered(),
                delivered.permitted(),
                delivered.message());
    }

    private void onTaken(long upTo) {
        int taken = open.takeUpTo(upTo);
        if (taken > 0) {
            channel.onTaken(taken);
        }
    }

    private void onAnswered(long number, boolean confirmed) {
        Open answered = open.remove(number);
        if (answered != null) {
            answer(answered, confirmed);
        }
    }

    /** What concerns a consumer; false if it is something else. */
    private boolean onConsumer(ToChannel frame) {
        if (frame instanceof AttachmentFrame.ConsumeOk ok) {
            Subscription subscription = subscriptions.get(ok.tag());
            if (subscription != null && !subscription.accepted) {
                subscription.accepted = true;
                channel.onConsumeOk(ok.tag());
            }
        } else if (frame instanceof AttachmentFrame.ConsumeRefused refused) {
            onConsumeRefused(refused.tag(), refused.error());
        } else if (frame instanceof AttachmentFrame.CancelOk ok) {
            cancelling = null;
            subscriptions.remove(ok.tag());
            channel.onCancelOk(ok.tag());
        } else if (frame instanceof AttachmentFrame.Cancelled gone) {
            Subscription subscription = subscriptions.remove(gone.tag());
            if (subscription != null) {
                channel.onCancelled(gone.tag());
            }
        } else {
            return false;
        }
        return true;
    }

    private void onQuestionAnswered(ToChannel frame) {
        boolean isUnasked = question == null && !(frame instanceof AttachmentFrame.Refused);
        if (isUnasked) {
            return;
        }
        question = null;
        if (frame instanceof AttachmentFrame.GetOk got) {
            channel.onGetOk(attempt, got.offset(), got.redelivered(), got.message(), got.readyCount());
        } else if (frame instanceof AttachmentFrame.GetEmpty) {
            channel.onGetEmpty();
        } else if (frame instanceof AttachmentFrame.DeclareOk ok) {
            channel.onDeclareOk(ok.readyCount(), ok.consumerCount());
        } else if (frame instanceof AttachmentFrame.Purged purged) {
            channel.onPurged(purged.messageCount());
        } else if (frame instanceof AttachmentFrame.DeleteGranted granted) {
            channel.onDeleteGranted(granted.messageCount());
        } else if (frame instanceof AttachmentFrame.Refused refused) {
            channel.onRefused(refused.error());
        }
    }

    /** A new consumer, or one that came again and finds its place taken by an exclusive one. */
    private void onConsumeRefused(String tag, AmqpError error) {
        Subscription subscription = subscriptions.remove(tag);
        if (subscription != null && subscription.accepted) {
            channel.onCancelled(tag);
        } else if (subscription != null) {
            channel.onConsumeRefused(tag, error);
        }
    }

    /** The queue was deleted: as where it lived, publishes count as safe and questions find nothing. */
    private void onGone() {
        returnPermits();
        state = State.GONE;
        open.takeAll().forEach(one -> answer(one, true));
        List<Subscription> consumers = List.copyOf(subscriptions.values());
        subscriptions.clear();
        consumers.forEach(this::cancelled);
        Question asked = question;
        if (asked != null) {
            question = null;
            asked.whenGone.run();
        }
        if (cancelling != null) {
            String tag = cancelling;
            cancelling = null;
            channel.onCancelOk(tag);
        }
        output.ended();
        channel.onQueueGone();
    }
}
