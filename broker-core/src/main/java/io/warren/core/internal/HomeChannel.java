package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.SettleVerb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A channel of another node at a queue that lives here: to the queue it is a channel like any.
 *
 * <p>Spoken to by the cluster, one call at a time; answered in the queue's mailbox, which owns what is not final.
 */
final class HomeChannel extends QueueUser implements AttachedQueue {

    private final QueueProcess queue;
    private final int attachment;
    private volatile AttachedChannel out;
    private final Map<String, QueueConsumer> consumers = new ConcurrentHashMap<>();
    private final Map<Long, QueueDelivery> unacked = new HashMap<>();

    /** Each delivery needs a permit of the channel. */
    private boolean limited;

    /** Permits that were given and not used. */
    private int permits;

    private boolean permitAsked;
    private boolean getAcknowledges;

    HomeChannel(QueueProcess queue, int attachment, AttachedChannel out) {
        this.queue = queue;
        this.attachment = attachment;
        this.out = out;
        queue.post(() -> queue.used(this));
    }

    /** In the queue's mailbox: its reign is over, and nothing is said any more. */
    void silence() {
        out = Silence.SILENCE;
        unacked.clear();
    }

    /** Who is answered, as the cluster attached it. */
    AttachedChannel out() {
        return out;
    }

    /** In the queue's mailbox: it is mirrored from now on, and this was its last word. */
    void mirrored() {
        out.onMirrored();
        silence();
    }

    /** In the queue's mailbox: it was deleted. */
    void queueGone() {
        out.onQueueGone();
    }

    // ---- what the channel says

    @Override
    public void publish(long sequence, Message message) {
        queue.publish(this, sequence, message);
    }

    @Override
    public void publish(long sequence, long firstOpen, Message message) {
        if (queue.isMirrored()) {
            queue.publishNumbered(this, sequence, firstOpen, message);
        } else {
            queue.publish(this, sequence, message);
        }
    }

    @Override
    public void barrier(long sequence) {
        queue.barrier(this, sequence);
    }

    @Override
    public void consume(Consumer asked, int withPermits) {
        QueueConsumer consumer = new QueueConsumer(
                this,
                asked.tag(),
                asked.acknowledges(),
                asked.exclusive(),
                asked.priority(),
                asked.prefetchCount(),
                asked.credit());
        consumers.put(asked.tag(), consumer);
        queue.post(() -> permits += withPermits);
        queue.consume(consumer);
        returnUnused();
    }

    @Override
    public void cancel(String consumerTag) {
        QueueConsumer consumer = consumers.get(consumerTag);
        if (consumer == null) {
            out.onCancelOk(consumerTag);
        } else {
            queue.cancel(consumer);
        }
    }

    @Override
    public void credit(String consumerTag, int deliveries) {
        QueueConsumer consumer = consumers.get(consumerTag);
        if (consumer != null) {
            queue.credit(consumer, deliveries);
        }
    }

    @Override
    public void get(boolean acknowledges) {
        queue.post(() -> getAcknowledges = acknowledges);
        queue.get(this, acknowledges);
    }

    @Override
    public void settle(SettleVerb verb, int ofAttachment, List<Long> offsets) {
        if (ofAttachment == attachment) {
            queue.post(() -> queue.settled(verb, take(offsets)));
        }
    }

    private List<QueueDelivery> take(List<Long> offsets) {
        List<QueueDelivery> deliveries = new ArrayList<>(offsets.size());
        for (Long offset : offsets) {
            QueueDelivery delivery = unacked.remove(offset);
            if (delivery != null) {
                deliveries.add(delivery);
            }
        }
        return deliveries;
    }

    @Override
    public void declare() {
        queue.declared(this);
    }

    @Override
    public void purge() {
        queue.purge(this);
    }

    @Override
    public void delete(boolean ifUnused, boolean ifEmpty) {
        queue.delete(this, ifUnused, ifEmpty);
    }

    @Override
    public void close(Runnable done) {
        queue.channelClosed(this, done);
        queue.post(() -> {
            unacked.clear();
            queue.unused(this);
        });
    }

    // ---- permits

    @Override
    public void limitPermits(boolean isLimited) {
        queue.post(() -> limited = isLimited);
        queue.permits(this);
    }

    @Override
    public void permit(int given) {
        queue.post(() -> {
            permits += given;
            permitAsked = false;
        });
        queue.permits(this);
        returnUnused();
    }

    /** Who waits for the head's body keeps its permit; any other that was not used is for another queue. */
    private void returnUnused() {
        queue.post(() -> {
            if (queue.isFetching()) {
                queue.afterFetch(this::returnUnused);
                return;
            }
            if (permits > 0) {
                int unused = permits;
                permits = 0;
                out.onPermitsReturned(unused);
            }
        });
    }

    @Override
    public boolean takePermit() {
        if (!hasPermit()) {
            return false;
        }
        if (limited) {
            permits--;
        }
        return true;
    }

    @Override
    public boolean hasPermit() {
        if (!limited || permits > 0) {
            return true;
        }
        if (!permitAsked) {
            permitAsked = true;
            out.onPermitWanted();
        }
        return false;
    }

    @Override
    public void returnPermit() {
        if (limited) {
            permits++;
        }
    }

    // ---- what the queue answers

    @Override
    void publishTaken() {
        out.onTaken(1);
    }

    @Override
    void publishConfirmed(long sequence) {
        out.onConfirmed(sequence);
    }

    @Override
    void publishRejected(long sequence) {
        out.onRejected(sequence);
    }

    @Override
    void delivered(QueueConsumer consumer, QueueDelivery delivery) {
        if (consumer.acknowledges()) {
            unacked.put(delivery.offset(), delivery);
        }
        boolean permitted = limited && consumer.acknowledges();
        out.onDelivery(
                consumer.tag(), attachment, delivery.offset(), delivery.isRedelivered(), permitted, delivery.message());
    }

    @Override
    void got(QueueDelivery delivery, long readyCount) {
        if (getAcknowledges) {
            unacked.put(delivery.offset(), delivery);
        }
        out.onGetOk(attachment, delivery.offset(), delivery.isRedelivered(), delivery.message(), readyCount);
    }

    @Override
    void gotNothing() {
        out.onGetEmpty();
    }

    @Override
    void consumeAccepted(QueueConsumer consumer) {
        out.onConsumeOk(consumer.tag());
    }

    @Override
    void consumeRefused(QueueConsumer consumer, AmqpError error) {
        consumers.remove(consumer.tag(), consumer);
        out.onConsumeRefused(consumer.tag(), error);
    }

    @Override
    void cancelAccepted(QueueConsumer consumer) {
        consumers.remove(consumer.tag(), consumer);
        out.onCancelOk(consumer.tag());
    }

    @Override
    void cancelledByQueue(QueueConsumer consumer) {
        consumers.remove(consumer.tag(), consumer);
        out.onCancelled(consumer.tag());
    }

    @Override
    void declareAnswered(String name, long readyCount, int consumerCount) {
        out.onDeclareOk(readyCount, consumerCount);
    }

    @Override
    void countAnswered(long messageCount) {
        out.onPurged(messageCount);
    }

    @Override
    void deleteGranted(QueueAddress granted, long messageCount) {
        out.onDeleteGranted(messageCount);
    }

    @Override
    void refused(AmqpError error) {
        out.onRefused(error);
    }
}
