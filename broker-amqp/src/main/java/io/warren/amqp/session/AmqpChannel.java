package io.warren.amqp.session;

import io.warren.amqp.method.AccessMethod;
import io.warren.amqp.method.BasicMethod;
import io.warren.amqp.method.ChannelMethod;
import io.warren.amqp.method.ConfirmMethod;
import io.warren.amqp.method.ExchangeMethod;
import io.warren.amqp.method.Method;
import io.warren.amqp.method.QueueMethod;
import io.warren.amqp.method.TxMethod;
import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.spi.ChannelSession;
import io.warren.core.spi.ConnectionSession;
import java.util.HashMap;
import java.util.Map;

/**
 * One channel of a connection: its methods and contents in, its answers out. Owned by its connection.
 *
 * <p>Invariants: in every phase but {@code OPEN} nothing reaches the broker. What was asked before the client closed the
 * channel is answered before the close-ok; once the broker has closed it, only the method that ends it is.
 */
final class AmqpChannel {

    private enum Phase {
        /** Methods are carried out. */
        OPEN,
        /** A channel.close was sent: all is swallowed until its close-ok. */
        CLOSED_BY_BROKER,
        /** The client has closed it; close-ok follows when queues have back what it held. */
        CLOSED_BY_CLIENT,
        /** It went with its connection. */
        GONE
    }

    private final int number;
    private final AmqpConnection connection;
    private final ChannelSession session;
    private final TopologyMethods topology;
    private final BasicMethods basic;
    private final Content content = new Content();
    private final ConfirmBatch confirms = new ConfirmBatch();
    private final Map<String, DeliveryCredit> credits = new HashMap<>();
    private Phase phase = Phase.OPEN;
    private boolean flushDue;

    /** Ids of the method that is being carried out; read by the broker's threads to say what an error came of. */
    private int methodIds;

    AmqpChannel(int number, AmqpConnection connection, ConnectionSession connectionSession) {
        this.number = number;
        this.connection = connection;
        this.session = connectionSession.openChannel(number, new ChannelEvents(this, connection.inbox()));
        this.topology = new TopologyMethods(this, session);
        this.basic = new BasicMethods(this, session);
    }

    // ---- what the client sends

    void onMethod(Method method) {
        switch (phase) {
            case OPEN -> onOpen(method);
            case CLOSED_BY_BROKER -> {
                if (method instanceof ChannelMethod.CloseOk) {
                    end();
                } else if (method instanceof ChannelMethod.Close) {
                    // Both said it at the same time; the close-ok to ours is still to come.
                    connection.output().method(number, new ChannelMethod.CloseOk());
                }
            }
            case CLOSED_BY_CLIENT, GONE -> {}
        }
    }

    private void onOpen(Method method) {
        methodIds = method.classId() << 16 | method.methodId();
        if (content.awaitsHeader()) {
            failUnexpected("expected content header for class 60, got non content header frame instead");
        } else if (content.awaitsBody()) {
            failUnexpected("expected content body, got non content body frame instead");
        } else if (method instanceof BasicMethod basicMethod) {
            basic.onMethod(basicMethod);
        } else if (method instanceof QueueMethod queueMethod) {
            topology.onQueue(queueMethod);
        } else if (method instanceof ExchangeMethod exchangeMethod) {
            topology.onExchange(exchangeMethod);
        } else {
            onOther(method);
        }
    }

    private void onOther(Method method) {
        if (method instanceof ChannelMethod channelMethod) {
            onChannel(channelMethod);
        } else if (method instanceof ConfirmMethod.Select select) {
            session.confirmSelect(answer(select.noWait(), new ConfirmMethod.SelectOk()));
        } else if (method instanceof TxMethod.Select) {
            session.txSelect(answer(false, new TxMethod.SelectOk()));
        } else if (method instanceof TxMethod.Commit) {
            session.txCommit(answer(false, new TxMethod.CommitOk()));
        } else if (method instanceof TxMethod.Rollback) {
            session.txRollback(answer(false, new TxMethod.RollbackOk()));
        } else if (method instanceof AccessMethod.Request) {
            session.answerInTurn(answer(false, new AccessMethod.RequestOk(1)));
        } else {
            failUnimplemented();
        }
    }

    private void onChannel(ChannelMethod method) {
        if (method instanceof ChannelMethod.Close) {
            closedByClient();
        } else if (method instanceof ChannelMethod.Open) {
            connection.fail(AmqpError.connection(ReplyCode.CHANNEL_ERROR, "second 'channel.open' seen"));
        } else if (method instanceof ChannelMethod.Flow flow && !flow.active()) {
            connection.fail(AmqpError.connection(ReplyCode.NOT_IMPLEMENTED, "active=false"));
        } else if (method instanceof ChannelMethod.Flow) {
            session.answerInTurn(answer(false, new ChannelMethod.FlowOk(true)));
        } else if (!(method instanceof ChannelMethod.FlowOk)) {
            failUnimplemented();
        }
    }

    void failUnimplemented() {
        connection.fail(AmqpError.connection(ReplyCode.COMMAND_INVALID, "unimplemented method"));
    }

    void fail(AmqpError error) {
        connection.fail(error);
    }

    private void failUnexpected(String detail) {
        connection.fail(AmqpError.connection(ReplyCode.UNEXPECTED_FRAME, detail));
    }

    // ---- contents

    void onPublish(BasicMethod.Publish publish) {
        content.begin(publish);
        connection.pause().onPublish(this);
    }

