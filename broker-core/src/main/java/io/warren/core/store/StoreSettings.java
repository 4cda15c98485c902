package io.warren.core.store;

import java.util.concurrent.TimeUnit;

/**
 * The sizes a store works with.
 *
 * @param name the broker's, for threads
 * @param fileBytes a log file is finished when it is longer than this
 * @param walBytesMax log files above this are emptied and go, the oldest first: what is consumed while they are younger
 *     is written once
 * @param segmentBytes a segment is finished when it is longer than this
 * @param freeBytesMin free disk below which publishers are blocked
 * @param pendingBytesMax bytes handed in and not yet written at which publishers are held back
 * @param retryNs how long a refused write waits for room before it is tried again
 */
public record StoreSettings(
        String name,
        long fileBytes,
        long walBytesMax,
        long segmentBytes,
        long freeBytesMin,
        long pendingBytesMax,
        long retryNs) {

    private static final long MIB = 1024 * 1024;
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** What a broker gets: files of 64 MiB, at most 256 MiB of log before messages move to segments. */
    public static StoreSettings defaults(String name) {
        return new StoreSettings(name, 64 * MIB, 256 * MIB, 16 * MIB, 50 * MIB, 64 * MIB, RETRY_NS);
    }

    /**
     * The same with log files of another size and another limit of free disk; four log files are kept, and four segments
     * make one.
     *
     * @throws IllegalArgumentException for files below 4 KiB or above 1 GiB: places in them are 32 bits
     */
    public StoreSettings with(long logFileBytes, long diskFreeBytes) {
        if (logFileBytes < 4096 || logFileBytes > 1024 * MIB) {
            throw new IllegalArgumentException("logFileBytes=" + logFileBytes + " is not from 4 KiB to 1 GiB");
        }
        return new StoreSettings(
                name, logFileBytes, 4 * logFileBytes, logFileBytes / 4, diskFreeBytes, pendingBytesMax, retryNs);
    }

    /** Files so small that a short test fills many of them, and no wait for room: a test's disk has it or not. */
    public static StoreSettings small(long fileBytes) {
        return new StoreSettings("test", fileBytes, 2 * fileBytes, fileBytes / 2, 0, 64 * MIB, 0);
    }
}
