package io.warren.core.queue;

import io.warren.core.spi.Settlement;
import java.util.Locale;

/** Why a message is dead-lettered, as x-death names it. */
public enum DeathReason {
    /** Rejected or nacked without requeue. */
    REJECTED(Settlement.REJECTED),
    /** Its time to live ended. */
    EXPIRED(Settlement.EXPIRED),
    /** A length limit left no room for it. */
    MAXLEN(Settlement.MAXLEN);

    private final String headerValue = name().toLowerCase(Locale.ROOT);
    private final Settlement undelivered;

    DeathReason(Settlement undelivered) {
        this.undelivered = undelivered;
    }

    /** The text in x-death and x-first-death-reason. */
    public String headerValue() {
        return headerValue;
    }

    /** How the message is settled where no dead letter exchange is set. */
    Settlement withoutExchange() {
        return undelivered;
    }
}
