package io.warren.core.store;

import io.warren.core.store.format.FileHeader;
import java.io.IOException;

/** An unknown version is refused, never guessed at. */
final class Versions {

    private Versions() {}

    static void check(FileHeader header, String location) throws IOException {
        if (header.version() != FileHeader.VERSION) {
            throw new IOException(location + " was written in version " + header.version()
                    + " of the store; this broker knows version " + FileHeader.VERSION + " only");
        }
    }
}
