package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.error.Refusals;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Expiration;
import io.warren.core.message.FieldTable;
import io.warren.core.message.FieldType;
import io.warren.core.message.Message;
import io.warren.core.metadata.Exchange;
import io.warren.core.metadata.Permission.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What RabbitMQ looks at before it takes a publish, in its order. */
final class PublishChecks {

    private static final String IMPERSONATOR = "impersonator";

    private final Access access;
    private final String vhost;

    PublishChecks(Access access, String vhost) {
        this.access = access;
        this.vhost = vhost;
    }

    /** What is wrong with a publish, or null. */
    @Nullable AmqpError check(@Nullable Exchange exchange, Message message) {
        AmqpError refusal = access.checkPublish(message.exchange());
        if (refusal != null) {
            return refusal;
        }
        if (exchange == null) {
            return Refusals.noExchange(vhost, message.exchange());
        }
        if (exchange.definition().internal()) {
            return AmqpError.channel(
                    ReplyCode.ACCESS_REFUSED,
                    "cannot publish to internal exchange '" + exchange.name() + "' in vhost '" + vhost + "'");
        }
        refusal = access.checkKey(Operation.WRITE, exchange, message.routingKey());
        return refusal == null ? checkProperties(message) : refusal;
    }

    private @Nullable AmqpError checkProperties(Message message) {
        String userId = message.properties().userId();
        if (userId != null && !userId.equals(access.user()) && !access.hasTag(IMPERSONATOR)) {
            return precondition(
                    "user_id property set to '" + userId + "' but authenticated user was '" + access.user() + "'");
        }
        String expiration = message.properties().expiration();
        String problem = expiration == null ? null : Expiration.problem(expiration);
        if (problem != null) {
            return precondition("invalid expiration '" + expiration + "': " + problem);
        }
        FieldTable headers = message.properties().headers();
        if (headers == null) {
            return null;
        }
        AmqpError copies = checkKeys("CC", headers);
        return copies == null ? checkKeys("BCC", headers) : copies;
    }

    private static @Nullable AmqpError checkKeys(String header, FieldTable headers) {
        if (!headers.has(header) || headers.get(header) instanceof List<?>) {
            return null;
        }
        return precondition("invalid message: {unacceptable_type_in_header,\"" + header + "\","
                + FieldType.nameOf(headers.get(header)) + "}");
    }

    private static AmqpError precondition(String detail) {
        return AmqpError.channel(ReplyCode.PRECONDITION_FAILED, detail);
    }

    /** The message without its BCC header, which nobody is shown, but routed by its keys all the same. */
    static Message withoutBlindCopies(Message message) {
        FieldTable headers = message.properties().headers();
        if (headers == null || !(headers.get("BCC") instanceof List<?> keys)) {
            return message;
        }
        List<String> blind = keys.stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .toList();
        return message.withBlindRoutingKeys(
                blind,
                message.properties().toBuilder().headers(headers.without("BCC")).build());
    }
}
