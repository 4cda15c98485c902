package io.warren.core.message;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The basic properties of a message. Immutable; made with {@link #builder()}.
 *
 * <p>Absent properties are null; an absent delivery mode is 0 and an absent priority is -1. Texts are AMQP short
 * strings: at most 255 bytes.
 */
public final class Properties {

    /** Delivery mode of a message that may be lost with the broker. */
    public static final int TRANSIENT = 1;

    /** Delivery mode of a message that must survive a restart in a durable queue. */
    public static final int PERSISTENT = 2;

    /** No property at all. */
    public static final Properties NONE = builder().build();

    private final @Nullable String contentType;
    private final @Nullable String contentEncoding;
    private final @Nullable FieldTable headers;
    private final int deliveryMode;
    private final int priority;
    private final @Nullable String correlationId;
    private final @Nullable String replyTo;
    private final @Nullable String expiration;
    private final @Nullable String messageId;
    private final @Nullable Instant timestamp;
    private final @Nullable String type;
    private final @Nullable String userId;
    private final @Nullable String appId;
    private final @Nullable String clusterId;

    private Properties(Builder builder) {
        this.contentType = builder.contentType;
        this.contentEncoding = builder.contentEncoding;
        this.headers = builder.headers;
        this.deliveryMode = builder.deliveryMode;
        this.priority = builder.priority;
        this.correlationId = builder.correlationId;
        this.replyTo = builder.replyTo;
        this.expiration = builder.expiration;
        this.messageId = builder.messageId;
        this.timestamp = builder.timestamp;
        this.type = builder.type;
        this.userId = builder.userId;
        this.appId = builder.appId;
        this.clusterId = builder.clusterId;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with these properties. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.contentType = contentType;
        builder.contentEncoding = contentEncoding;
        builder.headers = headers;
        builder.deliveryMode = deliveryMode;
        builder.priority = priority;
        builder.correlationId = correlationId;
        builder.replyTo = replyTo;
        builder.expiration = expiration;
        builder.messageId = messageId;
        builder.timestamp = timestamp;
        builder.type = type;
        builder.userId = userId;
        builder.appId = appId;
        builder.clusterId = clusterId;
        return builder;
    }

    /** MIME type of the body. */
    public @Nullable String contentType() {
        return contentType;
    }

    /** Encoding of the body. */
    public @Nullable String contentEncoding() {
        return contentEncoding;
    }

    public @Nullable FieldTable headers() {
        return headers;
    }

    /** The headers, or the empty table. */
    public FieldTable headersOrEmpty() {
        return headers == null ? FieldTable.EMPTY : headers;
    }

    /** {@link #TRANSIENT}, {@link #PERSISTENT}, another number a client sent, or 0 for none. */
    public int deliveryMode() {
        return deliveryMode;
    }

    public boolean isPersistent() {
        return deliveryMode == PERSISTENT;
    }

    /** 0 to 255, or -1 for none. */
    public int priority() {
        return priority;
    }

    /** What a reply answers. */
    public @Nullable String correlationId() {
        return correlationId;
    }

    /** Queue a reply goes to. */
    public @Nullable String replyTo() {
        return replyTo;
    }

    /** Time to live in milliseconds, as decimal digits. */
    public @Nullable String expiration() {
        return expiration;
    }

    /** The application's id. */
    public @Nullable String messageId() {
        return messageId;
    }

    /** When the application says it made the message; whole seconds. */
    public @Nullable Instant timestamp() {
        return timestamp;
    }

    /** The application's type. */
    public @Nullable String type() {
        return type;
    }

    /** Must be the connection's user where given. */
    public @Nullable String userId() {
        return userId;
    }

    /** The application's name. */
    public @Nullable String appId() {
        return appId;
    }

    /** Deprecated; carried unchanged. */
    public @Nullable String clusterId() {
        return clusterId;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Properties that
                && Objects.equals(contentType, that.contentType)
                && Objects.equals(contentEncoding, that.contentEncoding)
                && Objects.equals(headers, that.headers)
                && deliveryMode == that.deliveryMode
                && priority == that.priority
                && Objects.equals(correlationId, that.correlationId)
                && Objects.equals(replyTo, that.replyTo)
                && Objects.equals(expiration, that.expiration)
                && Objects.equals(messageId, that.messageId)
                && Objects.equals(timestamp, that.timestamp)
                && Objects.equals(type, that.type)
                && Objects.equals(userId, that.userId)
                && Objects.equals(appId, that.appId)
                && Objects.equals(clusterId, that.clusterId);
    }

    @Override
    public int hashCode() {
        return Objects.hash(contentType, headers, deliveryMode, correlationId, messageId);
    }

    @Override
    public String toString() {
        return "Properties[deliveryMode=" + deliveryMode + ", priority=" + priority + ", expiration=" + expiration
                + ", messageId=" + messageId + ", headers=" + headers + "]";
    }

    /** Builds {@link Properties}; each setter checks its value. */
    public static final class Builder {

        private @Nullable String contentType;
        private @Nullable String contentEncoding;
        private @Nullable FieldTable headers;
        private int deliveryMode;
        private int priority = -1;
        private @Nullable String correlationId;
        private @Nullable String replyTo;
        private @Nullable String expiration;
        private @Nullable String messageId;
        private @Nullable Instant timestamp;
        private @Nullable String type;
        private @Nullable String userId;
        private @Nullable String appId;
        private @Nullable String clusterId;

        private Builder() {}

        public Builder contentType(@Nullable String value) {
            contentType = ShortString.checkOptional("contentType", value);
            return this;
        }

        public Builder contentEncoding(@Nullable String value) {
            contentEncoding = ShortString.checkOptional("contentEncoding", value);
            return this;
        }

        /** Replaces the headers; null removes them. */
        public Builder headers(@Nullable FieldTable value) {
            headers = value;
            return this;
        }

        /** Replaces the headers by a copy of the map. */
        public Builder headers(Map<String, ?> value) {
            return headers(FieldTable.of(value));
        }

        /** Adds one header or replaces it. */
        public Builder header(String name, @Nullable Object value) {
            return headers((headers == null ? FieldTable.EMPTY : headers).with(name, value));
        }

        /** Sets the delivery mode: 0 (absent) to 255. */
        public Builder deliveryMode(int value) {
            deliveryMode = octet("deliveryMode", value, 0);
            return this;
        }

        /** Sets delivery mode 2: the message survives a restart in a durable queue. */
        public Builder persistent() {
            return deliveryMode(PERSISTENT);
        }

        /** Sets the priority: 0 to 255, or -1 for none. */
        public Builder priority(int value) {
            priority = octet("priority", value, -1);
            return this;
        }

        public Builder correlationId(@Nullable String value) {
            correlationId = ShortString.checkOptional("correlationId", value);
            return this;
        }

        public Builder replyTo(@Nullable String value) {
            replyTo = ShortString.checkOptional("replyTo", value);
            return this;
        }

        /** Sets the time to live in milliseconds. The broker refuses a text that is not a number when it is published. */
        public Builder expiration(@Nullable String value) {
            expiration = ShortString.checkOptional("expiration", value);
            return this;
        }

        public Builder messageId(@Nullable String value) {
            messageId = ShortString.checkOptional("messageId", value);
            return this;
        }

        public Builder timestamp(@Nullable Instant value) {
            timestamp = value;
            return this;
        }

        public Builder type(@Nullable String value) {
            type = ShortString.checkOptional("type", value);
            return this;
        }

        public Builder userId(@Nullable String value) {
            userId = ShortString.checkOptional("userId", value);
            return this;
        }

        public Builder appId(@Nullable String value) {
            appId = ShortString.checkOptional("appId", value);
            return this;
        }

        public Builder clusterId(@Nullable String value) {
            clusterId = ShortString.checkOptional("clusterId", value);
            return this;
        }

        private static int octet(String what, int value, int absent) {
            if (value < absent || value > 255) {
                throw new IllegalArgumentException(what + "=" + value + " is not from " + absent + " to 255");
            }
            return value;
        }

        public Properties build() {
            return new Properties(this);
        }
    }
}
