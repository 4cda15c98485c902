package io.warren.core.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file of a store; safe for one writer and any number of readers. */
public interface StoreFile extends Closeable {

    long size() throws IOException;

    /** Writes all that remains in the buffer. */
    void write(ByteBuffer bytes, long position) throws IOException;

    /** Fills the buffer as far as the file goes; returns how many bytes that were, 0 at its end. */
    int read(ByteBuffer bytes, long position) throws IOException;

    /** Returns when what was written is on the disk, as far as the disk tells the truth. */
    void force() throws IOException;

    /** Cuts the file. */
    void truncate(long size) throws IOException;
}
