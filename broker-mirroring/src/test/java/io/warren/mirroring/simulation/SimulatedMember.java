package io.warren.mirroring.simulation;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Phase;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.RingMember;
import io.warren.mirroring.ring.RingOutput;
import io.warren.mirroring.ring.Senders;
import io.warren.mirroring.ring.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One group's member at one node, with its mailbox and its part of the disk: what the real shell has to do and nothing clever.
 *
 * <p>It reports forces, keeps proposals until a newer epoch shows, takes over the master's state when the ring cannot help, and
 * confirms and hands out only while the node's lease lasts.
 */
final class SimulatedMember {
    private static final long LAZY_FORCE_NS = 150_000_000L;
    private static final long TURN_NS_MAX = 2_000_000L;

    private final Simulation world;
    private final SimulatedNode node;
    private final String group;
    private final Lemmas lemmas;
    private final SimulatedDisk disk = new SimulatedDisk();
    /** The mirrored queue whose member this is, or null where the ring's payloads are only counted. */
    private final SimulatedQueue queue;

    /** What was delivered here, by offset; it survives up to what the disk's log begins with. */
    private final TreeMap<Long, Integer> history = new TreeMap<>();

    private RingMember<Integer> ring;
    private Observed process;

    private boolean stalled;
    private final ArrayDeque<Runnable> mailbox = new ArrayDeque<>();
    private boolean inTurn;

    private final Map<Member, Proposal> proposals = new LinkedHashMap<>();
    private long proposalEpoch;
    /** Delivered while there was no lease. */
    private final List<Integer> unconfirmed = new ArrayList<>();

    /** Entries written and not forced: number of writes with which each is covered. */
    private final ArrayDeque<long[]> unforced = new ArrayDeque<>();

    private boolean forcing;
    private long forcingSinceNs;
    private boolean synchronising;

    /** What a master wants committed. */
    record Proposal(boolean inSync, Command.Claim claim) {}

    SimulatedMember(Simulation world, SimulatedNode node, String group) {
        this.world = world;
        this.node = node;
        this.group = group;
        lemmas = world.lemmas(group);
        queue = world.queues() == null ? null : new SimulatedQueue(world, this, node, group);
    }

    SimulatedQueue queue() {
        return queue;
    }

    SimulatedDisk disk() {
        return disk;
    }

    RingMember<Integer> ring() {
        return ring;
    }

    Observed process() {
        return process;
    }

    Map<Long, Integer> history() {
        return history;
    }

    boolean isStalled() {
        return stalled;
    }

    // ---------------------------------------------------------------------------------------------- its process

    /** Makes a ring member from what the disk holds, all of it to be forced before it counts. */
    void open() {
        synchronising = false;
        stalled = false;
        inTurn = false;
        mailbox.clear();
        proposals.clear();
        unconfirmed.clear();
        SimulatedDisk.Image image = disk.image();
        history.tailMap(image.base.offset(), false).clear();
        long logId = node.store().logId().id();
        process = lemmas.onStart(this, node.member(), logId, image);
        ring = new RingMember<>(node.member(), logId, world.options(), disk.open(), new Output(process));
        if (queue != null) {
            queue.open(image.base);
        }
        node.linked().forEach(ring::onLinkUp);
        unforced.clear();
        if (image.last() > 0) {
            unforced.add(new long[] {disk.written(), image.last()});
        }
        force();
    }

    /** Its process has started: nothing is being forced. */
    void onBoot() {
        forcing = false;
        unforced.clear();
    }

    void end() {
        lemmas.onEnd(process);
    }

    /** Rejoins as new. */
    void wipe() {
        disk.replace(Position.START, new Senders());
        history.clear();
        if (queue != null) {
            queue.wipe();
        }
    }

    /** The mailbox stands still. */
    void stall() {
        stalled = true;
    }

