package io.warren.core.metadata;

/**
 * x-max-length, x-max-length-bytes and x-overflow. Only ready messages and body bytes count.
 *
 * @param countMax most ready messages, or {@link #UNLIMITED}
 * @param bytesMax most body bytes of ready messages, or {@link #UNLIMITED}
 */
public record LengthLimit(long countMax, long bytesMax, Overflow overflow) {

    /** The value for no limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** No limit. */
    public static final LengthLimit NONE = new LengthLimit(UNLIMITED, UNLIMITED, Overflow.DROP_HEAD);

    /** Whether so many ready messages with so many body bytes are too much. */
    public boolean isExceededBy(long count, long bytes) {
        return count > countMax || bytes > bytesMax;
    }
}
