package io.warren.amqp.session;

import io.warren.amqp.method.ExchangeMethod;
import io.warren.amqp.method.QueueMethod;
import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Binding;
import io.warren.core.metadata.Destination;
import io.warren.core.metadata.QueueDefinition;
import io.warren.core.spi.ChannelSession;

/** Methods about exchanges, queues and bindings. Owned by its channel. */
final class TopologyMethods {

    private final AmqpChannel channel;
    private final ChannelSession session;

    TopologyMethods(AmqpChannel channel, ChannelSession session) {
        this.channel = channel;
        this.session = session;
    }

    // ---- exchanges

    void onExchange(ExchangeMethod method) {
        if (method instanceof ExchangeMethod.Declare declare) {
            declareExchange(declare);
        } else if (method instanceof ExchangeMethod.Delete delete) {
            session.exchangeDelete(
                    delete.exchange(),
                    delete.ifUnused(),
                    channel.answer(delete.noWait(), new ExchangeMethod.DeleteOk()));
        } else if (method instanceof ExchangeMethod.Bind bind) {
            session.bind(
                    toExchange(bind.destination(), bind.source(), bind.routingKey(), bind.arguments()),
                    channel.answer(bind.noWait(), new ExchangeMethod.BindOk()));
        } else if (method instanceof ExchangeMethod.Unbind unbind) {
            session.unbind(
                    toExchange(unbind.destination(), unbind.source(), unbind.routingKey(), unbind.arguments()),
                    channel.answer(unbind.noWait(), new ExchangeMethod.UnbindOk()));
        } else {
            channel.failUnimplemented();
        }
    }

    private void declareExchange(ExchangeMethod.Declare declare) {
        Runnable answer = channel.answer(declare.noWait(), new ExchangeMethod.DeclareOk());
        if (declare.passive()) {
            session.exchangeDeclarePassive(declare.exchange(), answer);
            return;
        }
        session.exchangeDeclare(
                new ChannelSession.ExchangeDeclare(
                        declare.exchange(),
                        declare.type(),
                        declare.durable(),
                        declare.autoDelete(),
                        declare.internal(),
                        declare.arguments()),
                answer);
    }

    private static Binding toExchange(String destination, String source, String key, FieldTable arguments) {
        return new Binding(source, Destination.exchange(destination), key, arguments);
    }

    // ---- queues

    void onQueue(QueueMethod method) {
        if (method instanceof QueueMethod.Declare declare) {
            declareQueue(declare);
        } else if (method instanceof QueueMethod.Bind bind) {
            session.bind(
                    toQueue(bind.queue(), bind.exchange(), bind.routingKey(), bind.arguments()),
                    channel.answer(bind.noWait(), new QueueMethod.BindOk()));
        } else if (method instanceof QueueMethod.Unbind unbind) {
            session.unbind(
                    toQueue(unbind.queue(), unbind.exchange(), unbind.routingKey(), unbind.arguments()),
                    channel.answer(false, new QueueMethod.UnbindOk()));
        } else if (method instanceof QueueMethod.Purge purge) {
            session.queuePurge(purge.queue(), count -> channel.answer(purge.noWait(), new QueueMethod.PurgeOk(count))
                    .run());
        } else if (method instanceof QueueMethod.Delete delete) {
            session.queueDelete(delete.queue(), delete.ifUnused(), delete.ifEmpty(), count -> channel.answer(
                            delete.noWait(), new QueueMethod.DeleteOk(count))
                    .run());
        } else {
            channel.failUnimplemented();
        }
    }

    private void declareQueue(QueueMethod.Declare declare) {
        if (declare.passive()) {
            session.queueDeclarePassive(declare.queue(), declared -> declared(declare, declared));
            return;
        }
        QueueDefinition definition = new QueueDefinition(
                declare.queue(), declare.durable(), declare.autoDelete(), null, declare.arguments());
        session.queueDeclare(definition, declare.exclusive(), declared -> declared(declare, declared));
    }

    private void declared(QueueMethod.Declare declare, ChannelSession.QueueDeclared declared) {
        channel.answer(
                        declare.noWait(),
                        new QueueMethod.DeclareOk(declared.name(), declared.messageCount(), declared.consumerCount()))
                .run();
    }

    private static Binding toQueue(String queue, String source, String key, FieldTable arguments) {
        return new Binding(source, Destination.queue(queue), key, arguments);
    }
}
