package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.error.Refusals;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.FieldTable;
import io.warren.core.message.FieldType;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Binding;
import io.warren.core.metadata.QueueDefinition;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.spi.ChannelSession;
import io.warren.core.spi.SettleVerb;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The methods a client calls on a channel: checked here, in RabbitMQ's order, and carried out in the mailbox. */
final class ChannelMethods implements ChannelSession {

    private final BrokerWiring wiring;
    private final ChannelProcess channel;
    private final Access access;
    private final PublishChecks publishChecks;
    private final TopologyMethods topology;
    private final String vhost;

    ChannelMethods(BrokerWiring wiring, ChannelProcess channel) {
        this.wiring = wiring;
        this.channel = channel;
        this.vhost = channel.connection().vhost();
        this.access = new Access(wiring, channel.connection().user(), vhost);
        this.publishChecks = new PublishChecks(access, vhost);
        this.topology = new TopologyMethods(wiring, channel, access);
    }

    private void post(Runnable method) {
        channel.mailbox().post(new ChannelProcess.Method(channel) {
            @Override
            void perform() {
                method.run();
            }
        });
    }

    // ---- topology

    @Override
    public void exchangeDeclare(ExchangeDeclare declare, Runnable answer) {
        post(() -> topology.exchangeDeclare(declare, answer));
    }

    @Override
    public void exchangeDeclarePassive(String name, Runnable answer) {
        post(() -> topology.exchangeDeclarePassive(name, answer));
    }

    @Override
    public void exchangeDelete(String name, boolean ifUnused, Runnable answer) {
        post(() -> topology.exchangeDelete(name, ifUnused, answer));
    }

    @Override
    public void bind(Binding binding, Runnable answer) {
        post(() -> topology.bind(binding, answer));
    }

    @Override
    public void unbind(Binding binding, Runnable answer) {
        post(() -> topology.unbind(binding, answer));
    }

    @Override
    public void queueDeclare(QueueDefinition definition, boolean exclusive, Consumer<QueueDeclared> answer) {
        post(() -> topology.queueDeclare(definition, exclusive, answer));
    }

    @Override
    public void queueDeclarePassive(String name, Consumer<QueueDeclared> answer) {
        post(() -> topology.queueDeclarePassive(name, answer));
    }

    @Override
    public void queuePurge(String name, Consumer<Long> answer) {
        post(() -> topology.queuePurge(name, answer));
    }

    @Override
    public void queueDelete(String name, boolean ifUnused, boolean ifEmpty, Consumer<Long> answer) {
        post(() -> topology.queueDelete(name, ifUnused, ifEmpty, answer));
    }

    // ---- publishing

    private static final class Publish extends ChannelProcess.Method {

        private final ChannelMethods methods;
        private final Message message;
        private final boolean mandatory;
        private final @Nullable LongConsumer sequenced;

        Publish(ChannelMethods methods, Message message, boolean mandatory, @Nullable LongConsumer sequenced) {
            super(methods.channel);
            this.methods = methods;
            this.message = message;
            this.mandatory = mandatory;
            this.sequenced = sequenced;
        }

        @Override
        void perform() {
            try {
                methods.publish(message, mandatory, sequenced);
            } finally {
                dropped();
            }
        }

        @Override
        void dropped() {
            methods.channel.credit().giveBack(1);
        }
    }

    @Override
    public void publish(
            String exchange,
            String routingKey,
            boolean mandatory,
            Properties properties,
            byte[] body,
            @Nullable LongConsumer sequenced) {
        channel.credit().take(1);
        channel.mailbox()
                .post(new Publish(this, Message.owning(exchange, routingKey, properties, body), mandatory, sequenced));
    }

