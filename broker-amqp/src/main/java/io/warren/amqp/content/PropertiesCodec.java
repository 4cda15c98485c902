package io.warren.amqp.content;

import io.netty.buffer.ByteBuf;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Message properties: 16 flags, then the properties whose flags are set, in the order of the flags.
 *
 * <pre>
 * 15 content-type   14 content-encoding  13 headers     12 delivery-mode  11 priority
 * 10 correlation-id  9 reply-to           8 expiration   7 message-id      6 timestamp
 *  5 type            4 user-id            3 app-id       2 cluster-id      0 more flags follow: refused
 * </pre>
 */
public final class PropertiesCodec {

    private static final int CONTENT_TYPE = 1 << 15;
    private static final int CONTENT_ENCODING = 1 << 14;
    private static final int HEADERS = 1 << 13;
    private static final int DELIVERY_MODE = 1 << 12;
    private static final int PRIORITY = 1 << 11;
    private static final int CORRELATION_ID = 1 << 10;
    private static final int REPLY_TO = 1 << 9;
    private static final int EXPIRATION = 1 << 8;
    private static final int MESSAGE_ID = 1 << 7;
    private static final int TIMESTAMP = 1 << 6;
    private static final int TYPE = 1 << 5;
    private static final int USER_ID = 1 << 4;
    private static final int APP_ID = 1 << 3;
    private static final int CLUSTER_ID = 1 << 2;
    private static final int UNKNOWN = 0b11;

    private PropertiesCodec() {}

    /**
     * Reads properties.
     *
     * @throws io.warren.core.error.AmqpException 502 for flags nobody knows
     * @throws IndexOutOfBoundsException if the buffer ends before they do
     */
    public static Properties read(ByteBuf in) {
        int flags = in.readUnsignedShort();
        if (flags == 0) {
            return Properties.NONE;
        }
        if ((flags & UNKNOWN) != 0) {
            throw Malformed.syntax("unknown property flags " + flags);
        }
        Properties.Builder to = Properties.builder();
        to.contentType(text(in, flags, CONTENT_TYPE));
        to.contentEncoding(text(in, flags, CONTENT_ENCODING));
        to.headers((flags & HEADERS) == 0 ? null : FieldTableCodec.read(in));
        to.deliveryMode((flags & DELIVERY_MODE) == 0 ? 0 : in.readUnsignedByte());
        to.priority((flags & PRIORITY) == 0 ? -1 : in.readUnsignedByte());
        to.correlationId(text(in, flags, CORRELATION_ID));
        to.replyTo(text(in, flags, REPLY_TO));
        to.expiration(text(in, flags, EXPIRATION));
        to.messageId(text(in, flags, MESSAGE_ID));
        to.timestamp((flags & TIMESTAMP) == 0 ? null : FieldTableCodec.readTimestamp(in));
        to.type(text(in, flags, TYPE));
        to.userId(text(in, flags, USER_ID));
        to.appId(text(in, flags, APP_ID));
        to.clusterId(text(in, flags, CLUSTER_ID));
        return to.build();
    }

    private static @Nullable String text(ByteBuf in, int flags, int flag) {
        return (flags & flag) == 0 ? null : Strings.readShort(in);
    }

    /** Writes properties. */
    public static void write(ByteBuf out, Properties from) {
        int flagsIndex = out.writerIndex();
        out.writeShort(0);
        int flags = text(out, CONTENT_TYPE, from.contentType());
        flags |= text(out, CONTENT_ENCODING, from.contentEncoding());
        flags |= headers(out, from.headers());
        flags |= octet(out, DELIVERY_MODE, from.deliveryMode(), 0);
        flags |= octet(out, PRIORITY, from.priority(), -1);
        flags |= text(out, CORRELATION_ID, from.correlationId());
        flags |= text(out, REPLY_TO, from.replyTo());
        flags |= text(out, EXPIRATION, from.expiration());
        flags |= text(out, MESSAGE_ID, from.messageId());
        flags |= timestamp(out, from.timestamp());
        flags |= text(out, TYPE, from.type());
        flags |= text(out, USER_ID, from.userId());
        flags |= text(out, APP_ID, from.appId());
        flags |= text(out, CLUSTER_ID, from.clusterId());
        out.setShort(flagsIndex, flags);
    }

    private static int text(ByteBuf out, int flag, @Nullable String value) {
        if (value == null) {
            return 0;
        }
        Strings.writeShort(out, value);
        return flag;
    }

    private static int headers(ByteBuf out, @Nullable FieldTable headers) {
        if (headers == null) {
            return 0;
        }
        FieldTableCodec.write(out, headers);
        return HEADERS;
    }

    private static int octet(ByteBuf out, int flag, int value, int absent) {
        if (value == absent) {
            return 0;
        }
        out.writeByte(value);
        return flag;
    }

    private static int timestamp(ByteBuf out, @Nullable Instant time) {
        if (time == null) {
            return 0;
        }
        out.writeLong(time.getEpochSecond());
        return TIMESTAMP;
    }
}