    void resume() {
        stalled = false;
        if (mailbox.isEmpty()) {
            return;
        }
        // Whatever has gathered is one turn.
        beginTurn();
        while (!stalled && node.isAlive() && !mailbox.isEmpty()) {
            mailbox.removeFirst().run();
        }
        endTurn(ring);
    }

    /** Something for the ring member: now, or when its mailbox moves again. Now and then several make one turn. */
    private void toRing(Runnable what) {
        if (stalled) {
            mailbox.addLast(what);
            return;
        }
        if (!inTurn && world.chance(4)) {
            beginTurn();
            RingMember<Integer> opened = ring;
            world.in(world.between(0, TURN_NS_MAX), () -> node.happen(() -> endTurn(opened)));
        }
        what.run();
    }

    private void beginTurn() {
        inTurn = true;
        ring.beginTurn();
    }

    private void endTurn(RingMember<Integer> opened) {
        if (ring == opened && inTurn) {
            inTurn = false;
            ring.endTurn();
        }
    }

    void onLinkUp(String other) {
        toRing(() -> ring.onLinkUp(other));
        if (queue != null) {
            queue.onLinkUp(other);
        }
    }

    void onLinkDown(String other) {
        toRing(() -> ring.onLinkDown(other));
        if (queue != null) {
            queue.onLinkDown(other);
        }
    }

    void install(View view) {
        if (stalled && node.member().equals(view.master())) {
            resume();
        }
        if (queue != null) {
            queue.onView(view);
        }
        toRing(() -> {
            lemmas.onView(process, view);
            ring.onView(view);
        });
    }

    void onTick(long localNs) {
        toRing(() -> {
            // As the shell does: it may leave out any tick then.
            if (!ring.isAtRest()) {
                ring.onTick(localNs);
            }
        });
        if (queue != null) {
            queue.onTick();
        }
        if (!unconfirmed.isEmpty() && node.isLeaseHeld()) {
            unconfirmed.forEach(this::confirm);
            unconfirmed.clear();
        }
        askForState();
    }

    /** What is still proposed in the view the node knows. */
    Collection<Proposal> proposals(View view) {
        if (view != null && view.epoch() > proposalEpoch) {
            proposals.clear();
        }
        return proposals.values();
    }

    private void propose(long epoch, Member member, boolean inSync) {
        if (epoch != proposalEpoch) {
            proposals.clear();
            proposalEpoch = epoch;
        }
        Proposal proposal = new Proposal(inSync, new Command.Claim(group, epoch, member));
        proposals.put(member, proposal);
        node.propose(List.of(proposal));
    }

    // -------------------------------------------------------------------------------------------------- its disk

    /** Whether a force has not come back for the lag limit. */
    boolean isForcingTooLong() {
        return forcing && world.nowNs() - forcingSinceNs > Simulation.LAG_NS;
    }

    private void force() {
        if (forcing || (disk.isForced() && unforced.isEmpty())) {
            return;
        }
        forcing = true;
        forcingSinceNs = world.nowNs();
        long covered = disk.written();
        long owner = node.boot();
        long delay = node.isSlow() ? world.between(20_000_000, 300_000_000) : world.between(300_000, 8_000_000);
        world.in(delay, () -> onForced(owner, covered));
    }

    private void onForced(long owner, long covered) {
        if (!node.runs(owner)) {
            return;
        }
        if (node.isDiskHanging()) {
            world.in(20_000_000, () -> onForced(owner, covered));
            return;
        }
        disk.onForced(covered);
        node.happen(() -> {
            if (!node.runs(owner)) {
                return;
            }
            forcing = false;
            long durable = 0;
            while (!unforced.isEmpty() && unforced.peekFirst()[0] <= covered) {
                durable = unforced.removeFirst()[1];
            }
            force();
            if (durable > 0) {
                long reached = durable;
                toRing(() -> ring.onDurable(reached));
            }
        });
    }

