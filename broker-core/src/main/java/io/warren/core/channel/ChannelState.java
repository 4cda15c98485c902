package io.warren.core.channel;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Message;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.queue.QueueRef;
import io.warren.core.spi.SettleVerb;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A channel: what its client was given and has not settled, what it published and is not safe yet, and its modes.
 *
 * <p>Pure: a method in, effects out through {@link ChannelOutput}; a client's mistake is the returned error, after which
 * the channel is to be closed. Owned by the channel's mailbox.
 *
 * <p>Invariants: delivery tags and publish sequences grow by one from 1; every tag the client can settle is in
 * {@code unacked} or in the open transaction; every sequence is answered once.
 */
public final class ChannelState {

    private enum Mode {
        /** Neither confirms nor transactions. */
        PLAIN,
        /** confirm.select was said. */
        CONFIRM,
        /** tx.select was said. */
        TRANSACTION,
        /** tx.commit was said; queues have not all answered. */
        COMMITTING
    }

    private final Routing routing;
    private final ChannelOutput output;
    private final SequenceMap<QueueDelivery> unacked = new SequenceMap<>();
    private final Unconfirmed unconfirmed = new Unconfirmed();
    private final Transaction transaction = new Transaction();
    private Mode mode = Mode.PLAIN;
    private long lastDeliveryTag;
    private long lastSequence;
    private boolean commitRejected;
    private int prefetchCount;

    public ChannelState(Routing routing, ChannelOutput output) {
        this.routing = routing;
        this.output = output;
    }

    // ---- modes

    public @Nullable AmqpError onConfirmSelect() {
        if (isTransactional()) {
            return precondition("cannot switch from tx to confirm mode");
        }
        mode = Mode.CONFIRM;
        return null;
    }

    public @Nullable AmqpError onTxSelect() {
        if (mode == Mode.CONFIRM) {
            return precondition("cannot switch from confirm to tx mode");
        }
        mode = Mode.TRANSACTION;
        return null;
    }

    /** The number of the last publish in confirm mode, 0 before the first. */
    public long lastSequence() {
        return lastSequence;
    }

    public int unackedCount() {
        return unacked.size();
    }

    /** The oldest delivery that its client has not settled, 0 if there is none. */
    public long oldestUnackedTag() {
        return unacked.smallest();
    }

    public long lastDeliveryTag() {
        return lastDeliveryTag;
    }

    public int unconfirmedCount() {
        return unconfirmed.size();
    }

    /** Most unacknowledged deliveries of consumers that start from now on, 0 for no limit. */
    public int prefetchCount() {
        return prefetchCount;
    }

    public boolean isConfirming() {
        return mode == Mode.CONFIRM;
    }

    public boolean isTransactional() {
        return mode == Mode.TRANSACTION || mode == Mode.COMMITTING;
    }

    /** basic.qos. */
    public @Nullable AmqpError onQos(long prefetchSize, int count, boolean global) {
        if (prefetchSize != 0) {
            return AmqpError.connection(ReplyCode.NOT_IMPLEMENTED, "prefetch_size!=0 (" + prefetchSize + ")");
        }
        if (global) {
            output.permitLimit(count);
        } else {
            prefetchCount = count;
        }
        return null;
    }

    // ---- publishing

    /** A publish that passed every check: routed now, or at the commit. */
    public void onPublish(Message message, boolean mandatory) {
        switch (mode) {
            case PLAIN -> send(message, mandatory, 0);
            case CONFIRM -> send(message, mandatory, ++lastSequence);
            case TRANSACTION, COMMITTING -> transaction.add(message, mandatory);
        }
    }

    private void send(Message message, boolean mandatory, long sequence) {
        List<QueueRef> queues = routing.route(message);
        int queueCount = queues.size();
        if (queueCount == 0) {
            if (mandatory) {
                output.returned(message);
            }
            if (mode == Mode.CONFIRM) {
                output.confirmed(sequence);
            }
            return;
        }
        if (sequence != 0) {
            unconfirmed.add(sequence, queueCount);
        }
        for (int i = 0; i < queueCount; i++) {
            output.publish(queues.get(i), sequence, message);
        }
    }

    /** A queue has a publish safe. */
    public void onConfirmed(long sequence) {
        answered(unconfirmed.confirmed(sequence), sequence);
    }

    /** A queue refused a publish. */
    public void onRejected(long sequence) {
        answered(unconfirmed.rejected(sequence), sequence);
    }

    private void answered(Unconfirmed.Outcome outcome, long sequence) {
        switch (outcome) {
            case OPEN -> {}
            case CONFIRMED -> {
                if (mode == Mode.CONFIRM) {
                    output.confirmed(sequence);
                }
            }
            case REJECTED -> {
                if (mode == Mode.CONFIRM) {
                    output.rejected(sequence);
                }
                commitRejected = true;
            }
        }
        completeCommit();
    }

    // ---- transactions

