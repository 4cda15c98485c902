package io.warren.test.contract.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.LongString;
import io.warren.test.contract.MessageProperties;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts properties and table values between the contracts' types and the Java client's. */
final class FieldTables {
    private FieldTables() {}

    static Map<String, Object> toClient(Map<String, Object> table) {
        if (table == null) {
            return null;
        }
        var converted = new LinkedHashMap<String, Object>();
        table.forEach((name, value) -> converted.put(name, toClient(value)));
        return converted;
    }

    @SuppressWarnings("unchecked") // tables have text keys
    private static Object toClient(Object value) {
        if (value instanceof Instant instant) {
            return Date.from(instant);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(FieldTables::toClient).toList();
        }
        return value instanceof Map<?, ?> map ? toClient((Map<String, Object>) map) : value;
    }

    static Map<String, Object> fromClient(Map<String, Object> table) {
        if (table == null) {
            return null;
        }
        var converted = new LinkedHashMap<String, Object>();
        table.forEach((name, value) -> converted.put(name, fromClient(value)));
        return converted;
    }

    @SuppressWarnings({"unchecked", "JavaUtilDate"}) // tables have text keys; Date is the library's type
    private static Object fromClient(Object value) {
        if (value instanceof LongString text) {
            return text.toString();
        }
        if (value instanceof Date date) {
            return date.toInstant();
        }
        if (value instanceof List<?> list) {
            return list.stream().map(FieldTables::fromClient).toList();
        }
        return value instanceof Map<?, ?> map ? fromClient((Map<String, Object>) map) : value;
    }

    static AMQP.BasicProperties toClient(MessageProperties from) {
        return new AMQP.BasicProperties.Builder()
                .contentType(from.contentType())
                .contentEncoding(from.contentEncoding())
                .headers(toClient(from.headers()))
                .deliveryMode(from.deliveryMode())
                .priority(from.priority())
                .correlationId(from.correlationId())
                .replyTo(from.replyTo())
                .expiration(from.expiration())
                .messageId(from.messageId())
                .timestamp(from.timestamp() == null ? null : Date.from(from.timestamp()))
                .type(from.type())
                .userId(from.userId())
                .appId(from.appId())
                .clusterId(from.clusterId())
                .build();
    }

    @SuppressWarnings("JavaUtilDate") // the library's type
    static MessageProperties fromClient(AMQP.BasicProperties from) {
        return MessageProperties.none()
                .contentType(from.getContentType())
                .contentEncoding(from.getContentEncoding())
                .headers(fromClient(from.getHeaders()))
                .deliveryMode(from.getDeliveryMode())
                .priority(from.getPriority())
                .correlationId(from.getCorrelationId())
                .replyTo(from.getReplyTo())
                .expiration(from.getExpiration())
                .messageId(from.getMessageId())
                .timestamp(
                        from.getTimestamp() == null ? null : from.getTimestamp().toInstant())
                .type(from.getType())
                .userId(from.getUserId())
                .appId(from.getAppId())
                .clusterId(from.getClusterId());
    }
}
