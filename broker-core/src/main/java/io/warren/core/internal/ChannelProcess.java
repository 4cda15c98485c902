package io.warren.core.internal;

import io.warren.core.channel.ChannelOutput;
import io.warren.core.channel.ChannelState;
import io.warren.core.error.AmqpError;
import io.warren.core.error.ErrorScope;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Message;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Outcome;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.queue.QueueRef;
import io.warren.core.spi.ChannelReceiver;
import io.warren.core.spi.ChannelSession.Got;
import io.warren.core.spi.ChannelSession.QueueDeclared;
import io.warren.core.spi.SettleVerb;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A running channel: its mailbox, its state, and the way of its effects to queues and to its client.
 *
 * <p>What its client calls comes through {@link ChannelMethods}, what queues answer comes here; both are posted. A method
 * that waits for an answer holds back those behind it.
 */
public final class ChannelProcess extends QueueUser implements ChannelOutput {

    /** Deliveries a consumer's side may have before it has dealt with earlier ones. */
    static final int CONSUMER_CREDIT = 1_024;

    /** What a client asked for: waits while an earlier one has no answer, and is dropped once the channel is closed. */
    abstract static class Method extends Mailbox.Entry {

        private final ChannelProcess channel;

        Method(ChannelProcess channel) {
            this.channel = channel;
        }

        @Override
        final void run() {
            channel.receive(this);
        }

        abstract void perform();

        /** Dropped without effect, because the channel is closed. */
        void dropped() {
            // Nothing was taken for it.
        }
    }

    private final BrokerWiring wiring;
    private final ConnectionProcess connection;
    private final int number;
    private final ChannelReceiver receiver;
    private final Mailbox mailbox;
    private final ChannelState state;
    private final ChannelPermits permits = new ChannelPermits();
    private final PublishCredit credit;
    private final RouteMemo routes;
    private final ArrayDeque<Method> held = new ArrayDeque<>();
    private final Map<String, QueueConsumer> consumers = new LinkedHashMap<>();
    private final Map<QueueConsumer, QueueAddress> consumedQueues = new LinkedHashMap<>();

    /** Queues that may hold something of this channel. */
    private final Set<QueueAddress> usedQueues = new LinkedHashSet<>();

    private @Nullable Consumer<Object> pending;

    /** Counts up: which consumed queue is told of permits first. */
    private int permitTurn;

    private final @Nullable ConsumerTimeout consumerTimeout;
    private boolean getAcknowledges;
    private boolean closed;

    ChannelProcess(BrokerWiring wiring, ConnectionProcess connection, int number, ChannelReceiver receiver) {
        this.wiring = wiring;
        this.connection = connection;
        this.number = number;
        this.receiver = receiver;
        this.mailbox = new Mailbox(wiring.runner(), this::failed);
        this.routes = new RouteMemo(wiring, connection.vhost());
        this.state = new ChannelState(routes, this);
        this.credit = new PublishCredit(receiver::onPublishable);
        this.consumerTimeout = ConsumerTimeout.watching(wiring, this);
    }

    public ConnectionProcess connection() {
        return connection;
    }

    /** What its client calls it. */
    public int number() {
        return number;
    }

    /** Asked in its mailbox. */
    public <T> CompletableFuture<T> view(Function<ChannelProcess, T> viewer) {
        CompletableFuture<T> seen = new CompletableFuture<>();
        mailbox.post(() -> seen.complete(viewer.apply(this)));
        return seen;
    }

    /** In the mailbox: in a {@link #view}. */
    public int consumerCount() {
        return consumers.size();
    }

    /** In the mailbox: in a {@link #view}. */
    public ChannelState state() {
        return state;
    }

    PublishCredit credit() {
        return credit;
    }

    RouteMemo routes() {
        return routes;
    }

