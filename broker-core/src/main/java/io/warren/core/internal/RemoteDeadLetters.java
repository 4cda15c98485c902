package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.QueueHomes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of one queue of this broker on their way to one queue of another node.
 *
 * <p>Published in the first queue's mailbox, answered by any thread. Holds one row for each dead letter that was not
 * answered; those are in the first queue still.
 */
final class RemoteDeadLetters implements AttachedChannel {

    private final AttachedQueue queue;
    private final boolean isNumbered;
    private final Map<Long, DeadLetterPublish> unanswered = new ConcurrentHashMap<>();
    private long lastSequence;

    private RemoteDeadLetters(boolean isNumbered, Function<AttachedChannel, AttachedQueue> attach) {
        this.isNumbered = isNumbered;
        this.queue = attach.apply(this);
    }

    /** Of whatever queue. */
    static RemoteDeadLetters of(QueueHomes homes, String vhost, Queue target) {
        return new RemoteDeadLetters(false, letters -> homes.attach(vhost, target, letters));
    }

    /** Of a mirrored queue to a mirrored queue: each dead letter goes under its number, which every master of the first gives it. */
    static RemoteDeadLetters numbered(QueueHomes homes, long source, String vhost, Queue target) {
        return new RemoteDeadLetters(true, letters -> homes.attachQueue(source, vhost, target, letters));
    }

    void publish(@Nullable DeadLetterPublish publish, Message message) {
        if (publish == null) {
            queue.publish(0, message);
            return;
        }
        lastSequence = isNumbered ? publish.number() : lastSequence + 1;
        unanswered.put(lastSequence, publish);
        queue.publish(lastSequence, message);
    }

    void close() {
        queue.close(() -> {});
        unanswered.values().forEach(DeadLetterPublish::answered);
        unanswered.clear();
    }

    @Override
    public void onConfirmed(long sequence) {
        answered(sequence);
    }

    @Override
    public void onRejected(long sequence) {
        answered(sequence);
    }

    private void answered(long sequence) {
        DeadLetterPublish publish = unanswered.remove(sequence);
        if (publish != null) {
            publish.answered();
        }
    }

    @Override
    public void onTaken(int publishes) {
        // No client waits for credit.
    }

    @Override
    public void onDelivery(
            String consumerTag, int attachment, long offset, boolean redelivered, boolean permitted, Message message) {
        throw unasked();
    }

    @Override
    public void onGetOk(int attachment, long offset, boolean redelivered, Message message, long readyCount) {
        throw unasked();
    }

    @Override
    public void onGetEmpty() {
        throw unasked();
    }

    @Override
    public void onConsumeOk(String consumerTag) {
        throw unasked();
    }

    @Override
    public void onConsumeRefused(String consumerTag, AmqpError error) {
        throw unasked();
    }

    @Override
    public void onCancelOk(String consumerTag) {
        throw unasked();
    }

    @Override
    public void onCancelled(String consumerTag) {
        throw unasked();
    }

    @Override
    public void onDeclareOk(long readyCount, int consumerCount) {
        throw unasked();
    }

    @Override
    public void onPurged(long messageCount) {
        throw unasked();
    }

    @Override
    public void onDeleteGranted(long messageCount) {
        throw unasked();
    }

    @Override
    public void onRefused(AmqpError error) {
        // One that is too large to travel; it was rejected as well, which ends it.
    }

    @Override
    public void onQueueGone() {
        // The topology tells, and whoever published is answered.
    }

    @Override
    public void onPermitWanted() {
        throw unasked();
    }

    @Override
    public void onPermitsReturned(int permits) {
        throw unasked();
    }

    private static IllegalStateException unasked() {
        return new IllegalStateException("an answer came to dead letters, which only publish");
    }
}
