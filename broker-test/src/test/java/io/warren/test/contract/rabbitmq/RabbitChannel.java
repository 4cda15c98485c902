package io.warren.test.contract.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmCallback;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import io.warren.test.contract.ClientChannel;
import io.warren.test.contract.ClosedException;
import io.warren.test.contract.Closure;
import io.warren.test.contract.ConsumeSpec;
import io.warren.test.contract.Delivery;
import io.warren.test.contract.ExchangeSpec;
import io.warren.test.contract.Login;
import io.warren.test.contract.MessageProperties;
import io.warren.test.contract.PublisherEvent;
import io.warren.test.contract.PublisherEvents;
import io.warren.test.contract.QueueSpec;
import io.warren.test.contract.QueueStatus;
import io.warren.test.contract.Received;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/** A channel of the Java client. */
final class RabbitChannel implements ClientChannel {
    private final Channel channel;
    private final Login login;
    private final DeclarationListener declarations;
    private final PublisherEvents publisherEvents = new PublisherEvents();
    private final CompletableFuture<Closure> closed = new CompletableFuture<>();
    private final Set<String> tags = new HashSet<>();
    private boolean confirming;

    RabbitChannel(Channel channel, Login login, DeclarationListener declarations) {
        this.channel = channel;
        this.login = login;
        this.declarations = declarations;
        channel.addShutdownListener(signal -> closed.complete(Closures.of(signal)));
        channel.addReturnListener((Return returned) -> publisherEvents.onReturn(new PublisherEvent.Return(
                returned.getReplyCode(),
                returned.getReplyText(),
                returned.getExchange(),
                returned.getRoutingKey(),
                new String(returned.getBody(), StandardCharsets.UTF_8))));
        ConfirmCallback ack = publisherEvents::onAck;
        ConfirmCallback nack = publisherEvents::onNack;
        channel.addConfirmListener(ack, nack);
    }

    /** A verb of the library, which may throw its exceptions. */
    private interface Verb<T> {
        T call() throws IOException;
    }

    private static <T> T answer(Verb<T> verb) {
        try {
            return verb.call();
        } catch (IOException failed) {
            throw Closures.rethrow(failed);
        } catch (ShutdownSignalException failed) {
            throw new ClosedException(Closures.of(failed), failed);
        }
    }

    private interface Order {
        void call() throws IOException;
    }

    private static void order(Order order) {
        answer(() -> {
            order.call();
            return true;
        });
    }

    @Override
    public void exchangeDeclare(ExchangeSpec exchange) {
        order(() -> channel.exchangeDeclare(
                exchange.name(),
                exchange.type(),
                exchange.isDurable(),
                exchange.isAutoDelete(),
                exchange.isInternal(),
                FieldTables.toClient(exchange.arguments())));
        declarations.onExchangeDeclared(login, exchange.name());
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
        order(() -> channel.exchangeBind(destination, source, routingKey, FieldTables.toClient(arguments)));
    }

    @Override
    public void exchangeUnbind(String destination, String source, String routingKey, Map<String, Object> arguments) {
        order(() -> channel.exchangeUnbind(destination, source, routingKey, FieldTables.toClient(arguments)));
    }

    @Override
    public QueueStatus queueDeclare(QueueSpec queue) {
        var declared = answer(() -> channel.queueDeclare(
                queue.name(),
                queue.isDurable(),
                queue.isExclusive(),
                queue.isAutoDelete(),
                FieldTables.toClient(queue.arguments())));
        declarations.onQueueDeclared(login, declared.getQueue());
        return status(declared);
    }

    @Override
    public QueueStatus queueDeclarePassive(String queue) {
        return status(answer(() -> channel.queueDeclarePassive(queue)));
    }

    private static QueueStatus status(AMQP.Queue.DeclareOk declared) {
        return new QueueStatus(declared.getQueue(), declared.getMessageCount(), declared.getConsumerCount());
    }

    @Override
    public void queueBind(String queue, String exchange, String routingKey, Map<String, Object> arguments) {
        order(() -> channel.queueBind(queue, exchange, routingKey, FieldTables.toClient(arguments)));
    }

    @Override
    public void queueUnbind(String queue, String exchange, String routingKey, Map<String, Object> arguments) {
        order(() -> channel.queueUnbind(queue, exchange, routingKey, FieldTables.toClient(arguments)));
    }

    @Override
    public long queuePurge(String queue) {
        return answer(() -> channel.queuePurge(queue)).getMessageCount();
    }

