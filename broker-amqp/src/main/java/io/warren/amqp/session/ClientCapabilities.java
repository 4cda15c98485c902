package io.warren.amqp.session;

import io.warren.core.message.FieldTable;
import java.util.Map;

/** What a client says it can take, in the table {@code capabilities} of its properties. */
record ClientCapabilities(boolean authenticationFailureClose, boolean consumerCancelNotify, boolean connectionBlocked) {

    static final ClientCapabilities NONE = new ClientCapabilities(false, false, false);

    static ClientCapabilities of(FieldTable clientProperties) {
        if (!(clientProperties.get("capabilities") instanceof Map<?, ?> capabilities)) {
            return NONE;
        }
        return new ClientCapabilities(
                Boolean.TRUE.equals(capabilities.get("authentication_failure_close")),
                Boolean.TRUE.equals(capabilities.get("consumer_cancel_notify")),
                Boolean.TRUE.equals(capabilities.get("connection.blocked")));
    }
}
