package io.warren.test.contract.invm;

import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.test.contract.MessageProperties;

/** Properties in the contracts' words and in Warren's. */
final class InVmProperties {

    private InVmProperties() {}

    static Properties toWarren(MessageProperties from) {
        Properties.Builder to = Properties.builder()
                .contentType(from.contentType())
                .contentEncoding(from.contentEncoding())
                .headers(from.headers() == null ? null : FieldTable.of(from.headers()))
                .correlationId(from.correlationId())
                .replyTo(from.replyTo())
                .expiration(from.expiration())
                .messageId(from.messageId())
                .timestamp(from.timestamp())
                .type(from.type())
                .userId(from.userId())
                .appId(from.appId())
                .clusterId(from.clusterId());
        if (from.deliveryMode() != null) {
            to.deliveryMode(from.deliveryMode());
        }
        if (from.priority() != null) {
            to.priority(from.priority());
        }
        return to.build();
    }

    static MessageProperties fromWarren(Properties from) {
        return MessageProperties.none()
                .contentType(from.contentType())
                .contentEncoding(from.contentEncoding())
                .headers(from.headers() == null ? null : from.headers().asMap())
                .deliveryMode(from.deliveryMode() == 0 ? null : from.deliveryMode())
                .priority(from.priority() < 0 ? null : from.priority())
                .correlationId(from.correlationId())
                .replyTo(from.replyTo())
                .expiration(from.expiration())
                .messageId(from.messageId())
                .timestamp(from.timestamp())
                .type(from.type())
                .userId(from.userId())
                .appId(from.appId())
                .clusterId(from.clusterId());
    }
}
