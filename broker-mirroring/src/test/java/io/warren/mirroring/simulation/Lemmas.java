package io.warren.mirroring.simulation;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The lemmas of the ring's essay, checked from outside, for one group.
 *
 * <p>It sees what members put out and what frames and views go in, keeps logs of its own from that, and asks the disks, which
 * belong to the simulation. It never calls the code it checks. Views are taken as data.
 */
final class Lemmas {
    /** Three heartbeat periods. */
    private static final long LEASE_NS = 3 * SimulatedNode.PERIOD_NS;

    private final Simulation world;
    private final String group;
    private final Map<Long, Ledger> ledgers = new LinkedHashMap<>();
    private long checks;
    /** Whether anything that lemma 6 speaks of has changed since it was last checked. */
    private boolean changed;

    Lemmas(Simulation world, String group) {
        this.world = world;
        this.group = group;
    }

    long checks() {
        return checks;
    }

    /** Views committed, in all logs. */
    int viewCount() {
        return ledgers.values().stream().mapToInt(ledger -> ledger.viewCount).sum();
    }

    Ledger ledger(long logId) {
        return ledgers.computeIfAbsent(logId, Ledger::new);
    }

    void require(boolean holds, int lemma, Supplier<String> message) {
        checks++;
        if (!holds) {
            throw new LemmaBroken(lemma, message.get());
        }
    }

    /** What is known of the group within one metadata log. */
    final class Ledger {
        private final long logId;
        /** Every entry ever appended, by name, with the epoch of the one before it. */
        private final Map<Position, Seen> seen = new HashMap<>();
        /** Who ordered entries in a reign. */
        private final Map<Long, Observed> orderers = new HashMap<>();
        /** The one sequence: what was delivered by anyone, by offset from 1. */
        private final List<Entry<Integer>> stable = new ArrayList<>();

        private final Map<Member, Long> lastSequence = new HashMap<>();
        private final Map<Long, View> views = new HashMap<>();
        private final Set<Named> proposed = new HashSet<>();
        private final Map<Named, long[]> reported = new HashMap<>();
        private View committed;
        private int viewCount;
        /** Who left the in-sync set while it was below the limit, worked out here from the views alone. */
        private final Set<String> leftBelowLimit = new HashSet<>();

        /** A member in an epoch. */
        private record Named(long epoch, Member member) {}

        private record Seen(Entry<Integer> entry, long previousEpoch) {}

        Ledger(long logId) {
            this.logId = logId;
        }

        View committed() {
            return committed;
        }

        /** Payloads of the sequence as far as it is known to be stable. */
        int payloadCount() {
            return (int) stable.stream().filter(entry -> entry.view() == null).count();
        }

        private long last() {
            return stable.size();
        }

        private Position at(long offset) {
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
            for (Entry<Integer> entry : held.entries) {
                seen.put(entry.position(), old.seen.get(entry.position()));
                orderers.put(entry.epoch(), old.orderers.get(entry.epoch()));
            }
        }

        private void onCommitted(View before, View after, Command command) {
            committed = after;
            changed = true;
            viewCount++;
            require(!views.containsKey(after.epoch()), 1, () -> "two views in epoch " + after.epoch());
            require(before == null || before.epoch() < after.epoch(), 1, () -> "epoch falls: " + before + " " + after);
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
                require(
                        epoch == before.epoch(),
                        8,
                        () -> "growth decided in " + epoch + " accepted in " + before.epoch());
                require(
                        proposed.contains(new Named(epoch, member)),
                        8,
                        () -> "nobody proposed " + member + " in " + epoch);
            } else if (before != null && before.up() && after.up()) {
                for (Member member : after.inSync()) {
                    require(before.inSync().contains(member), 8, () -> member + " in sync without a growth");
                }
            }
        }

