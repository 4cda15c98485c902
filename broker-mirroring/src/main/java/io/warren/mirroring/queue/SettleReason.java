package io.warren.mirroring.queue;

import io.warren.core.spi.Settlement;

/** Why a settle entry's messages are gone, as the other members are told. The codes are on the wire and on disk. */
public enum SettleReason {
    /** A consumer acknowledged it, or it was handed out without acknowledgement. */
    ACKNOWLEDGED(1),
    /** A consumer rejected it and no dead letter exchange wanted it. */
    REJECTED(2),
    /** Its time to live ended and no dead letter exchange wanted it. */
    EXPIRED(3),
    /** It was dropped from the head to keep a length limit. */
    MAXLEN(4),
    /** The queue was purged. */
    PURGED(5),
    /** It was published to the dead letter exchange and every queue there has answered. */
    DEAD_LETTERED(6),
    /** It was transient, and no in-sync member had survived. */
    NOT_KEPT(7);

    private final byte code;

    SettleReason(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static SettleReason of(Settlement settlement) {
        return switch (settlement) {
            case ACKNOWLEDGED -> ACKNOWLEDGED;
            case REJECTED -> REJECTED;
            case EXPIRED -> EXPIRED;
            case MAXLEN -> MAXLEN;
            case PURGED -> PURGED;
            case DEAD_LETTERED -> DEAD_LETTERED;
        };
    }

    static SettleReason of(byte code) {
        for (SettleReason reason : values()) {
            if (reason.code == code) {
                return reason;
            }
        }
        throw new IllegalArgumentException("reason=" + code + " is none of a settle entry");
    }
}
