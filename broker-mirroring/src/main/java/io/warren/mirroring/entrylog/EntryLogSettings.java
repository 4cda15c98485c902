package io.warren.mirroring.entrylog;

import java.util.concurrent.TimeUnit;

/**
 * The sizes a log of entries works with.
 *
 * @param name the node's, for threads
 * @param fileBytes a file is finished when it is longer than this
 * @param idleBytesMax bytes of finished files up to which nothing is reclaimed: what is settled while its file is younger is written once.
 *     Above that it is as much again as what is still needed
 * @param retryNs how long a refused write waits for room before it is tried again; 0 for a disk that has it or not
 */
public record EntryLogSettings(String name, long fileBytes, long idleBytesMax, long retryNs) {
    private static final long MIB = 1024 * 1024;
    private static final long FILE_BYTES_MAX = 1024 * MIB;

    public EntryLogSettings {
        if (fileBytes < 1 || fileBytes > FILE_BYTES_MAX) {
            throw new IllegalArgumentException("fileBytes=" + fileBytes + " is not from 1 B to 1 GiB");
        }
    }

    /** What a node gets: files of 16 MiB, 128 MiB before anything is reclaimed. */
    public static EntryLogSettings defaults(String name) {
        return new EntryLogSettings(name, 16 * MIB, 128 * MIB, TimeUnit.MILLISECONDS.toNanos(500));
    }
}
