package io.warren.amqp.session;

import io.warren.amqp.method.BasicMethod;
import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.spi.ChannelSession;
import org.jspecify.annotations.Nullable;

/** Methods about messages. Owned by its channel. */
final class BasicMethods {

    private final AmqpChannel channel;
    private final ChannelSession session;

    BasicMethods(AmqpChannel channel, ChannelSession session) {
        this.channel = channel;
        this.session = session;
    }

    void onMethod(BasicMethod method) {
        if (method instanceof BasicMethod.Publish publish) {
            onPublish(publish);
        } else if (method instanceof BasicMethod.Ack ack) {
            session.ack(ack.deliveryTag(), ack.multiple());
        } else if (method instanceof BasicMethod.Nack nack) {
            session.nack(nack.deliveryTag(), nack.multiple(), nack.requeue());
        } else if (method instanceof BasicMethod.Reject reject) {
            session.nack(reject.deliveryTag(), false, reject.requeue());
        } else if (method instanceof BasicMethod.Get get) {
            session.get(get.queue(), get.noAck(), got -> channel.post(() -> got(got)));
        } else {
            onConsuming(method);
        }
    }

    private void onConsuming(BasicMethod method) {
        if (method instanceof BasicMethod.Consume consume) {
            consume(consume);
        } else if (method instanceof BasicMethod.Cancel cancel) {
            session.cancel(cancel.consumerTag(), () -> channel.post(() -> cancelled(cancel)));
        } else if (method instanceof BasicMethod.Qos qos) {
            session.qos(
                    qos.prefetchSize(),
                    qos.prefetchCount(),
                    qos.global(),
                    channel.answer(false, new BasicMethod.QosOk()));
        } else if (method instanceof BasicMethod.Recover recover) {
            session.recover(recover.requeue(), channel.answer(false, new BasicMethod.RecoverOk()));
        } else if (method instanceof BasicMethod.RecoverAsync recover) {
            session.recover(recover.requeue(), () -> {});
        } else if (!(method instanceof BasicMethod.CancelOk)) {
            channel.failUnimplemented();
        }
    }

    private void onPublish(BasicMethod.Publish publish) {
        if (publish.immediate()) {
            channel.fail(AmqpError.connection(ReplyCode.NOT_IMPLEMENTED, "immediate=true"));
        } else {
            channel.onPublish(publish);
        }
    }

    /** The publish with its content. */
    void publish(BasicMethod.Publish publish, Properties properties, byte[] body) {
        session.publish(publish.exchange(), publish.routingKey(), publish.mandatory(), properties, body, null);
    }

    private void got(ChannelSession.@Nullable Got got) {
        if (got == null) {
            channel.reply(new BasicMethod.GetEmpty());
            return;
        }
        Message message = got.message();
        channel.reply(
                new BasicMethod.GetOk(
                        got.deliveryTag(),
                        got.redelivered(),
                        message.exchange(),
                        message.routingKey(),
                        got.messageCount()),
                message);
    }

    private void consume(BasicMethod.Consume consume) {
        session.consume(
                new ChannelSession.Consume(
                        consume.queue(),
                        consume.consumerTag(),
                        consume.noAck(),
                        consume.exclusive(),
                        consume.arguments()),
                tag -> channel.answer(consume.noWait(), new BasicMethod.ConsumeOk(tag))
                        .run());
    }

    private void cancelled(BasicMethod.Cancel cancel) {
        channel.forgetConsumer(cancel.consumerTag());
        if (!cancel.noWait()) {
            channel.reply(new BasicMethod.CancelOk(cancel.consumerTag()));
        }
    }
}