    private void forceSoon() {
        // Nobody waits for it, so it is forced along with the next, or when there has been none for a while.
        long owner = node.boot();
        world.in(LAZY_FORCE_NS, () -> {
            if (node.runs(owner)) {
                force();
            }
        });
    }

    // ---------------------------------------------------------------------------------------- its synchronising

    private void askForState() {
        View view = node.replica().view(group);
        if (queue != null
                || stalled
                || ring.phase() != Phase.BEHIND
                || view == null
                || view.epoch() != ring.epoch()
                || synchronising) {
            return;
        }
        Member master = view.master();
        if (master != null) {
            long epoch = view.epoch();
            SimulatedNode source = world.node(Simulation.number(master.node()));
            node.send(
                    master.node(), () -> source.happen(() -> source.copy(group).giveState(this, epoch)));
        }
    }

    private void giveState(SimulatedMember to, long epoch) {
        if (ring.phase() != Phase.LEADING || ring.epoch() != epoch) {
            return;
        }
        Position position = ring.firmPosition();
        Senders senders = ring.firmSenders();
        TreeMap<Long, Integer> copy = new TreeMap<>(history.headMap(position.offset(), true));
        node.send(to.node.name(), () -> to.node.happen(() -> to.takeState(epoch, position, senders, copy)));
    }

    /** Puts the state on disk beside its own, and takes its place when that is forced. */
    private void takeState(long epoch, Position position, Senders senders, Map<Long, Integer> copy) {
        if (synchronising) {
            return;
        }
        synchronising = true;
        RingMember<Integer> taker = ring;
        world.in(
                world.between(500_000, 30_000_000),
                () -> node.happen(() -> {
                    if (taker != ring) {
                        return;
                    }
                    synchronising = false;
                    if (!stalled && ring.epoch() == epoch && ring.wants(position) && !node.isDiskHanging()) {
                        replace(position, senders, copy);
                        ring.onSynchronised(position, senders);
                    }
                }));
    }

    private void replace(Position position, Senders senders, Map<Long, Integer> copy) {
        world.trace(() -> this + " synchronised up to " + position);
        disk.replace(position, senders);
        unforced.clear();
        history.clear();
        history.putAll(copy);
        lemmas.onSynchronised(process, position);
    }

    /** A state of the queue is to be given: it is read up to where the ring is firm. */
    void readState(String to, int attempt) {
        toRing(() -> {
            Position position = ring.firmPosition();
            world.queues().remember(group, position, history.headMap(position.offset(), true));
            queue.onRead(to, attempt, position, ring.firmSenders().rows());
        });
    }

    /** The queue's tables have come: they go to the disk, and the ring begins behind them, if it wants to. */
    void takeTables(Position position, Map<Member, Long> senders, ReplicaSnapshot tables) {
        RingMember<Integer> taker = ring;
        world.in(
                world.between(500_000, 30_000_000),
                () -> node.happen(() -> {
                    if (taker != ring) {
                        return;
                    }
                    if (stalled || node.isDiskHanging() || !ring.wants(position)) {
                        queue.takeNothing();
                        return;
                    }
                    replace(position, Senders.of(senders), world.queues().remembered(group, position));
                    queue.take(tables, position, node.replica().view(group));
                    ring.onSynchronised(position, Senders.of(senders));
                }));
    }

    /** Nothing is missing at a member that the ring has proposed. */
    void proposeInSync(long epoch, Member member) {
        world.trace(() -> this + " proposes " + member + ", who misses nothing, in epoch " + epoch);
        propose(epoch, member, true);
    }

    // ----------------------------------------------------------------------------------------------- its clients

    /** A client publishes here; 0 if it is refused. */
    long publish(int id, boolean persistent, int bytes) {
        return stalled ? 0 : ring.broadcast(id, persistent, bytes);
    }

    /** The queue broadcasts an entry; false if it is refused. */
    boolean broadcast(int payload, boolean persistent, int bytes) {
        return !stalled && ring.broadcast(payload, persistent, bytes) > 0;
    }

