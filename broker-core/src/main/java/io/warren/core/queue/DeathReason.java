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

    /**
     * The one that is settled in this way without a dead letter exchange.
     *
     * @throws IllegalArgumentException if nothing dies so
     */
    public static DeathReason of(Settlement undelivered) {
        for (DeathReason reason : values()) {
            if (reason.undelivered == undelivered) {
                return reason;
            }
        }
        throw new IllegalArgumentException("settlement=" + undelivered + " is no reason to be dead-lettered");
    }

    /** The text in x-death and x-first-death-reason. */
    public String headerValue() {
        return headerValue;
    }

    /** How the message is settled where no dead letter exchange is set. */
    public Settlement withoutExchange() {
        return undelivered;
    }
}
