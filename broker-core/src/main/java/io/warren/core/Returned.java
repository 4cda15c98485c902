package io.warren.core;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;

/** A mandatory message that no queue was found for (basic.return, 312 NO_ROUTE). */
public final class Returned {

    private final Message message;

    Returned(Message message) {
        this.message = message;
    }

    /** 312. */
    public int replyCode() {
        return io.warren.core.error.ReplyCode.NO_ROUTE.code();
    }

    /** NO_ROUTE. */
    public String replyText() {
        return io.warren.core.error.ReplyCode.NO_ROUTE.name();
    }

    public String exchange() {
        return message.exchange();
    }

    public String routingKey() {
        return message.routingKey();
    }

    public Properties properties() {
        return message.properties();
    }

    /** A copy of the body. */
    public byte[] body() {
        return message.body();
    }
}