    private void confirm(int id) {
        lemmas.onToldClient(node, "confirms");
        world.onConfirmed(group, id);
    }

    /** A payload is stable: its publisher is told, and a master hands it out. */
    private void onDelivered(Entry<Integer> entry) {
        history.put(entry.offset(), entry.payload());
        if (queue != null) {
            queue.onDelivered(entry);
            return;
        }
        boolean held = node.isLeaseHeld();
        if (!held) {
            world.onWithheld();
        } else if (ring.phase() == Phase.LEADING) {
            lemmas.onToldClient(node, "hands out");
        }
        if (!entry.sender().equals(node.member())) {
            return;
        }
        if (held) {
            confirm(entry.payload());
        } else {
            unconfirmed.add(entry.payload());
        }
    }

    @Override
    public String toString() {
        return group + "@" + node.name();
    }

    // ------------------------------------------------------------------------------------------------ its outputs

    private void onFrame(String from, Frame<Integer> frame) {
        node.happen(() -> toRing(() -> {
            world.trace(() -> this + " <- " + from + " " + frame);
            process.beforeFrame(frame);
            ring.onFrame(from, frame);
            process.afterFrame();
        }));
    }

    private final class Output implements RingOutput<Integer> {
        private final Observed seen;

        Output(Observed seen) {
            this.seen = seen;
        }

        @Override
        public void send(String to, Frame<Integer> frame) {
            seen.onSend(frame);
            SimulatedMember right = world.node(Simulation.number(to)).copy(group);
            node.send(to, () -> right.onFrame(node.name(), frame));
        }

        @Override
        public void append(Entry<Integer> entry) {
            seen.onAppend(entry);
            disk.append(entry);
            unforced.addLast(new long[] {disk.written(), entry.offset()});
            if (entry.persistent()) {
                force();
            } else {
                forceSoon();
            }
        }

        @Override
        public void cut(long fromOffset) {
            world.trace(() -> SimulatedMember.this + " cuts from " + fromOffset);
            seen.onCut(fromOffset);
            disk.cut(fromOffset);
            while (!unforced.isEmpty() && unforced.peekLast()[1] >= fromOffset) {
                long[] last = unforced.removeLast();
                if (unforced.isEmpty()) {
                    // What covers a later entry covers everything before it.
                    unforced.addLast(new long[] {last[0], fromOffset - 1});
                }
            }
            history.tailMap(fromOffset, true).clear();
            if (queue != null) {
                queue.onCut(fromOffset);
            }
        }

        @Override
        public void deliver(Entry<Integer> entry) {
            seen.onDeliver(entry);
            onDelivered(entry);
        }

        @Override
        public void viewInstalled(View view, long offset) {
            seen.onViewInstalled(view, offset);
            if (queue != null) {
                queue.onViewInstalled(view, offset);
            }
        }

        @Override
        public void stable(long offset) {
            seen.onStable(offset);
        }

        @Override
        public void forget(long offset) {
            seen.onForget(offset);
            disk.forget(offset);
        }

        @Override
        public void proposeInSync(long epoch, Member member) {
            world.trace(() -> SimulatedMember.this + " proposes " + member + " in epoch " + epoch);
            seen.onProposed(epoch, member);
            if (queue != null) {
                queue.onProposal(epoch, member);
            } else {
                propose(epoch, member, true);
            }
        }

        @Override
        public void proposeLagging(long epoch, Member member) {
            world.trace(() -> SimulatedMember.this + " finds " + member + " lagging in epoch " + epoch);
            world.onLagging(member);
            propose(epoch, member, false);
        }

        @Override
        public void lost(Position leftBegins) {
            world.trace(() -> SimulatedMember.this + " lost the ring at " + leftBegins);
            seen.onLost(leftBegins);
            if (queue != null) {
                queue.onLost();
            }
        }
    }
}
