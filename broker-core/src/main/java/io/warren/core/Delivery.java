package io.warren.core;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A message as its consumer or getter sees it. */
public final class Delivery {

    private final Channel channel;
    private final String consumerTag;
    private final long deliveryTag;
    private final boolean redelivered;
    private final Message message;
    private final long messageCount;

    Delivery(
            Channel channel,
            String consumerTag,
            long deliveryTag,
            boolean redelivered,
            Message message,
            long messageCount) {
        this.channel = channel;
        this.consumerTag = consumerTag;
        this.deliveryTag = deliveryTag;
        this.redelivered = redelivered;
        this.message = message;
        this.messageCount = messageCount;
    }

    /** The consumer it was handed to; empty for a message that was got. */
    public String consumerTag() {
        return consumerTag;
    }

    /** Its number on its channel, from 1; what {@link Channel#ack} takes. */
    public long deliveryTag() {
        return deliveryTag;
    }

    /** Whether it was handed out before. */
    public boolean isRedelivered() {
        return redelivered;
    }

    /** Ready messages behind one that was got; 0 for one that a consumer was handed. */
    public long messageCount() {
        return messageCount;
    }

    /** The exchange it was published to; the dead letter exchange after it died. */
    public String exchange() {
        return message.exchange();
    }

    public String routingKey() {
        return message.routingKey();
    }

    public Properties properties() {
        return message.properties();
    }

    /** A copy of the body. */
    public byte[] body() {
        return message.body();
    }

    /** The body, read-only and not copied. */
    public ByteBuffer bodyBuffer() {
        return message.bodyBuffer();
    }

    /** The body as UTF-8. */
    public String text() {
        return StandardCharsets.UTF_8.decode(message.bodyBuffer()).toString();
    }

    /** Acknowledges this message. */
    public void ack() {
        channel.ack(deliveryTag, false);
    }

    /** Refuses this message: back to its place, or dead-lettered. */
    public void nack(boolean requeue) {
        channel.nack(deliveryTag, false, requeue);
    }

    @Override
    public String toString() {
        return "Delivery[" + deliveryTag + ", " + message + "]";
    }
}
