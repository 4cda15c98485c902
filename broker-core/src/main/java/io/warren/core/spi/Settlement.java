package io.warren.core.spi;

/** Why a message left its queue for good. */
public enum Settlement {
    /** A consumer acknowledged it, or it was handed out without acknowledgement. */
    ACKNOWLEDGED,
    /** A consumer rejected it and no dead letter exchange wanted it. */
    REJECTED,
    /** Its time to live ended and no dead letter exchange wanted it. */
    EXPIRED,
    /** It was dropped from the head to keep a length limit. */
    MAXLEN,
    /** The queue was purged. */
    PURGED,
    /** It was published to the dead letter exchange and every queue there has answered. */
    DEAD_LETTERED
}
