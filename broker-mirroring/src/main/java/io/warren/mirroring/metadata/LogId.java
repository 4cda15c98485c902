package io.warren.mirroring.metadata;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The identity of a metadata log, with those it descends from.
 *
 * <p>A log gets a new identity when it is founded anew without a majority: whoever founded it may not know what the others have
 * committed since, so epochs of the two compare no more. The line of descent decides when they meet.
 *
 * @param id number of this log, drawn by its founder
 * @param ancestors the logs it was founded from, oldest first; empty for the first log of a cluster
 * @param founderJoined place of its founder in the order in which nodes joined the cluster; 0 for the first log
 */
public record LogId(long id, List<Long> ancestors, long founderJoined) {
    public LogId {
        ancestors = List.copyOf(ancestors);
        if (ancestors.contains(id)) {
            throw new IllegalArgumentException("id=" + id + " is its own ancestor");
        }
    }

    /** The first log of a cluster. */
    public static LogId first(long id) {
        return new LogId(id, List.of(), 0);
    }

    /** The identity of a log founded from this one. */
    public LogId found(long newId, long founderJoined) {
        List<Long> line = new ArrayList<>(ancestors);
        line.add(id);
        return new LogId(newId, line, founderJoined);
    }

    /** Whether both are logs of one cluster: one descends from the other, or both from a third. */
    public boolean isRelatedTo(LogId other) {
        Set<Long> line = new HashSet<>(ancestors);
        line.add(id);
        return line.contains(other.id) || other.ancestors.stream().anyMatch(line::contains);
    }

    /**
     * Whether, when the two meet, this one stays: a founded log wins over every log it descends from; of two founded apart, that
     * of the node that joined the cluster first.
     */
    public boolean winsOver(LogId other) {
        if (ancestors.contains(other.id)) {
            return true;
        }
        if (other.ancestors.contains(id) || id == other.id) {
            return false;
        }
        if (founderJoined != other.founderJoined) {
            return founderJoined < other.founderJoined;
        }
        return id < other.id;
    }
}
