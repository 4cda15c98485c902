package io.warren.core;

import io.warren.core.error.AmqpError;
import io.warren.core.internal.Callbacks;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.message.ShortString;
import io.warren.core.metadata.Binding;
import io.warren.core.metadata.Destination;
import io.warren.core.spi.ChannelReceiver;
import io.warren.core.spi.ChannelSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A channel: RabbitMQ's verbs, each with an answer waiting for it and having an {@code Async} twin that does not.
 *
 * <p>What the broker refuses closes the channel, or the whole connection: the verb throws {@link
 * io.warren.core.error.AmqpException} with RabbitMQ's code and text, and so does every verb after it. {@code publish},
 * {@code ack} and {@code nack} have no answer: a refusal reaches {@link #onClosed} and the next verb, as over AMQP.
 *
 * <p>Thread-safe. Callbacks of one channel are serial and in order. A verb that waits must not be called from a callback
 * that runs inside the broker ({@code Runnable::run} as executor); it throws IllegalStateException naming its twin.
 */
public final class Channel implements AutoCloseable {

    private final Connection connection;
    private final ChannelSession session;
    private final Waiting waiting;
    private final Callbacks callbacks;
    private final Confirms confirms;
    private final PublishGate gate;
    private final Answers answers = new Answers("channel");
    private final Map<String, RunningConsumer> consumers = new ConcurrentHashMap<>();
    private final List<Consumer<Returned>> returnListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<String>> cancelListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<AmqpError>> closedListeners = new CopyOnWriteArrayList<>();

    Channel(Connection connection, @Nullable Executor executor, Waiting waiting) {
        this.connection = connection;
        this.waiting = waiting;
        this.callbacks = connection.callbacks(executor, this::callbackFailed, this::executorRejected);
        this.confirms = new Confirms(waiting, callbacks);
        this.session = connection.openSession(new Receiver());
        this.gate = new PublishGate(session::mayPublish, waiting);
    }

    // ---- exchanges

    public void exchangeDeclare(ExchangeOptions exchange) {
        waiting.on(exchangeDeclareAsync(exchange), "exchangeDeclareAsync");
    }

    public CompletableFuture<Void> exchangeDeclareAsync(ExchangeOptions exchange) {
        return answers.run(answer -> session.exchangeDeclare(exchange.declare(), answer));
    }

    /** Checks that the exchange exists (404 if not). */
    public void exchangeDeclarePassive(String name) {
        waiting.on(exchangeDeclarePassiveAsync(name), "exchangeDeclarePassiveAsync");
    }

    public CompletableFuture<Void> exchangeDeclarePassiveAsync(String name) {
        return answers.run(answer -> session.exchangeDeclarePassive(name, answer));
    }

    /** Deletes an exchange; one that does not exist is deleted already. */
    public void exchangeDelete(String name) {
        exchangeDelete(name, false);
    }

    /** Deletes an exchange, if asked only one without bindings (406 else). */
    public void exchangeDelete(String name, boolean ifUnused) {
        waiting.on(exchangeDeleteAsync(name, ifUnused), "exchangeDeleteAsync");
    }

    public CompletableFuture<Void> exchangeDeleteAsync(String name, boolean ifUnused) {
        return answers.run(answer -> session.exchangeDelete(name, ifUnused, answer));
    }

    /** Binds an exchange to another: what matches at the source goes to the destination. */
    public void exchangeBind(String destination, String source, String routingKey) {
        exchangeBind(destination, source, routingKey, FieldTable.EMPTY);
    }

    /** Binds an exchange to another with arguments. */
    public void exchangeBind(String destination, String source, String routingKey, FieldTable arguments) {
        waiting.on(bindAsync(binding(Destination.exchange(destination), source, routingKey, arguments)), "bindAsync");
    }

    /** Removes a binding between exchanges; one that does not exist is removed already. */
    public void exchangeUnbind(String destination, String source, String routingKey, FieldTable arguments) {
        waiting.on(
                unbindAsync(binding(Destination.exchange(destination), source, routingKey, arguments)), "unbindAsync");
    }

    // ---- queues

    public QueueDeclared queueDeclare(QueueOptions queue) {
        return waiting.on(queueDeclareAsync(queue), "queueDeclareAsync");
    }

    public CompletableFuture<QueueDeclared> queueDeclareAsync(QueueOptions queue) {
        return answers.<ChannelSession.QueueDeclared>call(
                        answer -> session.queueDeclare(queue.definition(), queue.isExclusive(), answer))
                .thenApply(Channel::declared);
    }

    /** Checks that the queue exists (404 if not) and tells what it holds. */
    public QueueDeclared queueDeclarePassive(String name) {
        return waiting.on(queueDeclarePassiveAsync(name), "queueDeclarePassiveAsync");
    }

    public CompletableFuture<QueueDeclared> queueDeclarePassiveAsync(String name) {
        return answers.<ChannelSession.QueueDeclared>call(answer -> session.queueDeclarePassive(name, answer))
                .thenApply(Channel::declared);
    }

    private static QueueDeclared declared(ChannelSession.QueueDeclared declared) {
        return new QueueDeclared(declared.name(), declared.messageCount(), declared.consumerCount());
    }

    /** Binds a queue; an empty name stands for the queue declared last. */
    public void queueBind(String queue, String exchange, String routingKey) {
        queueBind(queue, exchange, routingKey, FieldTable.EMPTY);
    }

    /** Binds a queue with arguments, as a headers exchange matches by them. */
    public void queueBind(String queue, String exchange, String routingKey, FieldTable arguments) {
        waiting.on(bindAsync(binding(Destination.queue(queue), exchange, routingKey, arguments)), "bindAsync");
    }

    public void queueUnbind(String queue, String exchange, String routingKey) {
        queueUnbind(queue, exchange, routingKey, FieldTable.EMPTY);
    }

    /** Removes a binding; one that does not exist is removed already. */
    public void queueUnbind(String queue, String exchange, String routingKey, FieldTable arguments) {
        waiting.on(unbindAsync(binding(Destination.queue(queue), exchange, routingKey, arguments)), "unbindAsync");
    }

    /** Adds a binding of a queue or an exchange. */
    public CompletableFuture<Void> bindAsync(Binding binding) {
        return answers.run(answer -> session.bind(binding, answer));
    }

    /** Removes a binding of a queue or an exchange. */
    public CompletableFuture<Void> unbindAsync(Binding binding) {
        return answers.run(answer -> session.unbind(binding, answer));
    }

    private static Binding binding(Destination destination, String source, String routingKey, FieldTable arguments) {
        return new Binding(source, destination, ShortString.check("routing key", routingKey), arguments);
    }

    /** Drops the ready messages and returns how many. */
    public long queuePurge(String name) {
        return waiting.on(queuePurgeAsync(name), "queuePurgeAsync");
    }

    public CompletableFuture<Long> queuePurgeAsync(String name) {
        return answers.call(answer -> session.queuePurge(name, answer));
    }

    /** Deletes a queue and returns how many ready messages went with it. */
    public long queueDelete(String name) {
        return queueDelete(name, false, false);
    }

    /** Deletes a queue, if asked only one without consumers or without messages (406 else). */
    public long queueDelete(String name, boolean ifUnused, boolean ifEmpty) {
        return waiting.on(queueDeleteAsync(name, ifUnused, ifEmpty), "queueDeleteAsync");
    }

    public CompletableFuture<Long> queueDeleteAsync(String name, boolean ifUnused, boolean ifEmpty) {
        return answers.call(answer -> session.queueDelete(name, ifUnused, ifEmpty, answer));
    }

    // ---- publishing

    /** Publishes a message without properties. */
    public void publish(String exchange, String routingKey, byte[] body) {
        publish(exchange, routingKey, Properties.NONE, body);
    }

    /** Publishes a message. */
    public void publish(String exchange, String routingKey, Properties properties, byte[] body) {
        publish(exchange, routingKey, false, properties, body);
    }

    /**
     * Publishes a message; its body is copied. Waits while an alarm or the queues hold publishers back.
     *
     * @param mandatory whether it comes back ({@link #onReturn}) if no queue is found for it
     * @throws io.warren.core.error.AmqpException if the channel was closed by the broker
     */
    public void publish(String exchange, String routingKey, boolean mandatory, Properties properties, byte[] body) {
        checkOpen();
        gate.await();
        checkOpen();
        send(exchange, routingKey, mandatory, properties, body);
    }

    /** As {@link #publish(String, String, boolean, Properties, byte[])}, but returns false where that would wait. */
    public boolean tryPublish(
            String exchange, String routingKey, boolean mandatory, Properties properties, byte[] body) {
        checkOpen();
        if (!session.mayPublish()) {
            return false;
        }
        send(exchange, routingKey, mandatory, properties, body);
        return true;
    }

    private void send(String exchange, String routingKey, boolean mandatory, Properties properties, byte[] body) {
        ShortString.check("routing key", routingKey);
        confirms.published();
        session.publish(exchange, routingKey, mandatory, properties, body.clone(), null);
    }

    /**
     * Publishes a message and tells when it is answered: true if it is safe, false if a queue refused it. In confirm
     * mode only.
     */
    public CompletableFuture<Boolean> publishAsync(
            String exchange, String routingKey, boolean mandatory, Properties properties, byte[] body) {
        checkOpen();
        confirms.checkSelected();
        ShortString.check("routing key", routingKey);
        gate.await();
        confirms.published();
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        answers.track(answered);
        session.publish(
                exchange,
                routingKey,
                mandatory,
                properties,
                body.clone(),
                sequence -> confirms.expect(sequence, answered));
        return answered;
    }

    /** Turns confirms on: from now on every publish is answered. */
    public void confirmSelect() {
        waiting.on(confirmSelectAsync(), "confirmSelectAsync");
    }

    public CompletableFuture<Void> confirmSelectAsync() {
        return answers.run(answer -> session.confirmSelect(() -> {
            confirms.selected();
            answer.run();
        }));
    }

    /** The number the next publish gets in confirm mode; meaningful to a channel with one publishing thread. */
    public long nextPublishSequence() {
        return confirms.nextSequence();
    }

    /**
     * Waits until everything published so far is answered.
     *
     * @return false if a queue refused one since the last call
     * @throws IllegalStateException without confirm mode, or if the time runs out
     */
    public boolean waitForConfirms(Duration timeout) {
        checkOpen();
        return confirms.await(timeout, answers::closeReason);
    }

    /** Adds a listener for confirms. */
    public void onConfirm(ConfirmListener listener) {
        confirms.add(listener);
    }

    /** Adds a listener for mandatory messages that no queue was found for; told before their confirm. */
    public void onReturn(Consumer<Returned> listener) {
        returnListeners.add(listener);
    }

    // ---- consuming

    /** Takes one ready message, or returns null if there is none. */
    public @Nullable Delivery get(String queue, boolean autoAck) {
        return waiting.<@Nullable Delivery>on(getAsync(queue, autoAck), "getAsync");
    }

    public CompletableFuture<@Nullable Delivery> getAsync(String queue, boolean autoAck) {
        CompletableFuture<ChannelSession.@Nullable Got> answered = new CompletableFuture<>();
        answers.track(answered);
        session.get(queue, autoAck, answered::complete);
        return answered.<@Nullable Delivery>thenApply(got -> got == null
                ? null
                : new Delivery(this, "", got.deliveryTag(), got.redelivered(), got.message(), got.messageCount()));
    }

    /** Starts a consumer that acknowledges, and returns its tag. */
    public String consume(String queue, DeliveryHandler handler) {
        return consume(ConsumeOptions.of(queue), handler);
    }

    /** Starts a consumer and returns its tag. */
    public String consume(ConsumeOptions options, DeliveryHandler handler) {
        return waiting.on(consumeAsync(options, handler), "consumeAsync");
    }

    public CompletableFuture<String> consumeAsync(ConsumeOptions options, DeliveryHandler handler) {
        return answers.call(answer -> session.consume(options.consume(), tag -> {
            consumers.put(tag, new RunningConsumer(session, tag, handler));
            answer.accept(tag);
        }));
    }

    /** Ends a consumer; what it has not acknowledged can still be. An unknown tag is no error. */
    public void cancel(String consumerTag) {
        waiting.on(cancelAsync(consumerTag), "cancelAsync");
    }

    public CompletableFuture<Void> cancelAsync(String consumerTag) {
        return answers.run(answer -> session.cancel(consumerTag, () -> {
            // Deliveries before this are on their way to the handler; it is forgotten behind them.
            callbacks.post(() -> consumers.remove(consumerTag));
            answer.run();
        }));
    }

    /** Adds a listener for consumers the broker ends, because their queue is gone. */
    public void onCancel(Consumer<String> listener) {
        cancelListeners.add(listener);
    }

    /** Acknowledges a delivery, or with {@code multiple} all up to it; tag 0 then stands for all. */
    public void ack(long deliveryTag, boolean multiple) {
        checkOpen();
        session.ack(deliveryTag, multiple);
    }

    /** Refuses a delivery, or with {@code multiple} all up to it: back to its place, or dead-lettered. */
    public void nack(long deliveryTag, boolean multiple, boolean requeue) {
        checkOpen();
        session.nack(deliveryTag, multiple, requeue);
    }

    /** Refuses one delivery. */
    public void reject(long deliveryTag, boolean requeue) {
        nack(deliveryTag, false, requeue);
    }

    /** Puts everything the channel has not settled back to its place; {@code requeue} must be true (540). */
    public void recover(boolean requeue) {
        waiting.on(recoverAsync(requeue), "recoverAsync");
    }

    public CompletableFuture<Void> recoverAsync(boolean requeue) {
        return answers.run(answer -> session.recover(requeue, answer));
    }

    /** Most unacknowledged deliveries of each consumer started from now on; 0 for no limit. */
    public void qos(int prefetchCount) {
        qos(prefetchCount, false);
    }

    /** As {@link #qos(int)}, or with {@code global} for all consumers of the channel together, those there included. */
    public void qos(int prefetchCount, boolean global) {
        qos(0, prefetchCount, global);
    }

    /** As {@link #qos(int, boolean)}, with a prefetch size, which must be 0 (540). */
    public void qos(long prefetchSize, int prefetchCount, boolean global) {
        waiting.on(qosAsync(prefetchSize, prefetchCount, global), "qosAsync");
    }

    public CompletableFuture<Void> qosAsync(long prefetchSize, int prefetchCount, boolean global) {
        if (prefetchCount < 0 || prefetchCount > 0xffff) {
            throw new IllegalArgumentException("prefetchCount=" + prefetchCount + " is not from 0 to 65535");
        }
        return answers.run(answer -> session.qos(prefetchSize, prefetchCount, global, answer));
    }

    // ---- transactions

    public void txSelect() {
        waiting.on(answers.run(session::txSelect), "txSelectAsync");
    }

    /** Publishes and settlements since the last commit take effect; returns when they are safe. */
    public void txCommit() {
        waiting.on(txCommitAsync(), "txCommitAsync");
    }

    public CompletableFuture<Void> txCommitAsync() {
        return answers.run(session::txCommit);
    }

    /** Forgets publishes and settlements since the last commit; settled messages are held as before. */
    public void txRollback() {
        waiting.on(txRollbackAsync(), "txRollbackAsync");
    }

    public CompletableFuture<Void> txRollbackAsync() {
        return answers.run(session::txRollback);
    }

    public CompletableFuture<Void> txSelectAsync() {
        return answers.run(session::txSelect);
    }

    // ---- the channel itself

    public Connection connection() {
        return connection;
    }

    public boolean isOpen() {
        return answers.isOpen();
    }

    /** Why the broker closed the channel, or null. */
    public @Nullable AmqpError closeReason() {
        return answers.closeReason();
    }

    /** Adds a listener for the channel being closed by the broker; told at once if it is already. */
    public void onClosed(Consumer<AmqpError> listener) {
        closedListeners.add(listener);
        AmqpError reason = answers.closeReason();
        if (reason != null) {
            tell(listener, reason);
        }
    }

    /** Tells a listener once, be it from here or from the broker's side. */
    private void tell(Consumer<AmqpError> listener, AmqpError reason) {
        if (closedListeners.remove(listener)) {
            callbacks.post(() -> listener.accept(reason));
        }
    }

    /** Closes the channel; what it held is back in its queues when this returns. Idempotent. */
    @Override
    public void close() {
        CompletableFuture<Void> closed = closeAsync();
        waiting.on(closed, "closeAsync");
    }

    public CompletableFuture<Void> closeAsync() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        if (answers.close()) {
            connection.forget(this);
            confirms.closed();
            gate.close();
            session.close(() -> closed.complete(null));
        } else {
            closed.complete(null);
        }
        return closed;
    }

    private void checkOpen() {
        answers.checkOpen();
    }

    private void callbackFailed(Throwable failure) {
        connection.report("a callback of a channel of connection '" + connection.name() + "'", failure);
        var unused = closeAsync();
    }

    private void executorRejected() {
        // Nobody takes its deliveries any more: they go back, so that others get them.
        var unused = closeAsync();
    }

    /** What the broker says; in the channel's mailbox: everything for the user is handed to the executor. */
    private final class Receiver implements ChannelReceiver {

        @Override
        public void onDelivery(String consumerTag, long deliveryTag, boolean redelivered, Message message) {
            Delivery delivery = new Delivery(Channel.this, consumerTag, deliveryTag, redelivered, message, 0);
            callbacks.post(() -> handle(delivery));
        }

        private void handle(Delivery delivery) {
            RunningConsumer consumer = consumers.get(delivery.consumerTag());
            if (consumer != null && isOpen()) {
                try {
                    consumer.handle(delivery);
                } catch (Exception failure) {
                    callbackFailed(failure);
                }
            }
        }

        @Override
        public void onReturn(Message message) {
            Returned returned = new Returned(message);
            confirms.seal();
            callbacks.post(() -> returnListeners.forEach(listener -> listener.accept(returned)));
        }

        @Override
        public void onConfirmed(long sequence) {
            confirms.answered(sequence, true);
        }

        @Override
        public void onRejected(long sequence) {
            confirms.answered(sequence, false);
        }

        @Override
        public void onCancel(String consumerTag) {
            callbacks.post(() -> {
                consumers.remove(consumerTag);
                cancelListeners.forEach(listener -> listener.accept(consumerTag));
            });
        }

        @Override
        public void onClosed(AmqpError reason) {
            connection.forget(Channel.this);
            answers.closed(reason);
            confirms.closed();
            gate.close();
            List.copyOf(closedListeners).forEach(listener -> tell(listener, reason));
        }

        @Override
        public void onPublishable() {
            gate.open();
        }
    }
}
