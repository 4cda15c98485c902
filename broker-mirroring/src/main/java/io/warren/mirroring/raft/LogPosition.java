package io.warren.mirroring.raft;

/**
 * Where a node's copy of the metadata log ends. Of several survivors the one with the highest holds everything that is
 * committed.
 *
 * @param term of the last entry
 * @param index of the last entry
 */
public record LogPosition(long term, long index) implements Comparable<LogPosition> {
    @Override
    public int compareTo(LogPosition other) {
        return term != other.term ? Long.compare(term, other.term) : Long.compare(index, other.index);
    }
}