    private void publish(Message message, boolean mandatory, @Nullable LongConsumer sequenced) {
        VirtualHost current = wiring.definitions().vhost(vhost);
        AmqpError error = current == null
                ? Refusals.noExchange(vhost, message.exchange())
                : publishChecks.check(current.exchange(message.exchange()), message);
        if (!channel.accepted(error)) {
            return;
        }
        Message addressed = withReplyTo(message);
        if (addressed != null) {
            if (sequenced != null) {
                sequenced.accept(channel.state().lastSequence() + 1);
            }
            channel.state().onPublish(PublishChecks.withoutBlindCopies(addressed), mandatory);
        }
    }

    /** Direct reply-to: the pseudo-queue's name becomes the one replies to this channel go to. */
    private @Nullable Message withReplyTo(Message message) {
        if (!DirectReplies.PSEUDO_QUEUE.equals(message.properties().replyTo())) {
            return message;
        }
        String replyTo = wiring.directReplies().replyTo(channel);
        if (replyTo == null) {
            channel.refuse(AmqpError.channel(ReplyCode.PRECONDITION_FAILED, "fast reply consumer does not exist"));
            return null;
        }
        return message.republished(
                message.exchange(),
                message.routingKey(),
                message.properties().toBuilder().replyTo(replyTo).build());
    }

    @Override
    public boolean mayPublish() {
        return !wiring.holdsPublishers() && channel.credit().isAvailable();
    }

    // ---- consuming

    @Override
    public void get(String queueName, boolean noAck, Consumer<@Nullable Got> answer) {
        post(() -> {
            QueueAddress queue = topology.readable(queueName);
            if (queue != null) {
                channel.get(queue, !noAck, answer);
            }
        });
    }

    @Override
    public void consume(Consume consume, Consumer<String> answer) {
        post(() -> performConsume(consume, answer));
    }

    private void performConsume(Consume consume, Consumer<String> answer) {
        String tag = consume.tag().isEmpty() ? wiring.generateName("amq.ctag-") : consume.tag();
        if (channel.hasConsumer(tag)) {
            channel.refuse(AmqpError.connection(ReplyCode.NOT_ALLOWED, "attempt to reuse consumer tag '" + tag + "'"));
            return;
        }
        if (consume.queue().equals(DirectReplies.PSEUDO_QUEUE)) {
            consumeReplies(consume, tag, answer);
            return;
        }
        QueueAddress queue = topology.readable(consume.queue());
        if (queue == null) {
            return;
        }
        AmqpError invalid = invalidArgument(queue.name(), consume.arguments());
        if (channel.accepted(
                invalid == null ? wiring.unknownArgument("consumer", tag, consume.arguments()) : invalid)) {
            channel.consume(queue, consumer(consume, tag), answer);
        }
    }

    private QueueConsumer consumer(Consume consume, String tag) {
        int priority = consume.arguments().get("x-priority") instanceof Number number ? number.intValue() : 0;
        return new QueueConsumer(
                channel,
                tag,
                !consume.noAck(),
                consume.exclusive(),
                priority,
                channel.state().prefetchCount(),
                ChannelProcess.CONSUMER_CREDIT,
                Boolean.TRUE.equals(consume.arguments().get("x-cancel-on-ha-failover")));
    }

    private @Nullable AmqpError invalidArgument(String queue, FieldTable arguments) {
        Object priority = arguments.get("x-priority");
        if (arguments.has("x-priority") && !FieldType.isInteger(priority)) {
            return invalidArgument(queue, "x-priority", "\"expected integer, got " + FieldType.nameOf(priority) + "\"");
        }
        Object cancel = arguments.get("x-cancel-on-ha-failover");
        if (arguments.has("x-cancel-on-ha-failover") && !(cancel instanceof Boolean)) {
            return invalidArgument(
                    queue, "x-cancel-on-ha-failover", "{unacceptable_type," + FieldType.nameOf(cancel) + "}");
        }
        return null;
    }

    private AmqpError invalidArgument(String queue, String name, String problem) {
        return AmqpError.channel(
                ReplyCode.PRECONDITION_FAILED,
                "invalid arg '" + name + "' for queue '" + queue + "' in vhost '" + vhost + "': " + problem);
    }

