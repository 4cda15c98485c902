package io.warren.core.store.format;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message as the content of a record: exchange and routing key as short texts, the hidden keys of BCC with an int for
 * their number, flags, the properties the flags name in their order, the body.
 */
public final class MessageCodec {

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

    private MessageCodec() {}

    /** Writes a whole record of a message. */
    public static void write(
            ByteBuffer to, long queueId, long offset, Message message, int priority, long expiresAtMs, int flags) {
        int start = Records.begin(to, RecordKind.PUBLISH, flags, priority, queueId, offset);
        Records.value(to, start, expiresAtMs);
        Texts.putShort(to, message.exchange());
        Texts.putShort(to, message.routingKey());
        List<String> blindKeys = message.blindRoutingKeys();
        to.putInt(blindKeys.size());
        blindKeys.forEach(key -> Texts.putShort(to, key));
        writeProperties(to, message.properties());
        to.put(message.sharedBody());
        Records.end(to, start, message.bodyBytes());
    }

    /** Reads the message of a sound record. */
    public static Message read(ByteBuffer record, int start) {
        int end = start + Records.length(record, start);
        ByteBuffer from = record.duplicate().limit(end).position(start + Records.HEADER_BYTES);
        String exchange = Texts.getShort(from);
        String routingKey = Texts.getShort(from);
        int blindCount = Texts.checkedLength(from, from.getInt());
        List<String> blindKeys = new ArrayList<>();
        for (int i = 0; i < blindCount; i++) {
            blindKeys.add(Texts.getShort(from));
        }
        Properties properties = readProperties(from);
        byte[] body = new byte[Records.bodyBytes(record, start)];
        from.get(body);
        Message message = Message.owning(exchange, routingKey, properties, body);
        return blindKeys.isEmpty() ? message : message.withBlindRoutingKeys(blindKeys, properties);
    }

    private static void writeProperties(ByteBuffer to, Properties from) {
        int flagsAt = to.position();
        to.putShort((short) 0);
        int flags = text(to, CONTENT_TYPE, from.contentType()) | text(to, CONTENT_ENCODING, from.contentEncoding());
        if (from.headers() != null) {
            TableCodec.write(to, from.headersOrEmpty());
            flags |= HEADERS;
        }
        flags |= octet(to, DELIVERY_MODE, from.deliveryMode(), 0) | octet(to, PRIORITY, from.priority(), -1);
        flags |= text(to, CORRELATION_ID, from.correlationId()) | text(to, REPLY_TO, from.replyTo());
        flags |= text(to, EXPIRATION, from.expiration()) | text(to, MESSAGE_ID, from.messageId());
        Instant timestamp = from.timestamp();
        if (timestamp != null) {
            to.putLong(timestamp.getEpochSecond());
            flags |= TIMESTAMP;
        }
        flags |= text(to, TYPE, from.type()) | text(to, USER_ID, from.userId());
        flags |= text(to, APP_ID, from.appId()) | text(to, CLUSTER_ID, from.clusterId());
        to.putShort(flagsAt, (short) flags);
    }

    private static int text(ByteBuffer to, int flag, @Nullable String value) {
        if (value == null) {
            return 0;
        }
        Texts.putShort(to, value);
        return flag;
    }

    private static int octet(ByteBuffer to, int flag, int value, int absent) {
        if (value == absent) {
            return 0;
        }
        to.put((byte) value);
        return flag;
    }

    private static Properties readProperties(ByteBuffer from) {
        int flags = from.getShort() & 0xffff;
        if (flags == 0) {
            return Properties.NONE;
        }
        Properties.Builder to = Properties.builder();
        to.contentType(text(from, flags, CONTENT_TYPE));
        to.contentEncoding(text(from, flags, CONTENT_ENCODING));
        to.headers((flags & HEADERS) == 0 ? null : TableCodec.read(from));
        to.deliveryMode((flags & DELIVERY_MODE) == 0 ? 0 : from.get() & 0xff);
        to.priority((flags & PRIORITY) == 0 ? -1 : from.get() & 0xff);
        to.correlationId(text(from, flags, CORRELATION_ID));
        to.replyTo(text(from, flags, REPLY_TO));
        to.expiration(text(from, flags, EXPIRATION));
        to.messageId(text(from, flags, MESSAGE_ID));
        to.timestamp((flags & TIMESTAMP) == 0 ? null : Instant.ofEpochSecond(from.getLong()));
        to.type(text(from, flags, TYPE));
        to.userId(text(from, flags, USER_ID));
        to.appId(text(from, flags, APP_ID));
        to.clusterId(text(from, flags, CLUSTER_ID));
        return to.build();
    }

    private static @Nullable String text(ByteBuffer from, int flags, int flag) {
        return (flags & flag) == 0 ? null : Texts.getShort(from);
    }
}
