package io.warren.mirroring.ring;

/**
 * The name of one entry: the epoch of the reign that ordered it, and its offset.
 *
 * <p>A bare offset is ambiguous until the entry is stable, for two masters in a row may each have ordered something there.
 * The pair never is. Pairs compare by epoch first: along one log both numbers only grow, so the order of pairs is the order
 * of entries, and two logs can look for their common point by comparing pairs alone.
 *
 * @param epoch reign of the master that ordered the entry; 0 only in {@link #START}
 * @param offset place in the log; the first entry has offset 1
 */
public record Position(long epoch, long offset) implements Comparable<Position> {

    /** Before the first entry of every log; held by everyone. */
    public static final Position START = new Position(0, 0);

    @Override
    public int compareTo(Position other) {
        int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(offset, other.offset);
    }

    /** Whether this names a later entry than {@code other} does, in any log that could hold both. */
    public boolean isAbove(Position other) {
        return compareTo(other) > 0;
    }

    @Override
    public String toString() {
        return epoch + ":" + offset;
    }
}
