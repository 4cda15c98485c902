package io.warren.mirroring.mirror;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.mirroring.queue.ChannelId;
import org.jspecify.annotations.Nullable;

/**
 * What a led queue says to one attached channel: said while this node has its lease, else withheld until it has one again or the reign is
 * over. Owned by the queue's mailbox.
 */
final class Words implements AttachedChannel {
    private final Leading leading;
    private final ChannelId channel;
    private final MirrorEnd end;
    private volatile @Nullable AttachedQueue queue;

    Words(Leading leading, ChannelId channel, MirrorEnd end) {
        this.leading = leading;
        this.channel = channel;
        this.end = end;
    }

    ChannelId channel() {
        return channel;
    }

    MirrorEnd end() {
        return end;
    }

    void attachedTo(AttachedQueue attached) {
        queue = attached;
    }

    /** What the channel holds goes back. */
    void close() {
        AttachedQueue attached = queue;
        if (attached != null) {
            attached.close(() -> {});
        }
    }

    @Override
    public void onTaken(int publishes) {
        end.onTaken(publishes);
    }

    @Override
    public void onConfirmed(long sequence) {
        leading.say(() -> end.onConfirmed(sequence));
    }

    @Override
    public void onRejected(long sequence) {
        leading.say(() -> end.onRejected(sequence));
    }

    @Override
    public void onDelivery(
            String consumerTag, int attachment, long offset, boolean redelivered, boolean permitted, Message message) {
        leading.say(() -> end.onDelivery(consumerTag, attachment, offset, redelivered, permitted, message));
    }

    @Override
    public void onGetOk(int attachment, long offset, boolean redelivered, Message message, long readyCount) {
        leading.say(() -> end.onGetOk(attachment, offset, redelivered, message, readyCount));
    }

    @Override
    public void onGetEmpty() {
        leading.say(end::onGetEmpty);
    }

    @Override
    public void onConsumeOk(String consumerTag) {
        leading.say(() -> end.onConsumeOk(consumerTag));
    }

    @Override
    public void onConsumeRefused(String consumerTag, AmqpError error) {
        leading.say(() -> end.onConsumeRefused(consumerTag, error));
    }

    @Override
    public void onCancelOk(String consumerTag) {
        leading.say(() -> end.onCancelOk(consumerTag));
    }

    @Override
    public void onCancelled(String consumerTag) {
        leading.say(() -> end.onCancelled(consumerTag));
    }

    @Override
    public void onDeclareOk(long readyCount, int consumerCount) {
        leading.say(() -> end.onDeclareOk(readyCount, consumerCount));
    }

    @Override
    public void onPurged(long messageCount) {
        leading.say(() -> end.onPurged(messageCount));
    }

    @Override
    public void onDeleteGranted(long messageCount) {
        leading.say(() -> end.onDeleteGranted(messageCount));
    }

    @Override
    public void onRefused(AmqpError error) {
        leading.say(() -> end.onRefused(error));
    }

    @Override
    public void onQueueGone() {
        leading.say(end::onQueueGone);
    }

    @Override
    public void onPermitWanted() {
        leading.say(end::onPermitWanted);
    }

    @Override
    public void onPermitsReturned(int permits) {
        leading.say(() -> end.onPermitsReturned(permits));
    }
}