    private void consumeReplies(Consume consume, String tag, Consumer<String> answer) {
        if (wiring.directReplies().isRequester(channel)) {
            channel.refuse(AmqpError.channel(ReplyCode.PRECONDITION_FAILED, "reply consumer already set"));
        } else if (!consume.noAck()) {
            channel.refuse(AmqpError.channel(ReplyCode.PRECONDITION_FAILED, "reply consumer cannot acknowledge"));
        } else {
            wiring.directReplies().add(channel, wiring.generateName(""), tag);
            answer.accept(tag);
        }
    }

    @Override
    public void cancel(String consumerTag, Runnable answer) {
        post(() -> {
            QueueConsumer consumer = channel.consumer(consumerTag);
            QueueAddress queue = consumer == null ? null : channel.queueOf(consumer);
            if (consumer != null && queue != null) {
                channel.await(tag -> answer.run());
                queue.cancel(consumer);
                return;
            }
            if (wiring.directReplies().hasConsumer(channel, consumerTag)) {
                wiring.directReplies().remove(channel);
            }
            answer.run();
        });
    }

    @Override
    public void credit(String consumerTag, int deliveries) {
        // Not a method of the protocol: it must pass even while a method waits for its answer.
        channel.mailbox().post(() -> {
            QueueConsumer consumer = channel.consumer(consumerTag);
            QueueAddress queue = consumer == null ? null : channel.queueOf(consumer);
            if (consumer != null && queue != null) {
                queue.credit(consumer, deliveries);
            }
        });
    }

    // ---- settling

    private static final class Settle extends ChannelProcess.Method {

        private final ChannelProcess channel;
        private final long deliveryTag;
        private final boolean multiple;
        private final SettleVerb verb;

        Settle(ChannelProcess channel, long deliveryTag, boolean multiple, SettleVerb verb) {
            super(channel);
            this.channel = channel;
            this.deliveryTag = deliveryTag;
            this.multiple = multiple;
            this.verb = verb;
        }

        @Override
        void perform() {
            channel.accepted(channel.state().onSettle(deliveryTag, multiple, verb));
        }
    }

    @Override
    public void ack(long deliveryTag, boolean multiple) {
        channel.mailbox().post(new Settle(channel, deliveryTag, multiple, SettleVerb.ACK));
    }

    @Override
    public void nack(long deliveryTag, boolean multiple, boolean requeue) {
        SettleVerb verb = requeue ? SettleVerb.REQUEUE : SettleVerb.REJECT;
        channel.mailbox().post(new Settle(channel, deliveryTag, multiple, verb));
    }

    @Override
    public void recover(boolean requeue, Runnable answer) {
        post(() -> answerUnless(channel.state().onRecover(requeue), answer));
    }

    @Override
    public void answerInTurn(Runnable answer) {
        post(answer);
    }

    // ---- modes

    @Override
    public void qos(long prefetchSize, int prefetchCount, boolean global, Runnable answer) {
        post(() -> answerUnless(channel.state().onQos(prefetchSize, prefetchCount, global), answer));
    }

    @Override
    public void confirmSelect(Runnable answer) {
        post(() -> answerUnless(channel.state().onConfirmSelect(), answer));
    }

    @Override
    public void txSelect(Runnable answer) {
        post(() -> answerUnless(channel.state().onTxSelect(), answer));
    }

    @Override
    public void txCommit(Runnable answer) {
        post(() -> {
            channel.await(committed -> answer.run());
            channel.accepted(channel.state().onTxCommit());
        });
    }

    @Override
    public void txRollback(Runnable answer) {
        post(() -> answerUnless(channel.state().onTxRollback(), answer));
    }

    private void answerUnless(@Nullable AmqpError error, Runnable answer) {
        if (channel.accepted(error)) {
            answer.run();
        }
    }

    @Override
    public void close(Runnable answer) {
        channel.mailbox().post(() -> {
            if (channel.isClosed()) {
                answer.run();
            } else {
                channel.end(answer);
            }
        });
    }
}
