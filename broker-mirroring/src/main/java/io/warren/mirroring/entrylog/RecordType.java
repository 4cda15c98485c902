package io.warren.mirroring.entrylog;

import org.jspecify.annotations.Nullable;

/** What a record says. The codes are on disk: they are never used again for something else. */
enum RecordType {
    /** An entry was appended to the ring's log. */
    ENTRY(1),
    /** Entries were cut from the end of the ring's log, from an offset on. */
    CUT(2),
    /** Nobody asks for entries up to an offset again. */
    FORGOTTEN(3),
    /** A message that is not settled, apart from the entry it came in. */
    MESSAGE(4),
    /** All that a copy is, but for messages that stand elsewhere and entries behind its base. */
    STATE(5),
    /** The copy is gone. */
    GONE(6),
    /** Which files there are. */
    FILES(7);

    private final byte code;

    RecordType(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static @Nullable RecordType of(byte code) {
        for (RecordType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return null;
    }
}
