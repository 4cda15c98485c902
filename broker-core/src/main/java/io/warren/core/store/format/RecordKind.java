package io.warren.core.store.format;

import org.jspecify.annotations.Nullable;

/** What a record says. The codes are on disk: they are never used again for something else. */
public enum RecordKind {
    /** A message came. */
    PUBLISH(1),
    /** Messages are gone, as ranges of offsets. */
    SETTLE(2),
    /** Everything of a priority up to an offset may have been seen by a consumer. */
    HANDED_OUT(3),
    /** Everything below an offset is gone, but for some. */
    PURGE(4),
    /** All that is known of a queue but for the messages in younger log files: its segments and marks. */
    QUEUE_STATE(5),
    /** A command of the topology. */
    COMMAND(6);

    private final byte code;

    RecordKind(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static @Nullable RecordKind of(byte code) {
        for (RecordKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        return null;
    }
}