    public @Nullable AmqpError onTxCommit() {
        if (!isTransactional()) {
            return precondition("channel is not transactional");
        }
        mode = Mode.COMMITTING;
        commitRejected = false;
        for (Transaction.Publish publish : transaction.publishes()) {
            send(publish.message(), publish.mandatory(), ++lastSequence);
        }
        Set<QueueRef> settled = new LinkedHashSet<>();
        for (Transaction.Settle settle : transaction.settles()) {
            settle(settle.verb(), settle.deliveries());
            settle.deliveries().forEach(delivery -> settled.add(delivery.queue()));
        }
        for (QueueRef queue : settled) {
            unconfirmed.add(++lastSequence, 1);
            output.barrier(queue, lastSequence);
        }
        transaction.clear();
        completeCommit();
        return null;
    }

    private void completeCommit() {
        if (mode == Mode.COMMITTING && unconfirmed.isEmpty()) {
            mode = Mode.TRANSACTION;
            if (commitRejected) {
                output.commitFailed();
            } else {
                output.commitOk();
            }
        }
    }

    /** Forgets publishes and settlements; what was settled is the client's again. */
    public @Nullable AmqpError onTxRollback() {
        if (!isTransactional()) {
            return precondition("channel is not transactional");
        }
        for (Transaction.Settle settle : transaction.settles()) {
            for (int i = 0; i < settle.tags().size(); i++) {
                unacked.put(settle.tags().get(i), settle.deliveries().get(i));
            }
        }
        transaction.clear();
        return null;
    }

    // ---- deliveries

    public void onDelivery(QueueConsumer consumer, QueueDelivery delivery) {
        long tag = ++lastDeliveryTag;
        if (consumer.acknowledges()) {
            unacked.put(tag, delivery);
        }
        output.deliver(consumer.tag(), tag, delivery.isRedelivered(), delivery.message());
    }

    /** A message that came without a queue: a reply to the channel itself. */
    public void onReply(String consumerTag, Message message) {
        output.deliver(consumerTag, ++lastDeliveryTag, false, message);
    }

    public void onGetOk(QueueDelivery delivery, boolean acknowledges, long readyCount) {
        long tag = ++lastDeliveryTag;
        if (acknowledges) {
            unacked.put(tag, delivery);
        }
        output.getOk(tag, delivery.isRedelivered(), delivery.message(), readyCount);
    }

    /**
     * basic.ack, basic.nack and basic.reject.
     *
     * @param deliveryTag 0 with {@code multiple} for all
     * @param multiple all up to the tag, which must be one that is not settled
     */
    public @Nullable AmqpError onSettle(long deliveryTag, boolean multiple, SettleVerb verb) {
        List<Long> tags;
        List<QueueDelivery> deliveries;
        if (multiple && (deliveryTag == 0 || unacked.get(deliveryTag) != null)) {
            List<Long> all = new ArrayList<>();
            List<QueueDelivery> taken = new ArrayList<>();
            unacked.removeUpTo(deliveryTag == 0 ? Long.MAX_VALUE : deliveryTag, (tag, delivery) -> {
                all.add(tag);
                taken.add(delivery);
            });
            tags = all;
            deliveries = taken;
        } else {
            QueueDelivery delivery = unacked.remove(deliveryTag);
            if (delivery == null) {
                return precondition("unknown delivery tag " + deliveryTag);
            }
            tags = List.of(deliveryTag);
            deliveries = List.of(delivery);
        }
        if (isTransactional()) {
            transaction.add(verb, tags, deliveries);
        } else {
            settle(verb, deliveries);
        }
        return null;
    }

    /** basic.recover: all that is not settled goes back, got messages too. */
    public @Nullable AmqpError onRecover(boolean requeue) {
        if (!requeue) {
            return AmqpError.connection(ReplyCode.NOT_IMPLEMENTED, "requeue=false");
        }
        List<QueueDelivery> deliveries = new ArrayList<>();
        unacked.removeUpTo(Long.MAX_VALUE, (tag, delivery) -> deliveries.add(delivery));
        settle(SettleVerb.REQUEUE, deliveries);
        return null;
    }

    /**
     * Sends each run of deliveries of one queue together. Permits go back first: else the queue that is told of the
     * settlement would take them again before any other queue of the channel hears that there are some.
     */
    private void settle(SettleVerb verb, List<QueueDelivery> deliveries) {
        int permits = permits(deliveries);
        if (permits > 0) {
            output.returnPermits(permits);
        }
        int from = 0;
        for (int i = 0; i < deliveries.size(); i++) {
            QueueDelivery delivery = deliveries.get(i);
            if (delivery.queue() != deliveries.get(from).queue()) {
                output.settle(deliveries.get(from).queue(), verb, deliveries.subList(from, i));
                from = i;
            }
        }
        if (from < deliveries.size()) {
            QueueRef queue = Objects.requireNonNull(deliveries.get(from)).queue();
            // Mostly all are of one queue, and one is all there is: no view of the list then.
            List<QueueDelivery> rest = from == 0 ? deliveries : deliveries.subList(from, deliveries.size());
            output.settle(queue, verb, rest);
        }
    }

    private static int permits(List<QueueDelivery> deliveries) {
        int permits = 0;
        for (QueueDelivery delivery : deliveries) {
            if (delivery.consumer() != null) {
                permits++;
            }
        }
        return permits;
    }

    private static AmqpError precondition(String detail) {
        return AmqpError.channel(ReplyCode.PRECONDITION_FAILED, detail);
    }
}
