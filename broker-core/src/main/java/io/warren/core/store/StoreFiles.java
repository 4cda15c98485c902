package io.warren.core.store;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * The one directory a store lives in, as the store sees it: a port, so that tests can lose, tear and reorder what a crash
 * may lose, tear and reorder.
 *
 * <p>Names are plain file names. Used by threads of the store only.
 */
public interface StoreFiles {

    /** Names of the files, in no order. */
    List<String> list() throws IOException;

    boolean exists(String name) throws IOException;

    /** A new empty file, for reading and writing; there must be none of that name. */
    StoreFile create(String name) throws IOException;

    /** A file that exists, for reading and writing. */
    StoreFile open(String name) throws IOException;

    /** Gives a file another name, in the place of a file that had it. */
    void rename(String from, String to) throws IOException;

    void delete(String name) throws IOException;

    /** Makes creations, renamings and deletions durable. */
    void forceDirectory() throws IOException;

    /**
     * Keeps other processes out until it is closed.
     *
     * @throws IOException if another process has it
     */
    Closeable lock(String name) throws IOException;

    /** Bytes that can still be written to the disk. */
    long usableBytes() throws IOException;

    /** Where it is, for messages to people. */
    String location(String name);
}
