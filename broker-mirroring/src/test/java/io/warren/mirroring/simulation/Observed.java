package io.warren.mirroring.simulation;

import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;

/** One process of a member, as seen from outside. */
final class Observed {
    private final Lemmas lemmas;
    private final Simulation world;
    private final SimulatedMember copy;
    final Member self;
    final long logId;
    final Ledger ledger;
    final ObservedLog log;
    View view;
    long delivered;
    long stable;
    private long spokenEpoch;
    private Frame<Integer> foreign;

    Observed(
            Lemmas lemmas, Simulation world, SimulatedMember copy, Member self, long logId, SimulatedDisk.Image image) {
        this.lemmas = lemmas;
        this.world = world;
        this.copy = copy;
        this.self = self;
        this.logId = logId;
        ledger = lemmas.ledger(logId);
        log = new ObservedLog(image);
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

    ObservedLog log() {
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
        lemmas.require(foreign == null, 7, () -> self + " " + effect + " because of " + foreign);
    }

    void onSend(Frame<Integer> frame) {
        requireNoForeign("sends");
        lemmas.require(frame.epoch() >= spokenEpoch, 1, () -> self + " speaks in an older epoch: " + frame);
        spokenEpoch = frame.epoch();
        if (frame instanceof Frame.Have<Integer> have
                && view != null
                && view.ring().contains(self)) {
            onReported(have, have.memberCount() - 1);
        } else if (frame instanceof Frame.Append<Integer> append) {
            lemmas.require(append.forget() <= append.stable(), 13, () -> self + " lets forget above stable: " + append);
        }
    }

    /** What a member says of itself has to be true. */
    private void onReported(Frame.Have<Integer> have, int place) {
        long durable = have.durable(place);
        lemmas.require(have.received(place) <= log.last(), 5, () -> self + " reports more than it holds: " + have);
        long[] best = ledger.reported.computeIfAbsent(new Ledger.Named(have.epoch(), self), unused -> new long[2]);
        best[0] = Math.max(best[0], have.received(place));
        best[1] = Math.max(best[1], durable);
        requireForced(durable, "reports durable");
    }

    private void requireForced(long offset, String what) {
        for (long at = Math.min(offset, log.last()); at > log.base.offset(); at--) {
            Entry<Integer> entry = log.at(at);
            if (entry.persistent()) {
                lemmas.require(
                        copy.disk().forced().holds(entry.position()),
                        5,
                        () -> self + " " + what + " " + offset + " and has not forced " + entry);
                return;
            }
        }
    }

    void onAppend(Entry<Integer> entry) {
        requireNoForeign("appends");
        lemmas.require(entry.offset() == log.last() + 1, 2, () -> self + " leaves a hole before " + entry);
        long previousEpoch = log.position(log.last()).epoch();
        Ledger.Seen known = ledger.seen.get(entry.position());
        if (known == null) {
            onOrdered(entry);
            ledger.seen.put(entry.position(), new Ledger.Seen(entry, previousEpoch));
        } else {
            lemmas.require(
                    known.entry().equals(entry), 2, () -> self + " appends " + entry + ", known is " + known.entry());
            lemmas.require(
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
        lemmas.require(orderer == null || orderer == this, 1, () -> self + " orders " + entry + " in another's reign");
        lemmas.require(isMaster() && view.reign() == entry.epoch(), 1, () -> self + " orders " + entry + " in " + view);
        if (entry.view() != null) {
            lemmas.require(orderer == null, 3, () -> self + " opens its reign twice: " + entry);
            lemmas.require(entry.view().epoch() <= view.epoch(), 3, () -> "a view from nowhere: " + entry);
        } else {
            lemmas.require(orderer != null, 3, () -> self + " orders " + entry + " before its view");
            long bytes = bytesAboveStable();
            lemmas.require(
                    bytes < world.options().windowBytes(), 11, () -> self + " orders above its window: " + bytes);
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
            lemmas.require(allowed, 4, () -> self + " cuts what it delivered: " + entry);
        }
        lemmas.require(from > log.base.offset(), 4, () -> self + " cuts what it forgot, from " + from);
        delivered = Math.min(delivered, from - 1);
        lemmas.onChange();
        while (log.last() >= from) {
            log.entries.remove(log.entries.size() - 1);
        }
    }

    void onForget(long offset) {
        requireNoForeign("forgets");
        lemmas.require(offset <= delivered, 4, () -> self + " forgets " + offset + " before it delivered it");
        while (log.base.offset() < offset) {
            log.base = log.entries.remove(0).position();
        }
    }

    void onStable(long offset) {
        requireNoForeign("counts");
        lemmas.require(offset > stable, 5, () -> self + ": stable falls from " + stable + " to " + offset);
        stable = offset;
        if (!isMaster()) {
            return;
        }
        lemmas.require(view.isAtLimit(), 6, () -> self + " counts below the limit: " + view);
        requireForced(offset, "counts");
        for (Member member : view.ring()) {
            boolean counted =
                    view.inSync().contains(member) || ledger.proposed.contains(new Ledger.Named(view.epoch(), member));
            if (counted && !member.equals(self)) {
                long[] best = ledger.reported.get(new Ledger.Named(view.epoch(), member));
                lemmas.require(
                        best != null && best[1] >= offset,
                        view.inSync().contains(member) ? 5 : 8,
                        () -> self + " counts " + offset + ", which " + member + " did not report in " + view);
            }
        }
        if (view.recovered() == ledger.committed.recovered()) {
            countAgain(Math.min(offset, delivered));
        }
    }

    void onDeliver(Entry<Integer> entry) {
        lemmas.require(entry.view() == null, 4, () -> self + " delivers a view as a payload: " + entry);
        deliver(entry);
    }

    void onViewInstalled(View installed, long offset) {
        lemmas.require(offset <= log.last(), 4, () -> self + " installs a view where it holds nothing: " + offset);
        Entry<Integer> entry = log.at(offset);
        lemmas.require(installed.equals(entry.view()), 4, () -> self + " installs " + installed + " at " + entry);
        deliver(entry);
    }

    private void deliver(Entry<Integer> entry) {
        requireNoForeign("delivers");
        long offset = entry.offset();
        lemmas.require(offset == delivered + 1, 4, () -> self + " delivers " + entry + " after offset " + delivered);
        lemmas.require(offset <= stable, 4, () -> self + " delivers " + entry + " above stable " + stable);
        lemmas.require(log.holds(entry.position()), 4, () -> self + " delivers what it does not hold: " + entry);
        delivered = offset;
        boolean fallenBehind = view.recovered() < ledger.committed.recovered();
        boolean givenUp = view.unsynchronised() < ledger.committed.unsynchronised();
        if (offset <= ledger.last()) {
            boolean same = ledger.at(offset).equals(entry.position());
            lemmas.require(
                    same || givenUp || (fallenBehind && !entry.persistent()),
                    4,
                    () -> self + " delivers " + entry + ", others " + ledger.stable.get((int) offset - 1));
        } else if (!fallenBehind) {
            lemmas.require(isMaster(), 4, () -> self + " delivers " + entry + " before its master counted it");
            lemmas.require(
                    offset == ledger.last() + 1, 4, () -> self + " delivers " + entry + " after " + ledger.last());
            ledger.extend(entry);
        } else if (entry.persistent() && !givenUp) {
            Member successor = ledger.committed.inSync().get(0);
            lemmas.require(
                    ledger.logOf(successor).holds(entry.position()),
                    7,
                    () -> "fenced " + self + " delivers " + entry + ", which " + successor + " does not hold");
        }
    }

    /**
     * A master that outlived a return from disk has delivered transient entries that others in sync came back without. They are in its
     * log, so they are in the sequence again when they are stable again, and it does not deliver them twice.
     */
    private void countAgain(long upTo) {
        while (ledger.committed.recovered() > 0 && ledger.last() < upTo) {
            Entry<Integer> again = log.at(ledger.last() + 1);
            lemmas.require(!again.persistent(), 6, () -> "was not on every disk: " + again);
            ledger.extend(again);
        }
    }

    void onProposed(long epoch, Member member) {
        requireNoForeign("proposes");
        lemmas.require(
                isMaster() && view.epoch() == epoch, 8, () -> self + " proposes in epoch " + epoch + ", has " + view);
        ledger.proposed.add(new Ledger.Named(epoch, member));
    }

    /** Lemma 13; and nobody is given up for lost whose left still holds what it needs. */
    void onLost(Position leftBegins) {
        requireNoForeign("is lost");
        Member left = view.ring().get(view.ring().indexOf(self) - 1);
        Observed of =
                world.node(Simulation.number(left.node())).copy(lemmas.group()).process();
        lemmas.require(
                !of.self.equals(left) || of.log.base.offset() >= leftBegins.offset() || view.unsynchronised() > 0,
                13,
                () -> self + " is given up for lost at " + leftBegins + ", its left begins at " + of.log.base);
        lemmas.require(
                !view.inSync().contains(self), 13, () -> self + " is in sync and its left has forgotten what it needs");
    }
}
