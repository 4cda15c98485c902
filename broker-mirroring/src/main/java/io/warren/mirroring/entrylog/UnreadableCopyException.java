package io.warren.mirroring.entrylog;

import io.warren.core.store.DamagedStoreException;
import java.io.IOException;

/** A message of one copy cannot be read again: this copy has failed. The log has not. */
final class UnreadableCopyException extends IOException {
    private static final long serialVersionUID = 1;

    UnreadableCopyException(String what) {
        super(what);
    }

    UnreadableCopyException(DamagedStoreException damage) {
        super(damage.getMessage(), damage);
    }
}
