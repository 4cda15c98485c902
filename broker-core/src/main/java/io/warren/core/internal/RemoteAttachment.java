package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.QueueHomes;
import io.warren.core.spi.SettleVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One channel of this broker at a queue of another node: consumers by their tags, deliveries with the number of their
 * attachment, permits of the channel-wide prefetch.
 *
 * <p>Spoken to in the channel's mailbox, answered by any thread; what answers change is posted there or guarded here.
 */
final class RemoteAttachment implements AttachedChannel {

    /** A delivery that names the attachment it came with, so that an old one settles nothing. */
    private static final class RemoteDelivery extends QueueDelivery {

        private final int attachment;

        RemoteDelivery(
                RemoteQueue queue,
                int attachment,
                long offset,
                Message message,
                boolean redelivered,
                @Nullable QueueConsumer consumer) {
            super(queue, offset, message, redelivered, consumer);
            this.attachment = attachment;
        }
    }

    /** Most permits that are given at once. */
    private static final int PERMITS_MAX = 1_024;

    private final RemoteQueue address;
    private final ChannelProcess channel;
    private final AttachedQueue queue;
    private final AttachedQueue ahead;
    private final Map<String, QueueConsumer> consumers = new ConcurrentHashMap<>();

    /** Tags of consumers that the client has already, and whose queue has another process now. */
    private final Set<String> goingOn = ConcurrentHashMap.newKeySet();

    /** Guarded by this, as the next. */
    private boolean permitWanted;

    private boolean limitTold;

    /** The consumer whose cancel has no answer yet; a channel cancels one after the other. */
    private volatile @Nullable QueueConsumer cancelling;

    RemoteAttachment(
            RemoteQueue address, ChannelProcess channel, QueueHomes homes, @Nullable QueueProcess predecessor) {
        this.address = address;
        this.channel = channel;
        this.ahead = homes.attach(address.vhost(), address.definition(), this);
        if (predecessor == null) {
            this.queue = ahead;
        } else {
            Fence fence = new Fence(ahead);
            this.queue = fence;
            predecessor.post(() -> channel.mailbox().post(fence::open));
        }
    }

    /** For what was said to the queue's predecessor. */
    AttachedQueue ahead() {
        return ahead;
    }

    AttachedQueue queue() {
        return queue;
    }

    void consume(QueueConsumer consumer) {
        consume(consumer, queue, ChannelProcess.CONSUMER_CREDIT);
    }

    /** A consumer that its client has already. */
    void goOn(QueueConsumer consumer, int credit) {
        goingOn.add(consumer.tag());
        consume(consumer, ahead, credit);
    }

    private void consume(QueueConsumer consumer, AttachedQueue at, int credit) {
        tellLimit();
        consumers.put(consumer.tag(), consumer);
        at.consume(
                new AttachedQueue.Consumer(
                        consumer.tag(),
                        consumer.acknowledges(),
                        consumer.isExclusive(),
                        consumer.priority(),
                        consumer.prefetchCount(),
                        credit,
                        consumer.isCancelledByFailover()),
                consumer.acknowledges() ? takePermits() : 0);
    }

    void cancel(QueueConsumer consumer) {
        cancelling = consumer;
        queue.cancel(consumer.tag());
    }

    /** Each run of deliveries of one attachment together. */
    void settle(SettleVerb verb, List<QueueDelivery> deliveries) {
        List<Long> offsets = new ArrayList<>(deliveries.size());
        int attachment = 0;
        for (QueueDelivery each : deliveries) {
            RemoteDelivery delivery = (RemoteDelivery) each;
            if (!offsets.isEmpty() && delivery.attachment != attachment) {
                queue.settle(verb, attachment, List.copyOf(offsets));
                offsets.clear();
            }
            attachment = delivery.attachment;
            offsets.add(delivery.offset());
        }
        queue.settle(verb, attachment, offsets);
    }

    // ---- permits

