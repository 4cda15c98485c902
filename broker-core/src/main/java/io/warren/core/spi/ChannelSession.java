package io.warren.core.spi;

import io.warren.core.message.FieldTable;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Binding;
import io.warren.core.metadata.QueueDefinition;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A channel for whoever speaks for a client: the in-VM API, an AMQP connection.
 *
 * <p>Every method returns at once, whatever thread calls it; methods take effect in the order they were called. Those
 * with an answer call it in the channel's mailbox; one that is refused closes the channel instead, which
 * {@link ChannelReceiver#onClosed} tells, and its answer never comes. While a method waits for its answer, those called
 * after it are held back.
 */
public interface ChannelSession {

    /** queue.declare-ok. */
    record QueueDeclared(String name, long messageCount, int consumerCount) {}

    /** basic.get-ok. */
    record Got(long deliveryTag, boolean redelivered, Message message, long messageCount) {}

    /** basic.consume. An empty tag asks for a generated one. */
    record Consume(String queue, String tag, boolean noAck, boolean exclusive, FieldTable arguments) {}

    /** exchange.declare, with the type by name. */
    record ExchangeDeclare(
            String name, String type, boolean durable, boolean autoDelete, boolean internal, FieldTable arguments) {}

    void exchangeDeclare(ExchangeDeclare declare, Runnable answer);

    void exchangeDeclarePassive(String name, Runnable answer);

    void exchangeDelete(String name, boolean ifUnused, Runnable answer);

    void bind(Binding binding, Runnable answer);

    void unbind(Binding binding, Runnable answer);

    /**
     * queue.declare; an empty name asks for a generated one.
     *
     * @param exclusive whether it belongs to this connection; the definition's owner is not looked at
     */
    void queueDeclare(QueueDefinition definition, boolean exclusive, Consumer<QueueDeclared> answer);

    void queueDeclarePassive(String name, Consumer<QueueDeclared> answer);

    void queuePurge(String name, Consumer<Long> answer);

    void queueDelete(String name, boolean ifUnused, boolean ifEmpty, Consumer<Long> answer);

    /**
     * basic.publish; asked for {@link #mayPublish} before, or not, a publish is always taken.
     *
     * @param body belongs to the broker from now on
     * @param sequenced in confirm mode told the publish's sequence, before its confirm; or null
     */
    void publish(
            String exchange,
            String routingKey,
            boolean mandatory,
            Properties properties,
            byte[] body,
            @Nullable LongConsumer sequenced);

    /** False while an alarm or credit holds publishers back. */
    boolean mayPublish();

    /** basic.get; null where nothing is ready. */
    void get(String queue, boolean noAck, Consumer<@Nullable Got> answer);

    void consume(Consume consume, Consumer<String> answer);

    void cancel(String consumerTag, Runnable answer);

    /** The client's side has dealt with so many deliveries of a consumer. */
    void credit(String consumerTag, int deliveries);

    void ack(long deliveryTag, boolean multiple);

    void nack(long deliveryTag, boolean multiple, boolean requeue);

    void recover(boolean requeue, Runnable answer);

    void qos(long prefetchSize, int prefetchCount, boolean global, Runnable answer);

    void confirmSelect(Runnable answer);

    void txSelect(Runnable answer);

    void txCommit(Runnable answer);

    void txRollback(Runnable answer);

    /** Answers in its turn: for methods that ask for nothing but an answer. */
    void answerInTurn(Runnable answer);

    /** Closes the channel; the answer comes when queues have back what it held. */
    void close(Runnable answer);
}