    ChannelReceiver receiver() {
        return receiver;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    private void failed(Throwable failure) {
        wiring.report("channel of connection '" + connection.name() + "'", failure);
        refuse(new AmqpError(ReplyCode.INTERNAL_ERROR, ErrorScope.CONNECTION, "INTERNAL_ERROR"));
    }

    // ---- methods in order

    private void receive(Method method) {
        if (closed) {
            method.dropped();
        } else if (pending != null) {
            held.addLast(method);
        } else {
            method.perform();
        }
    }

    /** Holds back what follows until {@link #answer}; in a method only. */
    @SuppressWarnings("unchecked") // a method is answered with the type it asks for: its queue or the metadata does
    <T> void await(Consumer<T> answer) {
        pending = (Consumer<Object>) (Consumer<?>) answer;
    }

    private void answer(@Nullable Object value) {
        Consumer<Object> waiting = pending;
        pending = null;
        if (waiting != null && !closed) {
            acceptNullable(waiting, value);
        }
        while (pending == null && !held.isEmpty()) {
            receive(held.removeFirst());
        }
    }

    @SuppressWarnings("NullAway") // get-empty is answered with null; its consumer is declared for that
    private static void acceptNullable(Consumer<Object> waiting, @Nullable Object value) {
        waiting.accept(value);
    }

    private void postAnswer(@Nullable Object value) {
        mailbox.post(() -> answer(value));
    }

    /** Hands a command to the metadata and goes on when it is applied. */
    void submit(Command command, Runnable applied) {
        this.<Outcome>await(outcome -> {
            AmqpError refusal = outcome.refusal();
            if (refusal == null) {
                applied.run();
            } else {
                refuse(refusal);
            }
        });
        var unused = wiring.metadata().submit(command).whenComplete((outcome, failure) -> {
            if (failure == null) {
                postAnswer(outcome);
            } else {
                mailbox.post(() -> unanswered(failure));
            }
        });
    }

    /** It is not known whether a command was applied; a store that ran out of time says whom it waited for. */
    private void unanswered(Throwable failure) {
        if (failure instanceof TimeoutException late) {
            wiring.report("metadata, for a channel of connection '" + connection.name() + "'", late);
            refuse(AmqpError.connection(ReplyCode.INTERNAL_ERROR, String.valueOf(late.getMessage())));
        } else {
            failed(failure);
        }
    }

    /** A result that is no error goes on, an error closes what it has to. */
    boolean accepted(@Nullable AmqpError error) {
        if (error != null) {
            refuse(error);
        }
        return error == null;
    }

    // ---- closing

    /** The client's mistake: closes the channel, or the connection with it. In the mailbox. */
    void refuse(AmqpError error) {
        if (closed) {
            return;
        }
        wiring.channelRefused(connection, error);
        if (error.scope() == ErrorScope.CONNECTION) {
            connection.closedByBroker(error);
        } else {
            endAndTell(() -> receiver.onClosed(error));
        }
    }

    /** Ends the channel and tells its client: if queues of other nodes were used, when they have back what it held. */
    private void endAndTell(Runnable tell) {
        if (usedQueues.stream().anyMatch(QueueAddress::isAway)) {
            end(() -> mailbox.post(tell));
        } else {
            end(() -> {});
            tell.run();
        }
    }

    /** As {@link #refuse} of the channel only, where no method of the client is to blame. */
    void expire(AmqpError error) {
        if (!closed) {
            wiring.channelRefused(connection, error);
            endAndTell(() -> receiver.onClosedUnasked(error));
        }
    }

    /** As {@link #refuse}, from a queue. */
    @Override
    void refused(AmqpError error) {
        mailbox.post(() -> refuse(error));
    }

    /** The connection ends: so does the channel, and its client is told why. */
    void connectionClosed(@Nullable AmqpError reason, Runnable done) {
        mailbox.post(() -> {
            if (closed) {
                done.run();
                return;
            }
            end(done);
            if (reason != null) {
                receiver.onClosed(reason);
            }
        });
    }

    /** Ends the channel; {@code done} runs when every queue has back what the channel held. In the mailbox. */
    void end(Runnable done) {
        closed = true;
        connection.channelEnded(this);
        wiring.directReplies().remove(this);
        if (consumerTimeout != null) {
            consumerTimeout.stop();
        }
        held.forEach(Method::dropped);
        held.clear();
        pending = null;
        AtomicInteger missing = new AtomicInteger(usedQueues.size() + 1);
        Runnable oneDone = () -> {
            if (missing.decrementAndGet() == 0) {
                done.run();
            }
        };
        usedQueues.forEach(queue -> queue.channelClosed(this, oneDone));
        usedQueues.clear();
        consumers.clear();
        consumedQueues.clear();
        oneDone.run();
    }

    boolean isClosed() {
        return closed;
    }

    // ---- consumers

    boolean hasConsumer(String tag) {
        return consumers.containsKey(tag) || wiring.directReplies().hasConsumer(this, tag);
    }

    @Nullable QueueConsumer consumer(String tag) {
        return consumers.get(tag);
    }

    @Nullable QueueAddress queueOf(QueueConsumer consumer) {
        return consumedQueues.get(consumer);
    }

    void consume(QueueAddress queue, QueueConsumer consumer, Consumer<String> answer) {
        usedQueues.add(queue);
        consumedQueues.put(consumer, queue);
        await(answer);
        queue.consume(consumer);
    }

    /** The same at a queue that is mirrored from now on: the one before it has not heard of the consumer. In the mailbox. */
    void consumeAt(RemoteQueue queue, QueueConsumer consumer) {
        consumedQueues.put(consumer, queue);
        queue.consume(consumer);
    }

    @Override
    void consumeAccepted(QueueConsumer consumer) {
        mailbox.post(() -> {
            consumers.put(consumer.tag(), consumer);
            answer(consumer.tag());
        });
    }

    @Override
    void consumeRefused(QueueConsumer consumer, AmqpError error) {
        refused(error);
    }

    @Override
    void cancelAccepted(QueueConsumer consumer) {
        mailbox.post(() -> {
            forget(consumer);
            answer(consumer.tag());
        });
    }

    @Override
    void cancelledByQueue(QueueConsumer consumer) {
        mailbox.post(() -> {
            QueueAddress queue = consumedQueues.get(consumer);
            boolean known = consumers.get(consumer.tag()) == consumer;
            forget(consumer);
            if (queue != null && !queue.isAway()) {
                usedQueues.remove(queue);
            }
            if (known && !closed) {
                receiver.onCancel(consumer.tag());
            }
        });
    }

    /** A queue of this broker is mirrored from now on, where a consumer goes on. In the mailbox. */
    void goesOn(QueueAddress before, RemoteQueue after, QueueConsumer consumer, int credit) {
        if (consumedQueues.replace(consumer, before, after)) {
            after.consumeAhead(this, consumer, credit);
        }
    }

    private void forget(QueueConsumer consumer) {
        consumers.remove(consumer.tag(), consumer);
        consumedQueues.remove(consumer);
    }

    void get(QueueAddress queue, boolean acknowledges, Consumer<@Nullable Got> answer) {
        if (acknowledges) {
            usedQueues.add(queue);
        }
        getAcknowledges = acknowledges;
        await(answer);
        queue.get(this, acknowledges);
    }

    // ---- what queues answer

    private static final class Delivered extends Mailbox.Entry {

        private final ChannelProcess channel;
        private final QueueConsumer consumer;
        private final QueueDelivery delivery;

        Delivered(ChannelProcess channel, QueueConsumer consumer, QueueDelivery delivery) {
            this.channel = channel;
            this.consumer = consumer;
            this.delivery = delivery;
        }

        @Override
        void run() {
            if (!channel.closed) {
                channel.state.onDelivery(consumer, delivery);
            }
        }
    }

    private static final class Confirmed extends Mailbox.Entry {

        private final ChannelProcess channel;
        private final long sequence;

        Confirmed(ChannelProcess channel, long sequence) {
            this.channel = channel;
            this.sequence = sequence;
        }

        @Override
        void run() {
            if (!channel.closed) {
                channel.state.onConfirmed(sequence);
            }
        }
    }

    @Override
    void delivered(QueueConsumer consumer, QueueDelivery delivery) {
        mailbox.post(new Delivered(this, consumer, delivery));
    }

    /** A direct reply. */
    void replied(String consumerTag, Message message) {
        mailbox.post(() -> {
            if (!closed) {
                state.onReply(consumerTag, message);
            }
        });
    }

    @Override
    void got(QueueDelivery delivery, long readyCount) {
        mailbox.post(() -> {
            if (!closed) {
                state.onGetOk(delivery, getAcknowledges, readyCount);
            }
        });
    }

    @Override
    void gotNothing() {
        postAnswer(null);
    }

    @Override
    void publishTaken() {
        credit.giveBack(1);
    }

    @Override
    void publishConfirmed(long sequence) {
        mailbox.post(new Confirmed(this, sequence));
    }

    @Override
    void publishRejected(long sequence) {
        mailbox.post(() -> {
            if (!closed) {
                state.onRejected(sequence);
            }
        });
    }

    @Override
    void declareAnswered(String queue, long readyCount, int consumerCount) {
        postAnswer(new QueueDeclared(queue, readyCount, consumerCount));
    }

    @Override
    void countAnswered(long messageCount) {
        postAnswer(messageCount);
    }

    /** The queue agreed to be deleted: the topology is told, and then the client. */
    @Override
    void deleteGranted(QueueAddress queue, long messageCount) {
        mailbox.post(() -> {
            Consumer<Object> answer = pending;
            if (answer != null && !closed) {
                submit(
                        new Command.DeleteQueue(queue.vhost(), queue.name(), queue.id()),
                        () -> answer.accept(messageCount));
            }
        });
    }

    /** A queue elsewhere has something of this channel, so it hears of its end. In the mailbox. */
    void uses(QueueAddress queue) {
        usedQueues.add(queue);
    }

    void usesNoMore(QueueAddress queue) {
        usedQueues.remove(queue);
    }

    // ---- permits

    boolean isPermitLimited() {
        return permits.isLimited();
    }

    /** A delivery came for which no permit was taken, from where there was no limit when it left. */
    void countPermit() {
        permits.count();
    }

    @Override
    public boolean takePermit() {
        return permits.take();
    }

    @Override
    public boolean hasPermit() {
        return permits.isLeft();
    }

    @Override
    public void returnPermit() {
        returnPermits(1);
    }

    // ---- effects

    @Override
    public void publish(QueueRef queue, long sequence, Message message) {
        credit.take(1);
        ((QueueAddress) queue).publish(this, sequence, message);
    }

    @Override
    public void settle(QueueRef queue, SettleVerb verb, List<QueueDelivery> deliveries) {
        ((QueueAddress) queue).settle(this, verb, deliveries);
    }

    @Override
    public void barrier(QueueRef queue, long sequence) {
        ((QueueAddress) queue).barrier(this, sequence);
    }

    @Override
    public void returnPermits(int count) {
        if (permits.giveBack(count)) {
            tellPermits();
        }
    }

    @Override
    public void permitLimit(int prefetchCount) {
        permits.limit(prefetchCount);
        tellPermits();
    }

    /** Each time another queue is told first, so that none takes every permit. */
    private void tellPermits() {
        List<QueueAddress> queues = List.copyOf(new LinkedHashSet<>(consumedQueues.values()));
        int first = queues.isEmpty() ? 0 : Math.floorMod(permitTurn++, queues.size());
        for (int i = 0; i < queues.size(); i++) {
            queues.get((first + i) % queues.size()).permits(this);
        }
    }

    @Override
    public void deliver(String consumerTag, long deliveryTag, boolean redelivered, Message message) {
        receiver.onDelivery(consumerTag, deliveryTag, redelivered, message);
    }

    @Override
    public void getOk(long deliveryTag, boolean redelivered, Message message, long readyCount) {
        answer(new Got(deliveryTag, redelivered, message, readyCount));
    }

    @Override
    public void returned(Message message) {
        receiver.onReturn(message);
    }

    @Override
    public void confirmed(long sequence) {
        receiver.onConfirmed(sequence);
    }

    @Override
    public void rejected(long sequence) {
        receiver.onRejected(sequence);
    }

    @Override
    public void commitOk() {
        answer(true);
    }

    @Override
    public void commitFailed() {
        refuse(AmqpError.channel(ReplyCode.PRECONDITION_FAILED, "partial tx completion"));
    }
}
