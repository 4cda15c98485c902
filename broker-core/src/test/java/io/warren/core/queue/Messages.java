package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;

/** Messages a test knows by name: their routing key. */
final class Messages {

    static final int BODY_BYTES = 10;

    private Messages() {}

    static Message message(String name) {
        return message(name, Properties.NONE);
    }

    static Message message(String name, Properties properties) {
        return Message.owning("x", name, properties, new byte[BODY_BYTES]);
    }

    static Message ofBytes(String name, int bodyBytes) {
        return Message.owning("x", name, Properties.NONE, new byte[bodyBytes]);
    }

    static Message expiring(String name, long ttlMs) {
        return message(
                name, Properties.builder().expiration(Long.toString(ttlMs)).build());
    }

    static Message ofPriority(String name, int priority) {
        return message(name, Properties.builder().priority(priority).build());
    }

    static Message identified(String name, String id) {
        return message(name, Properties.builder().messageId(id).build());
    }
}
