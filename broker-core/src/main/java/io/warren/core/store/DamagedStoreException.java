package io.warren.core.store;

import java.io.IOException;

/** Bytes that had been forced to the disk are not what was written: the store is not started on them. */
public final class DamagedStoreException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * @param file where the damage is
     * @param position the first byte that cannot be trusted
     */
    DamagedStoreException(String file, long position, String what) {
        this(
                file,
                position,
                what,
                "Restore the directory from a copy, or write out what can be read with"
                        + " io.warren.core.store.Salvage DIRECTORY TARGET");
    }

    /**
     * @param file where the damage is
     * @param position the first byte that cannot be trusted
     * @param remedy what somebody can do, as a sentence without its full stop
     */
    public DamagedStoreException(String file, long position, String what, String remedy) {
        super(file + " is damaged at byte " + position + ": " + what + ". Nothing was changed. " + remedy);
    }
}
