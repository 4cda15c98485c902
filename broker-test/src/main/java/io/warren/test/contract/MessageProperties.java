package io.warren.test.contract;

import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a message, any of which may be missing; immutable, {@code name(value)} gives a changed copy and {@code name()}
 * the value or null.
 *
 * <p>Kept as a table from the property's name to its value, so that equality and printing need no list of fields.
 */
public final class MessageProperties {
    private static final MessageProperties NONE = new MessageProperties(Map.of());

    private final Map<String, Object> values;

    private MessageProperties(Map<String, Object> values) {
        this.values = values;
    }

    /** No property is set. */
    public static MessageProperties none() {
        return NONE;
    }

    /** Delivery mode 2: a durable queue keeps the message over a restart. */
    public static MessageProperties persistent() {
        return NONE.deliveryMode(2);
    }

    /** As given, null removes it. */
    public MessageProperties contentType(@Nullable String value) {
        return with("contentType", value);
    }

    /** MIME type of the body. */
    public @Nullable String contentType() {
        return (String) values.get("contentType");
    }

    /** As given, null removes it. */
    public MessageProperties contentEncoding(@Nullable String value) {
        return with("contentEncoding", value);
    }

    /** MIME encoding of the body. */
    public @Nullable String contentEncoding() {
        return (String) values.get("contentEncoding");
    }

    /** As given, null removes the whole table. */
    public MessageProperties headers(@Nullable Map<String, ? extends @Nullable Object> value) {
        return with("headers", value == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(value)));
    }

    /** With one more header, whose value may be null: AMQP's void. */
    public MessageProperties header(String name, @Nullable Object value) {
        var grown = new HashMap<String, @Nullable Object>();
        Map<String, Object> present = headers();
        if (present != null) {
            grown.putAll(present);
        }
        grown.put(name, value);
        return headers(grown);
    }

    /** The header table, null when the message carries none. */
    @SuppressWarnings("unchecked") // only headers(..) stores under this name
    public @Nullable Map<String, Object> headers() {
        return (Map<String, Object>) values.get("headers");
    }

    /** One header, null when it is missing or void. */
    public @Nullable Object header(String name) {
        Map<String, Object> headers = headers();
        return headers == null ? null : headers.get(name);
    }

    /** The deaths of a dead-lettered message, most recent first; empty when it never died. */
    @SuppressWarnings("unchecked") // the form of x-death; a contract fails loudly when it is another
    public List<Map<String, Object>> deaths() {
        Object deaths = header("x-death");
        return deaths == null ? List.of() : (List<Map<String, Object>>) deaths;
    }

    /** As given, null removes it. */
    public MessageProperties deliveryMode(@Nullable Integer value) {
        return with("deliveryMode", value);
    }

    /** 1 transient, 2 persistent. */
    public @Nullable Integer deliveryMode() {
        return (Integer) values.get("deliveryMode");
    }

    /** As given, null removes it. */
    public MessageProperties priority(@Nullable Integer value) {
        return with("priority", value);
    }

    /** 0 to 255. */
    public @Nullable Integer priority() {
        return (Integer) values.get("priority");
    }

    /** As given, null removes it. */
    public MessageProperties correlationId(@Nullable String value) {
        return with("correlationId", value);
    }

    /** Which request a reply belongs to. */
    public @Nullable String correlationId() {
        return (String) values.get("correlationId");
    }

    /** As given, null removes it. */
    public MessageProperties replyTo(@Nullable String value) {
        return with("replyTo", value);
    }

    /** Where a reply should go. */
    public @Nullable String replyTo() {
        return (String) values.get("replyTo");
    }

    /** As given, null removes it. */
    public MessageProperties expiration(@Nullable String value) {
        return with("expiration", value);
    }

    /** Time to live in milliseconds, as decimal text. */
    public @Nullable String expiration() {
        return (String) values.get("expiration");
    }

    /** As given, null removes it. */
    public MessageProperties messageId(@Nullable String value) {
        return with("messageId", value);
    }

    /** The application's name for the message. */
    public @Nullable String messageId() {
        return (String) values.get("messageId");
    }

    /** As given, null removes it. */
    public MessageProperties timestamp(@Nullable Instant value) {
        return with("timestamp", value);
    }

    /** The application's time of the message, in whole seconds. */
    public @Nullable Instant timestamp() {
        return (Instant) values.get("timestamp");
    }

    /** As given, null removes it. */
    public MessageProperties type(@Nullable String value) {
        return with("type", value);
    }

    /** The application's kind of message. */
    public @Nullable String type() {
        return (String) values.get("type");
    }

    /** As given, null removes it. */
    public MessageProperties userId(@Nullable String value) {
        return with("userId", value);
    }

    /** Who published; the broker checks it. */
    public @Nullable String userId() {
        return (String) values.get("userId");
    }

    /** As given, null removes it. */
    public MessageProperties appId(@Nullable String value) {
        return with("appId", value);
    }

    /** Which application published. */
    public @Nullable String appId() {
        return (String) values.get("appId");
    }

    /** As given, null removes it. */
    public MessageProperties clusterId(@Nullable String value) {
        return with("clusterId", value);
    }

    /** The reserved fourteenth property. */
    public @Nullable String clusterId() {
        return (String) values.get("clusterId");
    }

    private MessageProperties with(String name, @Nullable Object value) {
        var changed = new HashMap<>(values);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return new MessageProperties(changed);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MessageProperties that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
