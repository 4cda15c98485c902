package io.warren.core.message;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A published message: where it was published to, its properties and its body. Immutable.
 *
 * <p>One object stands in every queue it was routed to. The body array belongs to the broker: {@link #body()} copies
 * it, {@link #bodyBuffer()} shows it read-only.
 */
public final class Message {

    /** Message, properties, slot and offset, measured on a 64-bit JVM with compressed references. */
    private static final int FIXED_BYTES = 160;

    /** A header's name, value and map entry, by estimate. */
    private static final int HEADER_BYTES = 120;

    private final String exchange;
    private final String routingKey;
    private final Properties properties;
    private final byte[] body;
    private final @Nullable List<String> blindRoutingKeys;

    private Message(
            String exchange,
            String routingKey,
            Properties properties,
            byte[] body,
            @Nullable List<String> blindRoutingKeys) {
        this.exchange = exchange;
        this.routingKey = routingKey;
        this.properties = properties;
        this.body = body;
        this.blindRoutingKeys = blindRoutingKeys;
    }

    /** A message around a copy of the body. */
    public static Message copyOf(String exchange, String routingKey, Properties properties, byte[] body) {
        return new Message(exchange, routingKey, properties, body.clone(), null);
    }

    /** A message that takes the array over: for transports that made it themselves and never touch it again. */
    public static Message owning(String exchange, String routingKey, Properties properties, byte[] body) {
        return new Message(exchange, routingKey, properties, body, null);
    }

    /** The exchange it was last published to; the dead letter exchange after it died. */
    public String exchange() {
        return exchange;
    }

    public String routingKey() {
        return routingKey;
    }

    public Properties properties() {
        return properties;
    }

    /** Bytes of the body. */
    public int bodyBytes() {
        return body.length;
    }

    /**
     * Bytes a queue is charged for the message: its body, its headers by estimate, and {@value #FIXED_BYTES} for the
     * objects around them.
     */
    public long memoryBytes() {
        FieldTable headers = properties.headers();
        long headerBytes = headers == null ? 0 : (long) headers.asMap().size() * HEADER_BYTES;
        return FIXED_BYTES + headerBytes + body.length;
    }

    /** A copy of the body. */
    public byte[] body() {
        return body.clone();
    }

    /** The body, read-only and not copied. */
    public ByteBuffer bodyBuffer() {
        return ByteBuffer.wrap(body).asReadOnlyBuffer();
    }

    /** The body itself: for transports, which read it and never change it. */
    public byte[] sharedBody() {
        return body;
    }

    /** Keys of the BCC header, which nobody is shown: a message that dies is routed by them again. */
    public List<String> blindRoutingKeys() {
        return blindRoutingKeys == null ? List.of() : blindRoutingKeys;
    }

    /** This message without its BCC header, routed by those keys all the same. */
    public Message withBlindRoutingKeys(List<String> keys, Properties withoutHeader) {
        return new Message(exchange, routingKey, withoutHeader, body, keys.isEmpty() ? null : List.copyOf(keys));
    }

    /** The same body under another exchange, key and properties; the body is shared. */
    public Message republished(String newExchange, String newRoutingKey, Properties newProperties) {
        return new Message(newExchange, newRoutingKey, newProperties, body, blindRoutingKeys);
    }

    @Override
    public String toString() {
        return "Message[exchange=" + exchange + ", routingKey=" + routingKey + ", " + body.length + " bytes]";
    }
}
