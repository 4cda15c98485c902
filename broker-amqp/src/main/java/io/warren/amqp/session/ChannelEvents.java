package io.warren.amqp.session;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ErrorScope;
import io.warren.core.message.Message;
import io.warren.core.spi.ChannelReceiver;

/** Turns what the broker says on a channel, on any thread, into events for the connection's owner. */
final class ChannelEvents implements ChannelReceiver {

    private final AmqpChannel channel;
    private final Inbox inbox;

    ChannelEvents(AmqpChannel channel, Inbox inbox) {
        this.channel = channel;
        this.inbox = inbox;
    }

    @Override
    public void onDelivery(String consumerTag, long deliveryTag, boolean redelivered, Message message) {
        inbox.post(() -> channel.deliver(consumerTag, deliveryTag, redelivered, message));
    }

    @Override
    public void onReturn(Message message) {
        inbox.post(() -> channel.returned(message));
    }

    @Override
    public void onConfirmed(long sequence) {
        inbox.post(() -> channel.confirmed(sequence));
    }

    @Override
    public void onRejected(long sequence) {
        inbox.post(() -> channel.rejected(sequence));
    }

    @Override
    public void onCancel(String consumerTag) {
        inbox.post(() -> channel.cancelled(consumerTag));
    }

    /** A connection's end is told by the connection. */
    @Override
    public void onClosed(AmqpError reason) {
        if (reason.scope() == ErrorScope.CHANNEL) {
            int methodIds = channel.methodIds();
            inbox.post(() -> channel.closedByBroker(reason, methodIds));
        }
    }

    @Override
    public void onClosedUnasked(AmqpError reason) {
        inbox.post(() -> channel.closedByBroker(reason, 0));
    }

    @Override
    public void onPublishable() {
        inbox.post(channel::publishable);
    }
}