        /** Lemma 3: a member that does not hold everything leads only where nobody who does was up, and was named for that. */
        private void requirePromotionAsLastResort(View before, Command command) {
            boolean named = command instanceof Command.Promote promote
                    && before != null
                    && claimOf(promote.claims()).epoch() == before.epoch();
            require(named && !before.up(), 3, () -> "promoted unsynchronised by " + command + " in " + before);
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
                Log log = logOf(member);
                while (common > 0 && !log.holds(at(common))) {
                    common--;
                }
            }
            while (last() > common) {
                Entry<Integer> gone = stable.remove(stable.size() - 1);
                require(
                        !gone.persistent() || after.unsynchronised() == after.epoch(),
                        6,
                        () -> "lost when the group came back from disk: " + gone);
            }
            lastSequence.clear();
            stable.forEach(this::noteSequence);
        }

        private Log logOf(Member member) {
            SimulatedNode node = world.node(Simulation.number(member.node()));
            SimulatedMember copy = node.copy(group);
            if (node.isAlive() && copy.process().self.equals(member)) {
                return copy.process().log;
            }
            return new Log(copy.disk().image());
        }

        private void noteSequence(Entry<Integer> entry) {
            if (entry.view() == null) {
                lastSequence.put(entry.sender(), entry.sequence());
            }
        }

        /** The sequence has become one longer. */
        private void extend(Entry<Integer> entry) {
            if (entry.view() == null) {
                long before = lastSequence.getOrDefault(entry.sender(), 0L);
                boolean follows = entry.sequence() == before + 1;
                boolean afterLoss = committed.recovered() > 0 && entry.sequence() > before;
                require(follows || afterLoss, 9, () -> entry + " after sequence " + before);
            }
            noteSequence(entry);
            stable.add(entry);
            changed = true;
        }

        /** Lemma 6, at every moment. */
        private void check() {
            if (committed == null || stable.isEmpty()) {
                return;
            }
            Position last = at(last());
            Position lastPersistent = lastPersistent();
            for (Member member : committed.inSync()) {
                SimulatedNode node = world.node(Simulation.number(member.node()));
                Observed process = node.copy(group).process();
                if (node.isAlive() && process.self.equals(member) && process.logId == logId) {
                    require(
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
            if (lastPersistent != null && node.store().logId().id() == logId) {
                require(
                        node.copy(group).disk().forced().holds(lastPersistent),
                        6,
                        () -> as + " " + node.name() + " does not hold " + lastPersistent + " on disk");
            }
        }
    }

    /** A log as the observer has pieced it together. */
    static final class Log {
        private Position base;
        private final List<Entry<Integer>> entries = new ArrayList<>();

        Log(SimulatedDisk.Image image) {
            base = image.base;
            entries.addAll(image.entries);
        }

        long last() {
            return base.offset() + entries.size();
        }

        int size() {
            return entries.size();
        }

        Entry<Integer> at(long offset) {
            return entries.get((int) (offset - base.offset() - 1));
        }

        Position position(long offset) {
            return offset == base.offset() ? base : at(offset).position();
        }

        boolean holds(Position position) {
            return (position.offset() < base.offset() && position.epoch() <= base.epoch())
                    || (position.offset() >= base.offset()
                            && position.offset() <= last()
                            && position(position.offset()).equals(position));
        }
    }

    /** One process of a member, as seen from outside. */
    final class Observed {
        private final SimulatedMember copy;
        private final SimulatedNode node;
        private final Member self;
        private final long logId;
        private final Ledger ledger;
        private final Log log;
        private View view;
        private long delivered;
        private long stable;
        private long spokenEpoch;
        private Frame<Integer> foreign;

        private Observed(SimulatedMember copy, Member self, SimulatedNode node, long logId, SimulatedDisk.Image image) {
            this.copy = copy;
            this.node = node;
            this.self = self;
            this.logId = logId;
            ledger = ledger(logId);
            log = new Log(image);
            delivered = image.base.offset();
            stable = delivered;
        }

        boolean isMaster() {
            return view != null && self.equals(view.master());
        }

        long delivered() {
            return delivered;
        }

        long stable() {
            return stable;
        }

        Log log() {
            return log;
        }

        /** Lemma 7: nothing may come of a frame of another log or epoch. */
        void beforeFrame(Frame<Integer> frame) {
            foreign = frame.logId() != logId || view == null || frame.epoch() != view.epoch() ? frame : null;
        }

        void afterFrame() {
            foreign = null;
        }

        private void requireNoForeign(String effect) {
            require(foreign == null, 7, () -> self + " " + effect + " because of " + foreign);
        }

        void onSend(Frame<Integer> frame) {
            requireNoForeign("sends");
            require(frame.epoch() >= spokenEpoch, 1, () -> self + " speaks in an older epoch: " + frame);
            spokenEpoch = frame.epoch();
            if (frame instanceof Frame.Have<Integer> have
                    && view != null
                    && view.ring().contains(self)) {
                onReported(have, have.memberCount() - 1);
            } else if (frame instanceof Frame.Append<Integer> append) {
                require(append.forget() <= append.stable(), 13, () -> self + " lets forget above stable: " + append);
            }
        }

        /** What a member says of itself has to be true. */
        private void onReported(Frame.Have<Integer> have, int place) {
            long durable = have.durable(place);
            require(have.received(place) <= log.last(), 5, () -> self + " reports more than it holds: " + have);
            long[] best = ledger.reported.computeIfAbsent(new Ledger.Named(have.epoch(), self), unused -> new long[2]);
            best[0] = Math.max(best[0], have.received(place));
            best[1] = Math.max(best[1], durable);
            requireForced(durable, "reports durable");
        }

        private void requireForced(long offset, String what) {
            for (long at = Math.min(offset, log.last()); at > log.base.offset(); at--) {
                Entry<Integer> entry = log.at(at);
                if (entry.persistent()) {
                    require(
                            copy.disk().forced().holds(entry.position()),
                            5,
                            () -> self + " " + what + " " + offset + " and has not forced " + entry);
                    return;
                }
            }
        }

        void onAppend(Entry<Integer> entry) {
            requireNoForeign("appends");
            require(entry.offset() == log.last() + 1, 2, () -> self + " leaves a hole before " + entry);
            long previousEpoch = log.position(log.last()).epoch();
            Ledger.Seen known = ledger.seen.get(entry.position());
            if (known == null) {
                onOrdered(entry);
                ledger.seen.put(entry.position(), new Ledger.Seen(entry, previousEpoch));
            } else {
                require(
                        known.entry().equals(entry),
                        2,
                        () -> self + " appends " + entry + ", known is " + known.entry());
                require(
                        known.previousEpoch() == previousEpoch,
                        2,
                        () -> self + " appends " + entry + " after epoch " + previousEpoch + ", others after "
                                + known.previousEpoch());
            }
            log.entries.add(entry);
        }

        /** A new entry: only the master of its reign makes one, the first of a reign is its view, and the window limits it. */
        private void onOrdered(Entry<Integer> entry) {
            Observed orderer = ledger.orderers.putIfAbsent(entry.epoch(), this);
            require(orderer == null || orderer == this, 1, () -> self + " orders " + entry + " in another's reign");
            require(isMaster() && view.reign() == entry.epoch(), 1, () -> self + " orders " + entry + " in " + view);
            if (entry.view() != null) {
                require(orderer == null, 3, () -> self + " opens its reign twice: " + entry);
                require(entry.view().epoch() <= view.epoch(), 3, () -> "a view from nowhere: " + entry);
            } else {
                require(orderer != null, 3, () -> self + " orders " + entry + " before its view");
                long bytes = bytesAboveStable();
                require(bytes < world.options().windowBytes(), 11, () -> self + " orders above its window: " + bytes);
            }
        }

        private long bytesAboveStable() {
            long bytes = 0;
            for (long at = Math.max(stable, log.base.offset()) + 1; at <= log.last(); at++) {
                bytes += log.at(at).bytes();
            }
            return bytes;
        }

        void onCut(long from) {
            requireNoForeign("cuts");
            for (long at = from; at <= Math.min(delivered, log.last()); at++) {
                Entry<Integer> entry = log.at(at);
                boolean allowed =
                        entry.persistent() ? ledger.committed.unsynchronised() > 0 : ledger.committed.recovered() > 0;
                require(allowed, 4, () -> self + " cuts what it delivered: " + entry);
            }
            require(from > log.base.offset(), 4, () -> self + " cuts what it forgot, from " + from);
            delivered = Math.min(delivered, from - 1);
            changed = true;
            while (log.last() >= from) {
                log.entries.remove(log.entries.size() - 1);
            }
        }

        void onForget(long offset) {
            requireNoForeign("forgets");
            require(offset <= delivered, 4, () -> self + " forgets " + offset + " before it delivered it");
            while (log.base.offset() < offset) {
                log.base = log.entries.remove(0).position();
            }
        }

        void onStable(long offset) {
            requireNoForeign("counts");
            require(offset > stable, 5, () -> self + ": stable falls from " + stable + " to " + offset);
            stable = offset;
            if (!isMaster()) {
                return;
            }
            require(view.isAtLimit(), 6, () -> self + " counts below the limit: " + view);
            requireForced(offset, "counts");
            for (Member member : view.ring()) {
                boolean counted = view.inSync().contains(member)
                        || ledger.proposed.contains(new Ledger.Named(view.epoch(), member));
                if (counted && !member.equals(self)) {
                    long[] best = ledger.reported.get(new Ledger.Named(view.epoch(), member));
                    require(
                            best != null && best[1] >= offset,
                            view.inSync().contains(member) ? 5 : 8,
                            () -> self + " counts " + offset + ", which " + member + " did not report in " + view);
                }
            }
        }

        void onDeliver(Entry<Integer> entry) {
            require(entry.view() == null, 4, () -> self + " delivers a view as a payload: " + entry);
            deliver(entry);
        }

        void onViewInstalled(View installed, long offset) {
            require(offset <= log.last(), 4, () -> self + " installs a view where it holds nothing: " + offset);
            Entry<Integer> entry = log.at(offset);
            require(installed.equals(entry.view()), 4, () -> self + " installs " + installed + " at " + entry);
            deliver(entry);
        }

        private void deliver(Entry<Integer> entry) {
            requireNoForeign("delivers");
            long offset = entry.offset();
            require(offset == delivered + 1, 4, () -> self + " delivers " + entry + " after offset " + delivered);
            require(offset <= stable, 4, () -> self + " delivers " + entry + " above stable " + stable);
            require(log.holds(entry.position()), 4, () -> self + " delivers what it does not hold: " + entry);
            delivered = offset;
            boolean fallenBehind = view.recovered() < ledger.committed.recovered();
            boolean givenUp = view.unsynchronised() < ledger.committed.unsynchronised();
            if (offset <= ledger.last()) {
                boolean same = ledger.at(offset).equals(entry.position());
                require(
                        same || givenUp || (fallenBehind && !entry.persistent()),
                        4,
                        () -> self + " delivers " + entry + ", others " + ledger.stable.get((int) offset - 1));
            } else if (!fallenBehind) {
                require(isMaster(), 4, () -> self + " delivers " + entry + " before its master counted it");
                require(offset == ledger.last() + 1, 4, () -> self + " delivers " + entry + " after " + ledger.last());
                ledger.extend(entry);
            } else if (entry.persistent() && !givenUp) {
                Member successor = ledger.committed.inSync().get(0);
                require(
                        ledger.logOf(successor).holds(entry.position()),
                        7,
                        () -> "fenced " + self + " delivers " + entry + ", which " + successor + " does not hold");
            }
        }

        void onProposed(long epoch, Member member) {
            requireNoForeign("proposes");
            require(
                    isMaster() && view.epoch() == epoch,
                    8,
                    () -> self + " proposes in epoch " + epoch + ", has " + view);
            ledger.proposed.add(new Ledger.Named(epoch, member));
        }

        /** Lemma 13; and nobody is given up for lost whose left still holds what it needs. */
        void onLost(Position leftBegins) {
            requireNoForeign("is lost");
            Member left = view.ring().get(view.ring().indexOf(self) - 1);
            Observed of = world.node(Simulation.number(left.node())).copy(group).process();
            require(
                    !of.self.equals(left) || of.log.base.offset() >= leftBegins.offset() || view.unsynchronised() > 0,
                    13,
                    () -> self + " is given up for lost at " + leftBegins + ", its left begins at " + of.log.base);
            require(
                    !view.inSync().contains(self),
                    13,
                    () -> self + " is in sync and its left has forgotten what it needs");
        }
    }

    // --------------------------------------------------------------------------------------------- what it is told

    Observed onStart(SimulatedMember copy, Member self, SimulatedNode node, long logId, SimulatedDisk.Image image) {
        changed = true;
        return new Observed(copy, self, node, logId, image);
    }

    void onEnd(Observed process) {
        process.view = null;
        changed = true;
    }

    void onSynchronised(Observed process, Position base) {
        require(
                base.offset() == 0
                        || base.offset() <= process.ledger.last()
                                && process.ledger.at(base.offset()).equals(base),
                4,
                () -> process.self + " is synchronised up to " + base + ", which is not part of the sequence");
        changed = true;
        process.log.base = base;
        process.log.entries.clear();
        process.delivered = base.offset();
        process.stable = Math.max(process.stable, base.offset());
    }

    /** A view goes into a member. */
    void onView(Observed process, View view) {
        if (process.view != null && view.epoch() <= process.view.epoch()) {
            return;
        }
        Ledger ledger = process.ledger;
        require(view.equals(ledger.views.get(view.epoch())), 1, () -> "not the committed view: " + view);
        if (process.view == null || process.view.recovered() != view.recovered()) {
            process.stable = 0;
        }
        boolean newReign = process.view == null || process.view.reign() != view.reign();
        process.view = view;
        if (newReign && process.isMaster() && view.epoch() == ledger.committed.epoch() && ledger.last() > 0) {
            require(
                    process.log.holds(ledger.at(ledger.last())),
                    3,
                    () -> process.self + " becomes master in " + view + " without " + ledger.at(ledger.last()));
        }
    }

    /** A new log begins with a view of the same content as in the old one. */
    void onFounded(long logId, View view) {
        Ledger ledger = ledger(logId);
        require(!ledger.views.containsKey(view.epoch()), 1, () -> "two views in epoch " + view.epoch());
        ledger.committed = view;
        ledger.views.put(view.epoch(), view);
    }

    void onCommitted(long logId, View before, View after, Command command) {
        ledger(logId).onCommitted(before, after, command);
    }

    /** Lemma 14: a node that hears neither the controller nor a majority tells clients nothing once its lease is over. */
    void onToldClient(SimulatedNode node, String what) {
        require(
                node.isClockSetBack() || node.store().isInContact(node.number(), LEASE_NS),
                14,
                () -> node.member() + " " + what + " and has been cut off for longer than its lease");
    }

    /** After every step. */
    void check() {
        if (changed) {
            changed = false;
            ledgers.values().forEach(Ledger::check);
        }
    }
}