    boolean mayPublish() {
        return phase != Phase.OPEN || session.mayPublish();
    }

    boolean awaitsHeader() {
        return phase == Phase.OPEN && content.awaitsHeader();
    }

    void onUnexpectedHeader() {
        if (phase == Phase.OPEN) {
            failUnexpected(
                    content.awaitsBody()
                            ? "expected content body, got non content body frame instead"
                            : "expected method frame, got non method frame instead");
        }
    }

    void onHeader(int classId, long bodyBytes, Properties properties) {
        if (!awaitsHeader()) {
            onUnexpectedHeader();
        } else if (classId != BasicMethod.CLASS_ID) {
            failUnexpected("expected content header for class 60, got one for class " + classId + " instead");
        } else if (bodyBytes > connection.settings().messageBytesMax()) {
            refuseLarge(bodyBytes);
        } else {
            content.header(properties, (int) bodyBytes);
            publishIfComplete();
        }
    }

    private void refuseLarge(long bodyBytes) {
        content.drop();
        AmqpError error = AmqpError.channel(
                ReplyCode.PRECONDITION_FAILED,
                "message size " + bodyBytes + " is larger than configured max size "
                        + connection.settings().messageBytesMax());
        session.close(() -> {});
        closedByBroker(error, methodIds);
    }

    void onBody(byte[] part) {
        if (phase != Phase.OPEN) {
            return;
        }
        if (!content.awaitsBody()) {
            failUnexpected(
                    content.awaitsHeader()
                            ? "expected content header for class 60, got non content header frame instead"
                            : "expected method frame, got non method frame instead");
        } else if (!content.add(part)) {
            connection.fail(
                    AmqpError.connection(ReplyCode.FRAME_ERROR, "more content body than the content header announced"));
        } else {
            publishIfComplete();
        }
    }

    private void publishIfComplete() {
        if (content.isComplete()) {
            content.hand(basic::publish);
        }
    }

    // ---- answers

    /** What a method's answer will do: nothing for a client that does not wait. */
    Runnable answer(boolean noWait, Method method) {
        return noWait ? () -> {} : () -> post(() -> reply(method));
    }

    /** Whether the client is still told things: it hears answers out also after it has closed the channel. */
    private boolean isListening() {
        return phase == Phase.OPEN || phase == Phase.CLOSED_BY_CLIENT;
    }

    /** Brings an answer of the broker here; dropped once the channel is closed. */
    void post(Runnable event) {
        connection.inbox().post(() -> {
            if (isListening()) {
                event.run();
            }
        });
    }

    /** Sends a method, after the confirms that came before it. */
    void reply(Method method) {
        flushConfirms();
        connection.output().method(number, method);
    }

    void reply(Method method, Message message) {
        connection.output().content(number, method, message);
    }

    // ---- what the broker says unasked

    int methodIds() {
        return methodIds;
    }

    void deliver(String consumerTag, long deliveryTag, boolean redelivered, Message message) {
        if (isListening()) {
            DeliveryCredit credit = credits.computeIfAbsent(consumerTag, tag -> new DeliveryCredit(session, tag));
            connection
                    .output()
                    .deliver(
                            number,
                            new BasicMethod.Deliver(
                                    consumerTag, deliveryTag, redelivered, message.exchange(), message.routingKey()),
                            message,
                            credit);
        }
    }

    void forgetConsumer(String consumerTag) {
        credits.remove(consumerTag);
    }

    void returned(Message message) {
        if (isListening()) {
            reply(
                    new BasicMethod.Return(
                            ReplyCode.NO_ROUTE.code(),
                            ReplyCode.NO_ROUTE.name(),
                            message.exchange(),
                            message.routingKey()),
                    message);
        }
    }

    void confirmed(long sequence) {
        confirms.onConfirmed(sequence);
        if (!flushDue && isListening()) {
            flushDue = true;
            connection.needsFlush(this);
        }
    }

    void rejected(long sequence) {
        confirms.onRejected(sequence);
        if (isListening()) {
            connection.output().method(number, new BasicMethod.Nack(sequence, false, false));
        }
    }

    void flushConfirms() {
        if (flushDue) {
            flushDue = false;
            confirms.flush(ack -> connection.output().method(number, ack));
        }
    }

    void cancelled(String consumerTag) {
        forgetConsumer(consumerTag);
        if (isListening() && connection.capabilities().consumerCancelNotify()) {
            reply(new BasicMethod.Cancel(consumerTag, true));
        }
    }

    void publishable() {
        connection.pause().onPublishable(this);
    }

    // ---- the end

    void closedByBroker(AmqpError reason, int failedMethodIds) {
        if (phase != Phase.OPEN) {
            return;
        }
        flushConfirms();
        phase = Phase.CLOSED_BY_BROKER;
        content.drop();
        connection
                .output()
                .method(
                        number,
                        new ChannelMethod.Close(
                                reason.code().code(), reason.text(), failedMethodIds >>> 16, failedMethodIds & 0xffff));
        connection.pause().onPublishable(this);
    }

    private void closedByClient() {
        flushConfirms();
        phase = Phase.CLOSED_BY_CLIENT;
        connection.pause().onPublishable(this);
        session.close(() -> connection.inbox().post(() -> {
            if (phase == Phase.CLOSED_BY_CLIENT) {
                reply(new ChannelMethod.CloseOk());
                end();
            }
        }));
    }

    private void end() {
        phase = Phase.GONE;
        connection.forget(number);
    }

    void onConnectionEnded() {
        phase = Phase.GONE;
        content.drop();
    }
}
