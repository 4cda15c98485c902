package io.warren.amqp.session;

import io.warren.core.spi.ChannelSession;

/** A consumer's way to tell the broker that deliveries have left. */
public final class DeliveryCredit {

    private final ChannelSession channel;
    private final String consumerTag;

    DeliveryCredit(ChannelSession channel, String consumerTag) {
        this.channel = channel;
        this.consumerTag = consumerTag;
    }

    /** So many deliveries have left. */
    public void giveBack(int deliveries) {
        channel.credit(consumerTag, deliveries);
    }
}
