package io.warren.mirroring.simulation;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.LinkedHashMap;
import java.util.Map;
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

    String group() {
        return group;
    }

    long checks() {
        return checks;
    }

    /** Views committed, in all logs. */
    int viewCount() {
        return ledgers.values().stream().mapToInt(ledger -> ledger.viewCount).sum();
    }

    Ledger ledger(long logId) {
        return ledgers.computeIfAbsent(logId, id -> new Ledger(this, world, group, id));
    }

    /** Something has changed that lemma 6 speaks of. */
    void onChange() {
        changed = true;
    }

    void require(boolean holds, int lemma, Supplier<String> message) {
        checks++;
        if (!holds) {
            throw new LemmaBroken(lemma, message.get());
        }
    }

    // --------------------------------------------------------------------------------------------- what it is told

    Observed onStart(SimulatedMember copy, Member self, long logId, SimulatedDisk.Image image) {
        changed = true;
        return new Observed(this, world, copy, self, logId, image);
    }

    void onEnd(Observed process) {
        process.view = null;
        changed = true;
    }

    void onSynchronised(Observed process, Position base) {
        require(
                base.offset() == 0
                        || (base.offset() <= process.ledger.last()
                                && process.ledger.at(base.offset()).equals(base)),
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
