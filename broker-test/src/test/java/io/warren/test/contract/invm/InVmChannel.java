package io.warren.test.contract.invm;

import io.warren.core.Channel;
import io.warren.core.ConsumeOptions;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueDeclared;
import io.warren.core.QueueOptions;
import io.warren.core.error.AmqpException;
import io.warren.core.message.FieldTable;
import io.warren.test.contract.ClientChannel;
import io.warren.test.contract.ClosedException;
import io.warren.test.contract.Closure;
import io.warren.test.contract.ConsumeSpec;
import io.warren.test.contract.Delivery;
import io.warren.test.contract.ExchangeSpec;
import io.warren.test.contract.MessageProperties;
import io.warren.test.contract.PublisherEvent;
import io.warren.test.contract.PublisherEvents;
import io.warren.test.contract.QueueSpec;
import io.warren.test.contract.QueueStatus;
import io.warren.test.contract.Received;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/** A channel within this JVM. */
final class InVmChannel implements ClientChannel {

    /**
     * A queue at another node asks for the channel's permits one by one, a round trip each, and a mirrored one hands out in steps, a lap
     * each; in one broker once would do.
     */
    private static final int SETTLE_ROUNDS = 12;

    private final Channel channel;
    private final Runnable links;
    private final PublisherEvents publisherEvents = new PublisherEvents();
    private final CompletableFuture<Closure> closed = new CompletableFuture<>();
    private final Map<String, Received> consumers = new ConcurrentHashMap<>();
    private boolean confirming;

    /** @param links waits until everything that nodes say to each other has come */
    InVmChannel(Channel channel, Runnable links) {
        this.channel = channel;
        this.links = links;
        channel.onClosed(reason -> closed.complete(Closures.of(reason)));
        channel.onReturn(returned -> publisherEvents.onReturn(new PublisherEvent.Return(
                returned.replyCode(),
                returned.replyText(),
                returned.exchange(),
                returned.routingKey(),
                new String(returned.body(), StandardCharsets.UTF_8))));
        channel.onConfirm((sequence, confirmed) -> {
            if (confirmed) {
                publisherEvents.onAck(sequence, false);
            } else {
                publisherEvents.onNack(sequence, false);
            }
        });
        channel.onCancel(tag -> consumers.get(tag).onCancelled());
    }

    private static <T> T answer(Supplier<T> verb) {
        try {
            return verb.get();
        } catch (AmqpException refused) {
            throw new ClosedException(Closures.of(refused.error()), refused);
        }
    }

    private static void order(Runnable verb) {
        answer(() -> {
            verb.run();
            return true;
        });
    }

    @Override
    public void settle(String... queues) {
        for (int round = 0; round < SETTLE_ROUNDS; round++) {
            links.run();
            ClientChannel.super.settle(queues);
        }
    }

    @Override
    public void exchangeDeclare(ExchangeSpec exchange) {
        ExchangeOptions options = ExchangeOptions.ofType(exchange.name(), exchange.type());
        options = exchange.isDurable() ? options.durable() : options;
        options = exchange.isAutoDelete() ? options.autoDelete() : options;
        options = exchange.isInternal() ? options.internal() : options;
        for (Map.Entry<String, Object> argument : exchange.arguments().entrySet()) {
            options = options.argument(argument.getKey(), argument.getValue());
        }
        ExchangeOptions declared = options;
        order(() -> channel.exchangeDeclare(declared));
    }

    @Override
    public void exchangeDeclarePassive(String exchange) {
        order(() -> channel.exchangeDeclarePassive(exchange));
    }

    @Override
    public void exchangeDelete(String exchange, boolean ifUnused) {
        order(() -> channel.exchangeDelete(exchange, ifUnused));
    }

    @Override
    public void exchangeBind(String destination, String source, String routingKey, Map<String, Object> arguments) {
        order(() -> channel.exchangeBind(destination, source, routingKey, FieldTable.of(arguments)));
    }

    @Override
    public void exchangeUnbind(String destination, String source, String routingKey, Map<String, Object> arguments) {
        order(() -> channel.exchangeUnbind(destination, source, routingKey, FieldTable.of(arguments)));
    }

    @Override
    public QueueStatus queueDeclare(QueueSpec queue) {
        QueueOptions options =
                queue.isDurable() ? QueueOptions.durable(queue.name()) : QueueOptions.named(queue.name());
        options = queue.isExclusive() ? options.exclusive() : options;
        options = queue.isAutoDelete() ? options.autoDelete() : options;
        for (Map.Entry<String, Object> argument : queue.arguments().entrySet()) {
            options = options.argument(argument.getKey(), argument.getValue());
        }
        QueueOptions declared = options;
        return status(answer(() -> channel.queueDeclare(declared)));
    }

