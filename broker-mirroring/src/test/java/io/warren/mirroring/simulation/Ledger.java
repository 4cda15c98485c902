package io.warren.mirroring.simulation;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is known of the group within one metadata log. */
final class Ledger {
    private final Lemmas lemmas;
    private final Simulation world;
    private final String group;
    private final long logId;
    /** Every entry ever appended, by name, with the epoch of the one before it. */
    final Map<Position, Seen> seen = new HashMap<>();
    /** Who ordered entries in a reign. */
    final Map<Long, Observed> orderers = new HashMap<>();
    /** The one sequence: what was delivered by anyone, by offset from 1. */
    final List<Entry<Integer>> stable = new ArrayList<>();

    private final Map<Member, Long> lastSequence = new HashMap<>();
    final Map<Long, View> views = new HashMap<>();
    final Set<Named> proposed = new HashSet<>();
    final Map<Named, long[]> reported = new HashMap<>();
    View committed;
    int viewCount;
    /** Who left the in-sync set while it was below the limit, worked out here from the views alone. */
    private final Set<String> leftBelowLimit = new HashSet<>();

    /** A member in an epoch. */
    record Named(long epoch, Member member) {}

    record Seen(Entry<Integer> entry, long previousEpoch) {}

    Ledger(Lemmas lemmas, Simulation world, String group, long logId) {
        this.lemmas = lemmas;
        this.world = world;
        this.group = group;
        this.logId = logId;
    }

    /** Payloads of the sequence as far as it is known to be stable. */
    int payloadCount() {
        return (int) stable.stream().filter(entry -> entry.view() == null).count();
    }

    long last() {
        return stable.size();
    }

    Position at(long offset) {
        return stable.get((int) offset - 1).position();
    }

    /** Position of the last persistent entry that is stable, or null. */
    private Position lastPersistent() {
        for (int i = stable.size() - 1; i >= 0; i--) {
            if (stable.get(i).persistent()) {
                return stable.get(i).position();
            }
        }
        return null;
    }

    /** A founded log goes on from what its founder holds of the sequence. */
    void foundFrom(Ledger old, SimulatedDisk disk) {
        if (old == this) {
            return;
        }
        SimulatedDisk.Image held = disk.image();
        // What it has forgotten comes back if it crashes before that is forced.
        know(old, disk.forced());
        know(old, held);
        for (Entry<Integer> entry : old.stable) {
            if (entry.offset() > held.last() || !held.holds(entry.position())) {
                break;
            }
            stable.add(entry);
            noteSequence(entry);
        }
    }

    /** What the old log has ordered since, under epochs of the same number, has nothing to do with this one. */
    private void know(Ledger old, SimulatedDisk.Image held) {
        int size = held.entries.size();
        for (Entry<Integer> entry : old.historyUpTo(
                size == 0 ? held.base : held.entries.get(size - 1).position())) {
            seen.put(entry.position(), old.seen.get(entry.position()));
            orderers.put(entry.epoch(), old.orderers.get(entry.epoch()));
        }
    }

    void onCommitted(View before, View after, Command command) {
        committed = after;
        lemmas.onChange();
        viewCount++;
        lemmas.require(!views.containsKey(after.epoch()), 1, () -> "two views in epoch " + after.epoch());
        lemmas.require(
                before == null || before.epoch() < after.epoch(), 1, () -> "epoch falls: " + before + " " + after);
        lemmas.require(isWellFormed(after), 1, () -> "not well-formed: " + after);
        views.put(after.epoch(), after);
        noteHolders(before, after);
        if (after.unsynchronised() == after.epoch()) {
            requirePromotionAsLastResort(before, command);
        }
        if (after.up() && after.recovered() == after.epoch()) {
            fallBackToDisk(after);
        } else if (before != null && command instanceof Command.MemberInSync growth) {
            Command.Claim claim = claimOf(growth.claims());
            long epoch = claim.epoch();
            Member member = claim.member();
            lemmas.require(
                    epoch == before.epoch(), 8, () -> "growth decided in " + epoch + " accepted in " + before.epoch());
            lemmas.require(
                    proposed.contains(new Named(epoch, member)), 8, () -> "nobody proposed " + member + " in " + epoch);
        } else if (before != null && before.up() && after.up()) {
            for (Member member : after.inSync()) {
                lemmas.require(before.inSync().contains(member), 8, () -> member + " in sync without a growth");
            }
        }
    }

    /** As the essay has it. */
    private static boolean isWellFormed(View view) {
        boolean ordered = view.unsynchronised() <= view.recovered()
                && view.recovered() <= view.reign()
                && view.reign() <= view.epoch();
        Set<String> inSync = new HashSet<>();
        view.inSync().forEach(member -> inSync.add(member.node()));
        boolean apart = inSync.size() == view.inSync().size()
                && view.others().stream().noneMatch(other -> view.up() && inSync.contains(other.node()))
                && view.kept().stream().noneMatch(inSync::contains);
        return ordered
                && apart
                && (!view.up() || !view.isAtLimit() || view.kept().isEmpty());
    }

    /** Lemma 3: a member that does not hold everything leads only where nobody who does was up, and was named for that. */
    private void requirePromotionAsLastResort(View before, Command command) {
        boolean named = command instanceof Command.Promote promote
                && before != null
                && claimOf(promote.claims()).epoch() == before.epoch();
        lemmas.require(named && !before.up(), 3, () -> "promoted unsynchronised by " + command + " in " + before);
        leftBelowLimit.clear();
    }

