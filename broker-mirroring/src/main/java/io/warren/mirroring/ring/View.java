package io.warren.mirroring.ring;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One version of a group: who is in it, in which order, and who holds what.
 *
 * <p>Views are made in one place only, by the metadata's state machine, and replaced as a whole; a ring member never
 * reasons about part of one. While the group is up the ring is {@link #inSync} followed by {@link #others}: age order, so
 * whoever is promoted is always the second of the ring. While it is down (nobody who holds everything is running) the sets
 * say whom the group waits for, and there is no ring.
 *
 * @param logId metadata log that made this view; epochs compare only within one
 * @param epoch number of this view, higher than that of every earlier view of the group in this log
 * @param reign epoch in which the present master was promoted, never above {@code epoch}
 * @param recovered epoch in which the group last had to carry on from what was on disk because no in-sync member had
 *     survived; 0 if that never happened. Transient entries may have gone then, so nobody's knowledge of what is stable
 *     outlives a change of this number
 * @param unsynchronised epoch in which a member that did not hold everything last had to be promoted, because a policy said so; 0
 *     if that never happened. Never above {@code recovered}; what the guarantees say of stable entries starts afresh there
 * @param minInSync least size of the in-sync set at which stable may move, at least 1
 * @param up whether a member that holds everything is running
 * @param inSync members that hold everything that is stable, oldest first; the first is the master while the group is up
 * @param others running members that do not, by the time they joined
 * @param kept nodes that left the in-sync set below the limit and still hold everything that was confirmed on disk
 */
public record View(
        long logId,
        long epoch,
        long reign,
        long recovered,
        long unsynchronised,
        int minInSync,
        boolean up,
        List<Member> inSync,
        List<Member> others,
        List<String> kept) {
    public View {
        inSync = List.copyOf(inSync);
        others = List.copyOf(others);
        kept = List.copyOf(kept);
        if (minInSync < 1) {
            throw new IllegalArgumentException("minInSync=" + minInSync);
        }
        if (unsynchronised > recovered) {
            throw new IllegalArgumentException("unsynchronised=" + unsynchronised + " recovered=" + recovered);
        }
        if (inSync.isEmpty()) {
            throw new IllegalArgumentException("a view without an in-sync member: epoch=" + epoch);
        }
    }

    /** The ring, master first; empty while the group is down. */
    public List<Member> ring() {
        if (!up) {
            return List.of();
        }
        List<Member> ring = new ArrayList<>(inSync.size() + others.size());
        ring.addAll(inSync);
        ring.addAll(others);
        return ring;
    }

    /** The first of the in-sync members, or null while the group is down. */
    public @Nullable Member master() {
        return up ? inSync.get(0) : null;
    }

    /** Whether enough members are in sync for stable to move. */
    public boolean isAtLimit() {
        return inSync.size() >= minInSync;
    }

    @Override
    public String toString() {
        return "view " + epoch + (up ? " reign " + reign + " " : " down ") + inSync + " + " + others
                + (kept.isEmpty() ? "" : " kept " + kept)
                + (unsynchronised == 0 ? "" : " unsynchronised " + unsynchronised);
    }
}