    @Override
    public QueueStatus queueDeclarePassive(String queue) {
        return status(answer(() -> channel.queueDeclarePassive(queue)));
    }

    private static QueueStatus status(QueueDeclared declared) {
        return new QueueStatus(declared.name(), declared.messageCount(), declared.consumerCount());
    }

    @Override
    public void queueBind(String queue, String exchange, String routingKey, Map<String, Object> arguments) {
        order(() -> channel.queueBind(queue, exchange, routingKey, FieldTable.of(arguments)));
    }

    @Override
    public void queueUnbind(String queue, String exchange, String routingKey, Map<String, Object> arguments) {
        order(() -> channel.queueUnbind(queue, exchange, routingKey, FieldTable.of(arguments)));
    }

    @Override
    public long queuePurge(String queue) {
        return answer(() -> channel.queuePurge(queue));
    }

    @Override
    public long queueDelete(String queue, boolean ifUnused, boolean ifEmpty) {
        return answer(() -> channel.queueDelete(queue, ifUnused, ifEmpty));
    }

    @Override
    public void publish(
            String exchange, String routingKey, boolean mandatory, MessageProperties properties, byte[] body) {
        if (!channel.isOpen()) {
            // The contracts look at the closure afterwards; closed has it.
            return;
        }
        if (confirming) {
            publisherEvents.onPublish();
        }
        channel.publish(exchange, routingKey, mandatory, InVmProperties.toWarren(properties), body);
    }

    @Override
    public void publishImmediate(String exchange, String routingKey, byte[] body) {
        Assumptions.abort("the flag exists on the wire only");
    }

    @Override
    public Optional<Delivery> get(String queue, boolean noAck) {
        return Optional.ofNullable(answer(() -> channel.get(queue, noAck))).map(InVmChannel::received);
    }

    private static Delivery received(io.warren.core.Delivery delivery) {
        return new Delivery(
                delivery.deliveryTag(),
                delivery.isRedelivered(),
                delivery.exchange(),
                delivery.routingKey(),
                InVmProperties.fromWarren(delivery.properties()),
                delivery.body(),
                delivery.messageCount());
    }

    @Override
    public Received consume(ConsumeSpec consumer) {
        ConsumeOptions options = ConsumeOptions.of(consumer.queue()).tag(consumer.tag());
        options = consumer.isNoAck() ? options.autoAck() : options;
        options = consumer.isExclusive() ? options.exclusive() : options;
        for (Map.Entry<String, Object> argument : consumer.arguments().entrySet()) {
            options = options.argument(argument.getKey(), argument.getValue());
        }
        ConsumeOptions asked = options;
        Received received = new Received();
        String tag = answer(() -> channel.consume(asked, delivery -> received.onDelivery(received(delivery))));
        received.onStarted(tag);
        consumers.put(tag, received);
        return received;
    }

    @Override
    public void cancel(String consumerTag) {
        order(() -> channel.cancel(consumerTag));
    }

    @Override
    public void ack(long tag, boolean multiple) {
        order(() -> channel.ack(tag, multiple));
    }

    @Override
    public void nack(long tag, boolean multiple, boolean requeue) {
        order(() -> channel.nack(tag, multiple, requeue));
    }

    @Override
    public void reject(long tag, boolean requeue) {
        order(() -> channel.reject(tag, requeue));
    }

    @Override
    public void recover(boolean requeue) {
        order(() -> channel.recover(requeue));
    }

    @Override
    public void qos(long prefetchSize, int prefetchCount, boolean global) {
        order(() -> channel.qos(prefetchSize, prefetchCount, global));
    }

    @Override
    public void confirmSelect() {
        order(channel::confirmSelect);
        confirming = true;
    }

    @Override
    public PublisherEvents publisherEvents() {
        return publisherEvents;
    }

    @Override
    public void txSelect() {
        order(channel::txSelect);
    }

    @Override
    public void txCommit() {
        order(channel::txCommit);
    }

    @Override
    public void txRollback() {
        order(channel::txRollback);
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public Closure awaitClosed() {
        return Closures.await(closed, "the broker closes the channel");
    }

    @Override
    public void close() {
        channel.close();
    }
}