    /** Of a command that may name many groups, the part for this one. */
    private Command.Claim claimOf(List<Command.Claim> claims) {
        return claims.stream()
                .filter(claim -> claim.group().equals(group))
                .findFirst()
                .orElseThrow();
    }

    private void noteHolders(View before, View after) {
        if (after.unsynchronised() == after.epoch()) {
            return;
        }
        if (before != null) {
            before.inSync().forEach(member -> leftBelowLimit.add(member.node()));
        }
        after.inSync().forEach(member -> leftBelowLimit.remove(member.node()));
        if (after.inSync().size() >= after.minInSync()) {
            leftBelowLimit.clear();
        }
    }

    /** The nodes that hold everything that was confirmed and persistent. */
    Set<String> holders() {
        Set<String> holders = new HashSet<>(leftBelowLimit);
        committed.inSync().forEach(member -> holders.add(member.node()));
        return holders;
    }

    /** No in-sync member survived: what only memory held may be gone, from the end on; nothing else. */
    private void fallBackToDisk(View after) {
        long common = last();
        for (Member member : after.inSync()) {
            if (!isFollowedBy(world.node(Simulation.number(member.node())))) {
                continue;
            }
            ObservedLog log = logOf(member);
            while (common > 0 && !log.holds(at(common))) {
                common--;
            }
        }
        while (last() > common) {
            Entry<Integer> gone = stable.remove(stable.size() - 1);
            lemmas.require(
                    !gone.persistent() || after.unsynchronised() == after.epoch(),
                    6,
                    () -> "lost when the group came back from disk: " + gone);
        }
        if (after.unsynchronised() == after.epoch()) {
            startAfresh(after.inSync().get(0));
        }
        lastSequence.clear();
        stable.forEach(this::noteSequence);
    }

    /**
     * The guarantee starts afresh with what the promoted member holds. What it delivered or forgot may have been given up by such a
     * promotion before; it delivers none of it again, and hands it on with its state, so from here on it is of the sequence.
     */
    private void startAfresh(Member promoted) {
        if (!isFollowedBy(world.node(Simulation.number(promoted.node())))) {
            return;
        }
        long upTo = Math.max(last(), deliveredBy(promoted));
        List<Entry<Integer>> held = historyUpTo(logOf(promoted).position(upTo));
        stable.clear();
        stable.addAll(held);
    }

    /** Everything up to the entry of this name, forgotten or not: with one name goes one history (lemma 2). */
    private List<Entry<Integer>> historyUpTo(Position last) {
        List<Entry<Integer>> history = new ArrayList<>();
        Position at = last;
        while (at.offset() > 0) {
            Seen known = seen.get(at);
            history.add(known.entry());
            at = new Position(known.previousEpoch(), at.offset() - 1);
        }
        Collections.reverse(history);
        return history;
    }

    /**
     * Whether a node's copy is of this log. A node that goes over to another log sets its copies aside ("going on alone" in the essay),
     * while what it submitted to this one may still be committed: that names it as a holder, and its disk says nothing of it any more.
     */
    private boolean isFollowedBy(SimulatedNode node) {
        return node.store().logId().id() == logId;
    }

    ObservedLog logOf(Member member) {
        SimulatedNode node = world.node(Simulation.number(member.node()));
        SimulatedMember copy = node.copy(group);
        return runs(member) ? copy.process().log : new ObservedLog(copy.disk().image());
    }

    /** What is in a copy's log up to here is not delivered again; whoever starts from disk delivers from its base. */
    private long deliveredBy(Member member) {
        SimulatedNode node = world.node(Simulation.number(member.node()));
        return runs(member)
                ? node.copy(group).process().delivered
                : logOf(member).base.offset();
    }

    private boolean runs(Member member) {
        SimulatedNode node = world.node(Simulation.number(member.node()));
        return node.isAlive() && node.copy(group).process().self.equals(member);
    }

    void noteSequence(Entry<Integer> entry) {
        if (entry.view() == null) {
            lastSequence.put(entry.sender(), entry.sequence());
        }
    }

    /** The sequence has become one longer. */
    void extend(Entry<Integer> entry) {
        if (entry.view() == null) {
            long before = lastSequence.getOrDefault(entry.sender(), 0L);
            boolean follows = entry.sequence() == before + 1;
            boolean afterLoss = committed.recovered() > 0 && entry.sequence() > before;
            lemmas.require(follows || afterLoss, 9, () -> entry + " after sequence " + before);
        }
        noteSequence(entry);
        stable.add(entry);
        lemmas.onChange();
    }

    /** Lemma 6, at every moment. */
    void check() {
        if (committed == null || stable.isEmpty()) {
            return;
        }
        Position last = at(last());
        Position lastPersistent = lastPersistent();
        for (Member member : committed.inSync()) {
            SimulatedNode node = world.node(Simulation.number(member.node()));
            Observed process = node.copy(group).process();
            if (node.isAlive() && process.self.equals(member) && process.logId == logId) {
                lemmas.require(
                        process.log.holds(last),
                        6,
                        () -> member + " is in sync and does not hold " + last + ", which was delivered");
            }
            requireOnDisk(node, lastPersistent, "in-sync");
        }
        for (String kept : committed.kept()) {
            requireOnDisk(world.node(Simulation.number(kept)), lastPersistent, "kept");
        }
    }

    private void requireOnDisk(SimulatedNode node, Position lastPersistent, String as) {
        if (lastPersistent != null && isFollowedBy(node)) {
            lemmas.require(
                    node.copy(group).disk().forced().holds(lastPersistent),
                    6,
                    () -> as + " " + node.name() + " does not hold " + lastPersistent + " on disk");
        }
    }
}
