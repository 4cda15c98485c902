package io.warren.test.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** One channel: AMQP's verbs, waiting for their answers; the package says which rules hold for all of them. */
public interface ClientChannel {

    /** Declares an exchange. */
    void exchangeDeclare(ExchangeSpec exchange);

    /** Asks whether an exchange exists. */
    void exchangeDeclarePassive(String exchange);

    /** Deletes an exchange. */
    void exchangeDelete(String exchange, boolean ifUnused);

    /** Binds an exchange to a source exchange. */
    void exchangeBind(String destination, String source, String routingKey, Map<String, Object> arguments);

    /** Removes such a binding. */
    void exchangeUnbind(String destination, String source, String routingKey, Map<String, Object> arguments);

    /** Declares a queue. */
    QueueStatus queueDeclare(QueueSpec queue);

    /** Asks for a queue's state. */
    QueueStatus queueDeclarePassive(String queue);

    /** Binds a queue; a value of the arguments may be null, AMQP's void. */
    void queueBind(String queue, String exchange, String routingKey, Map<String, Object> arguments);

    /** Removes such a binding. */
    void queueUnbind(String queue, String exchange, String routingKey, Map<String, Object> arguments);

    /** Removes the ready messages and tells how many there were. */
    long queuePurge(String queue);

    /** Deletes a queue and tells how many ready messages went with it. */
    long queueDelete(String queue, boolean ifUnused, boolean ifEmpty);

    /** Publishes; never throws for what the broker thinks of it. */
    void publish(String exchange, String routingKey, boolean mandatory, MessageProperties properties, byte[] body);

    /** Publishes with AMQP's flag {@code immediate}, which RabbitMQ's model refuses. */
    void publishImmediate(String exchange, String routingKey, byte[] body);

    /** Fetches the message at the head, if there is one. */
    Optional<Delivery> get(String queue, boolean noAck);

    /** Subscribes. */
    Received consume(ConsumeSpec consumer);

    /** Ends a subscription. */
    void cancel(String consumerTag);

    /** Acknowledges a delivery, or all up to it. */
    void ack(long tag, boolean multiple);

    /** Refuses a delivery, or all up to it. */
    void nack(long tag, boolean multiple, boolean requeue);

    /** Refuses a delivery. */
    void reject(long tag, boolean requeue);

    /** Asks for the redelivery of everything unacknowledged. */
    void recover(boolean requeue);

    /** Limits what may be unacknowledged: per consumer, or for the whole channel if global. */
    void qos(long prefetchSize, int prefetchCount, boolean global);

    /** Turns confirms on. */
    void confirmSelect();

    /** Confirms and returns of this channel. */
    PublisherEvents publisherEvents();

    /** Turns transactions on. */
    void txSelect();

    /** Makes the transaction's publishes and acknowledgements happen. */
    void txCommit();

    /** Forgets the transaction's publishes and acknowledgements. */
    void txRollback();

    /** Whether the channel is open. */
    boolean isOpen();

    /** Waits until the broker has closed the channel, alone or with its connection, and says why. */
    Closure awaitClosed();

    /** Closes the channel; nothing happens when it is closed already. */
    void close();

    // What contracts say most often, in fewer words.

    /** Publishes a text without properties. */
    default void publish(String exchange, String routingKey, String text) {
        publish(exchange, routingKey, MessageProperties.none(), text);
    }

    /** Publishes a text. */
    default void publish(String exchange, String routingKey, MessageProperties properties, String text) {
        publish(exchange, routingKey, false, properties, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Publishes a text that must find a queue. */
    default void publishMandatory(String exchange, String routingKey, String text) {
        publish(exchange, routingKey, true, MessageProperties.none(), text.getBytes(StandardCharsets.UTF_8));
    }

    /** Binds a queue without arguments. */
    default void queueBind(String queue, String exchange, String routingKey) {
        queueBind(queue, exchange, routingKey, Map.of());
    }

    /** Removes a binding without arguments. */
    default void queueUnbind(String queue, String exchange, String routingKey) {
        queueUnbind(queue, exchange, routingKey, Map.of());
    }

    /** Binds an exchange without arguments. */
    default void exchangeBind(String destination, String source, String routingKey) {
        exchangeBind(destination, source, routingKey, Map.of());
    }

    /** Removes an exchange's binding without arguments. */
    default void exchangeUnbind(String destination, String source, String routingKey) {
        exchangeUnbind(destination, source, routingKey, Map.of());
    }

    /** Deletes an exchange in any case. */
    default void exchangeDelete(String exchange) {
        exchangeDelete(exchange, false);
    }

    /** Deletes a queue in any case. */
    default long queueDelete(String queue) {
        return queueDelete(queue, false, false);
    }

    /** Limits each consumer started afterwards. */
    default void qos(int prefetchCount) {
        qos(0, prefetchCount, false);
    }

    /** Acknowledges one delivery. */
    default void ack(Delivery delivery) {
        ack(delivery.tag(), false);
    }

    /** Subscribes with acknowledgements. */
    default Received consume(String queue) {
        return consume(ConsumeSpec.from(queue));
    }

    /** Fetches a message that must be there and leaves it unacknowledged. */
    default Delivery get(String queue) {
        return get(queue, false).orElseThrow(() -> new AssertionError("queue '" + queue + "' is empty"));
    }

    /** Takes all ready messages out of a queue and gives their texts. */
    default List<String> drain(String queue) {
        var texts = new ArrayList<String>();
        for (var message = get(queue, true); message.isPresent(); message = get(queue, true)) {
            texts.add(message.get().text());
        }
        return texts;
    }

    /** Ready messages of a queue. */
    default long ready(String queue) {
        return queueDeclarePassive(queue).messages();
    }

    /** Does what the broker must refuse, and says how it refused: at once or, for verbs without an answer, a little later. */
    default Closure refused(Consumer<ClientChannel> verb) {
        try {
            verb.accept(this);
        } catch (ClosedException refused) {
            return refused.closure();
        }
        return awaitClosed();
    }

    /** Fetches, without acknowledgement, the next message of a queue that another queue or a timer is about to fill. */
    default Delivery awaitMessage(String queue) {
        return await().atMost(Received.DEADLINE_SECONDS, SECONDS)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> get(queue, true), Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until so many messages are ready in a queue that another queue or a timer changes. */
    default void awaitReady(String queue, long count) {
        await().atMost(Received.DEADLINE_SECONDS, SECONDS)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> ready(queue), ready -> ready == count);
    }

    /**
     * A barrier: returns when everything these queues had to send to this channel has been recorded.
     *
     * <p>It holds for messages that the broker has confirmed, as after {@link Deployment#send}: a queue of RabbitMQ answers a
     * passive declaration ahead of publishes and acknowledgements that wait in its mailbox. After an acknowledgement, first await
     * what it lets through. Name queues in the order in which messages pass through them, source before dead-letter target.
     */
    default void settle(String... queues) {
        for (String queue : queues) {
            queueDeclarePassive(queue);
        }
    }
}