    @Override
    public long queueDelete(String queue, boolean ifUnused, boolean ifEmpty) {
        return answer(() -> channel.queueDelete(queue, ifUnused, ifEmpty)).getMessageCount();
    }

    @Override
    public void publish(
            String exchange, String routingKey, boolean mandatory, MessageProperties properties, byte[] body) {
        if (confirming) {
            publisherEvents.onPublish();
        }
        try {
            channel.basicPublish(exchange, routingKey, mandatory, FieldTables.toClient(properties), body);
        } catch (AlreadyClosedException alreadyClosed) {
            // The contracts look at the closure afterwards; closed has it.
            closed.complete(Closures.of(alreadyClosed));
        } catch (IOException failed) {
            throw Closures.rethrow(failed);
        }
    }

    @Override
    public void publishImmediate(String exchange, String routingKey, byte[] body) {
        order(() -> channel.basicPublish(exchange, routingKey, false, true, null, body));
    }

    @Override
    public Optional<Delivery> get(String queue, boolean noAck) {
        var got = answer(() -> channel.basicGet(queue, noAck));
        return Optional.ofNullable(got)
                .map(message -> delivery(
                        message.getEnvelope(), message.getProps(), message.getBody(), message.getMessageCount()));
    }

    private static Delivery delivery(
            Envelope envelope, AMQP.BasicProperties properties, byte[] body, long messagesLeft) {
        return new Delivery(
                envelope.getDeliveryTag(),
                envelope.isRedeliver(),
                envelope.getExchange(),
                envelope.getRoutingKey(),
                FieldTables.fromClient(properties),
                body,
                messagesLeft);
    }

    @Override
    public Received consume(ConsumeSpec consumer) {
        var received = new Received();
        var recorder = new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
                received.onDelivery(delivery(envelope, properties, body, 0));
            }

            @Override
            public void handleCancel(String tag) {
                received.onCancelled();
            }
        };
        received.onStarted(answer(() -> {
            if (!tags.add(consumer.tag()) && !consumer.tag().isEmpty()) {
                return consumeUnchecked(consumer);
            }
            return channel.basicConsume(
                    consumer.queue(),
                    consumer.isNoAck(),
                    consumer.tag(),
                    false,
                    consumer.isExclusive(),
                    FieldTables.toClient(consumer.arguments()),
                    recorder);
        }));
        return received;
    }

    /** The library refuses a tag it has seen without asking the broker, whose answer is what matters. */
    private String consumeUnchecked(ConsumeSpec consumer) throws IOException {
        channel.rpc(new AMQP.Basic.Consume.Builder()
                .queue(consumer.queue())
                .consumerTag(consumer.tag())
                .noAck(consumer.isNoAck())
                .exclusive(consumer.isExclusive())
                .build());
        return consumer.tag();
    }

    @Override
    public void cancel(String consumerTag) {
        tags.remove(consumerTag);
        order(() -> {
            try {
                channel.basicCancel(consumerTag);
            } catch (IOException unknownToTheLibrary) {
                // It refuses a tag it does not know without asking; the broker is asked all the same.
                if (unknownToTheLibrary.getCause() != null) {
                    throw unknownToTheLibrary;
                }
                channel.rpc(
                        new AMQP.Basic.Cancel.Builder().consumerTag(consumerTag).build());
            }
        });
    }

    @Override
    public void ack(long tag, boolean multiple) {
        order(() -> channel.basicAck(tag, multiple));
    }

    @Override
    public void nack(long tag, boolean multiple, boolean requeue) {
        order(() -> channel.basicNack(tag, multiple, requeue));
    }

    @Override
    public void reject(long tag, boolean requeue) {
        order(() -> channel.basicReject(tag, requeue));
    }

    @Override
    public void recover(boolean requeue) {
        order(() -> channel.basicRecover(requeue));
    }

    @Override
    public void qos(long prefetchSize, int prefetchCount, boolean global) {
        order(() -> channel.basicQos((int) prefetchSize, prefetchCount, global));
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
    public void settle(String... queues) {
        // Thrice, because the answer overtakes what waits in the queue's mailbox; after a round trip that is done.
        for (int round = 0; round < 3; round++) {
            ClientChannel.super.settle(queues);
        }
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public Closure awaitClosed() {
        return Closures.await(closed);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (AlreadyClosedException alreadyClosed) {
            closed.complete(Closures.of(alreadyClosed));
        } catch (IOException failed) {
            throw Closures.rethrow(failed);
        } catch (TimeoutException late) {
            throw new AssertionError("channel did not close", late);
        }
    }
}