    /** The channel has permits again, or a limit, or none any more. */
    void permitsChanged() {
        tellLimit();
        answerWanted();
    }

    private void tellLimit() {
        boolean limited = channel.isPermitLimited();
        boolean tell;
        synchronized (this) {
            tell = limited != limitTold;
            limitTold = limited;
        }
        if (tell) {
            queue.limitPermits(limited);
        }
    }

    /** All the channel has: what the queue does not use at once comes back at once. */
    private int takePermits() {
        int taken = 0;
        while (taken < PERMITS_MAX && channel.isPermitLimited() && channel.takePermit()) {
            taken++;
        }
        return taken;
    }

    private void answerWanted() {
        int granted;
        synchronized (this) {
            granted = permitWanted ? takePermits() : 0;
            permitWanted &= granted == 0;
        }
        if (granted > 0) {
            queue.permit(granted);
        }
    }

    @Override
    public void onPermitWanted() {
        synchronized (this) {
            permitWanted = true;
        }
        answerWanted();
    }

    @Override
    public void onPermitsReturned(int permits) {
        channel.mailbox().post(() -> channel.returnPermits(permits));
    }

    // ---- answers

    @Override
    public void onTaken(int publishes) {
        channel.credit().giveBack(publishes);
    }

    @Override
    public void onWeighed(int publishes) {
        channel.credit().take(publishes);
    }

    @Override
    public void onConfirmed(long sequence) {
        channel.publishConfirmed(sequence);
    }

    @Override
    public void onRejected(long sequence) {
        channel.publishRejected(sequence);
    }

    @Override
    public void onDelivery(
            String consumerTag, int attachment, long offset, boolean redelivered, boolean permitted, Message message) {
        QueueConsumer consumer = consumers.get(consumerTag);
        if (consumer == null) {
            return;
        }
        if (!permitted && consumer.acknowledges()) {
            channel.countPermit();
        }
        channel.delivered(consumer, new RemoteDelivery(address, attachment, offset, message, redelivered, consumer));
    }

    @Override
    public void onGetOk(int attachment, long offset, boolean redelivered, Message message, long readyCount) {
        channel.got(new RemoteDelivery(address, attachment, offset, message, redelivered, null), readyCount);
    }

    @Override
    public void onGetEmpty() {
        channel.gotNothing();
    }

    @Override
    public void onConsumeOk(String consumerTag) {
        QueueConsumer consumer = consumers.get(consumerTag);
        if (!goingOn.remove(consumerTag) && consumer != null) {
            channel.consumeAccepted(consumer);
        }
    }

    @Override
    public void onConsumeRefused(String consumerTag, AmqpError error) {
        QueueConsumer consumer = consumers.remove(consumerTag);
        if (goingOn.remove(consumerTag) && consumer != null) {
            channel.cancelledByQueue(consumer);
        } else {
            channel.refused(error);
        }
    }

    @Override
    public void onCancelOk(String consumerTag) {
        goingOn.remove(consumerTag);
        consumers.remove(consumerTag);
        QueueConsumer consumer = cancelling;
        if (consumer != null) {
            cancelling = null;
            channel.cancelAccepted(consumer);
        }
    }

    @Override
    public void onCancelled(String consumerTag) {
        goingOn.remove(consumerTag);
        QueueConsumer consumer = consumers.remove(consumerTag);
        if (consumer != null) {
            channel.cancelledByQueue(consumer);
        }
    }

    @Override
    public void onDeclareOk(long readyCount, int consumerCount) {
        channel.declareAnswered(address.name(), readyCount, consumerCount);
    }

    @Override
    public void onPurged(long messageCount) {
        channel.countAnswered(messageCount);
    }

    @Override
    public void onDeleteGranted(long messageCount) {
        channel.deleteGranted(address, messageCount);
    }

    @Override
    public void onQueueGone() {
        channel.mailbox().post(() -> address.forget(channel));
    }

    @Override
    public void onRefused(AmqpError error) {
        channel.refused(error);
    }
}
