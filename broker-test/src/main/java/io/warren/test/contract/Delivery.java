package io.warren.test.contract;

import java.nio.charset.StandardCharsets;

/** A message as it arrived, pushed to a consumer or fetched by {@code get}. */
public final class Delivery {
    private final long tag;
    private final boolean redelivered;
    private final String exchange;
    private final String routingKey;
    private final MessageProperties properties;
    private final byte[] body;
    private final long messagesLeft;

    /** @param messagesLeft ready messages behind this one, which only {@code get} tells; 0 for a pushed delivery */
    public Delivery(
            long tag,
            boolean redelivered,
            String exchange,
            String routingKey,
            MessageProperties properties,
            byte[] body,
            long messagesLeft) {
        this.tag = tag;
        this.redelivered = redelivered;
        this.exchange = exchange;
        this.routingKey = routingKey;
        this.properties = properties;
        this.body = body.clone();
        this.messagesLeft = messagesLeft;
    }

    /** The delivery tag, valid on the channel it arrived through. */
    public long tag() {
        return tag;
    }

    /** Whether it was handed out before. */
    public boolean isRedelivered() {
        return redelivered;
    }

    /** The exchange it was published to, or dead-lettered to. */
    public String exchange() {
        return exchange;
    }

    /** The routing key it was published with, or dead-lettered with. */
    public String routingKey() {
        return routingKey;
    }

    /** Its properties. */
    public MessageProperties properties() {
        return properties;
    }

    /** A copy of the body. */
    public byte[] body() {
        return body.clone();
    }

    /** The body as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Ready messages left behind it in the queue, for a {@code get}. */
    public long messagesLeft() {
        return messagesLeft;
    }

    @Override
    public String toString() {
        return "Delivery[tag=" + tag + ", redelivered=" + redelivered + ", exchange=" + exchange + ", routingKey="
                + routingKey + ", properties=" + properties + ", text=" + text() + "]";
    }
}
