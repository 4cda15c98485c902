package io.warren.core.store;

import io.warren.core.store.format.FileHeader;
import java.io.IOException;

/** An unknown version is refused, never guessed at. */
public final class Versions {

    private Versions() {}

    /**
     * Refuses a file of another version.
     *
     * @throws IOException for a file that this code does not read
     */
    public static void check(FileHeader header, String location) throws IOException {
        if (header.version() != FileHeader.VERSION) {
            throw new IOException(location + " was written in version " + header.version()
                    + " of the store; this broker knows version " + FileHeader.VERSION + " only");
        }
    }
}
