package io.warren.core.metadata;

/**
 * How far a de-duplication window reaches back.
 *
 * @param countMax most ids remembered (x-cache-size); the oldest go first
 * @param ageNs how long an id is remembered (x-cache-ttl), or {@link QueueSettings#NO_TTL}
 */
public record DeduplicationLimits(int countMax, long ageNs) {

    /** Where x-cache-size is not given. */
    public static final int COUNT_DEFAULT = 100_000;

    public DeduplicationLimits {
        if (countMax < 1) {
            throw new IllegalArgumentException("countMax=" + countMax + " is not 1 or more");
        }
        if (ageNs < 1) {
            throw new IllegalArgumentException("ageNs=" + ageNs + " is not 1 or more");
        }
    }
}
