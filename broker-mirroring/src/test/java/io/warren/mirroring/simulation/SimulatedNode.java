package io.warren.mirroring.simulation;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LinkReports;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.metadata.Placement;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One broker's shell in the simulation: a process with a ring member and a replica of the metadata, a disk, and a place in the
 * network.
 *
 * <p>It does what the real shell has to do and nothing clever: it passes views on once its own registration is applied, reports
 * forces, submits proposals until a newer epoch shows, and, when it is the controller, declares nodes down and places members.
 */
final class SimulatedNode {
    private static final long LAZY_FORCE_NS = 150_000_000L;

    private final Simulation world;
    private final int number;
    private final String name;
    private final SimulatedDisk disk = new SimulatedDisk();

    /** What was delivered here, by offset; it survives up to what the disk's log begins with. */
    private final TreeMap<Long, Integer> history = new TreeMap<>();

    private final int[] sessions;
    private final long[] linkChangedNs;
    private SimulatedMetadata store;
    private long incarnation;
    /** Number of real starts; a node that was declared down gets a new incarnation without one. */
    private long boot;

    private boolean started;
    private boolean alive;
    private int frozen;
    private final ArrayDeque<Runnable> inbox = new ArrayDeque<>();
    private boolean stalled;
    private final ArrayDeque<Runnable> mailbox = new ArrayDeque<>();
    private long clockOffsetNs;

    private Metadata replica;
    private int appliedCount;
    private boolean registered;
    private RingMember<Integer> ring;
    private Lemmas.Observed process;
    private long lastSubmitNs;
    private final Map<Member, Command> proposals = new HashMap<>();
    private long proposalEpoch;

    /** Entries written and not forced: number of writes with which each is covered. */
    private final ArrayDeque<long[]> unforced = new ArrayDeque<>();

    private boolean forcing;
    private long forcingSinceNs;
    private int hanging;
    private int slow;
    private boolean synchronising;

    SimulatedNode(Simulation world, int number, int nodesMax) {
        this.world = world;
        this.number = number;
        name = "n" + number;
        sessions = new int[nodesMax];
        linkChangedNs = new long[nodesMax];
    }

    // ------------------------------------------------------------------------------------------------ questions

    int number() {
        return number;
    }

    String name() {
        return name;
    }

    SimulatedDisk disk() {
        return disk;
    }

    SimulatedMetadata store() {
        return store;
    }

    boolean isStarted() {
        return started;
    }

    boolean isAlive() {
        return alive;
    }

    boolean isResponding() {
        return alive && frozen == 0;
    }

    boolean isRegistered() {
        return alive && registered;
    }

    RingMember<Integer> ring() {
        return ring;
    }

    Member member() {
        return new Member(name, incarnation);
    }

    Lemmas.Observed process() {
        return process;
    }

    Map<Long, Integer> history() {
        return history;
    }

    Metadata replica() {
        return replica;
    }

    private long localNs() {
        return world.nowNs() + clockOffsetNs;
    }

    // ---------------------------------------------------------------------------------------------- its process

    void join(SimulatedMetadata log) {
        store = log;
        started = true;
    }

    /** Goes on with a log it has founded. */
    void moveTo(SimulatedMetadata founded) {
        store = founded;
        appliedCount = 0;
    }

    /** Incarnation of its next start. */
    long nextIncarnation() {
        return incarnation + 1;
    }

    void start() {
        alive = true;
        frozen = 0;
        inbox.clear();
        incarnation++;
        boot++;
        registered = false;
        forcing = false;
        unforced.clear();
        replica = store.replica(new Listener());
        int known = appliedCount;
        appliedCount = 0;
        while (appliedCount < known) {
            replica.apply(store.committed(appliedCount++));
        }
        world.trace(() -> name + " starts as " + member());
        openRing();
        long owner = boot;
        world.in(world.between(1_000_000, 100_000_000), () -> tick(owner));
    }

    /** Makes a ring member from what the disk holds, all of it to be forced before it counts. */
    private void openRing() {
        synchronising = false;
        stalled = false;
        mailbox.clear();
        proposals.clear();
        SimulatedDisk.Image image = disk.image();
        history.tailMap(image.base.offset(), false).clear();
        process = world.lemmas().onStart(this, store.logId().id(), image);
        ring = new RingMember<>(member(), store.logId().id(), world.options(), disk.open(), new Output(process));
        for (int other = 0; other < sessions.length; other++) {
            if (sessions[other] != 0) {
                ring.onLinkUp("n" + other);
            }
        }
        unforced.clear();
        if (image.last() > 0) {
            unforced.add(new long[] {disk.written(), image.last()});
        }
        force();
    }

    void crash() {
        if (!alive) {
            return;
        }
        world.trace(() -> name + " dies");
        stop();
        disk.crash(world.random());
    }

    private void stop() {
        alive = false;
        registered = false;
        world.lemmas().onEnd(process);
        inbox.clear();
        for (int other = 0; other < sessions.length; other++) {
            sessions[other] = 0;
            world.network().reset(number, other);
        }
    }

    void freeze() {
        frozen++;
    }

    void thaw() {
        frozen = Math.max(0, frozen - 1);
        while (frozen == 0 && alive && !inbox.isEmpty()) {
            inbox.removeFirst().run();
        }
    }

    /** The member's mailbox stands still. */
    void stall() {
        stalled = true;
    }

    void resume() {
        stalled = false;
        while (!stalled && alive && !mailbox.isEmpty()) {
            mailbox.removeFirst().run();
        }
    }

    boolean isStalled() {
        return alive && stalled;
    }

    boolean isMaster() {
        View view = store.truth().view(Simulation.GROUP);
        return view != null && member().equals(view.master());
    }

    /** Something for the ring member: now, or when its mailbox moves again. */
    private void toRing(Runnable what) {
        if (stalled) {
            mailbox.addLast(what);
        } else {
            what.run();
        }
    }

    void jump(long byNs) {
        clockOffsetNs += byNs;
    }

    void hang(int change) {
        hanging = Math.max(0, hanging + change);
    }

    void slow(int change) {
        slow = Math.max(0, slow + change);
    }

    void heal() {
        while (frozen > 0) {
            thaw();
        }
        hang(-hanging);
        slow = 0;
    }

    /** Something happens to the process: now, or when it is thawed. */
    private void happen(Runnable what) {
        if (!alive) {
            return;
        }
        if (frozen > 0) {
            inbox.addLast(what);
        } else {
            what.run();
        }
    }

    // ------------------------------------------------------------------------------------------------- its links

    void onLinkUp(int other, int session) {
        happen(() -> {
            sessions[other] = session;
            linkChangedNs[other] = world.nowNs();
            toRing(() -> ring.onLinkUp("n" + other));
            meet(world.node(other));
        });
    }

    void onLinkDown(int other) {
        happen(() -> {
            if (sessions[other] != 0) {
                sessions[other] = 0;
                linkChangedNs[other] = world.nowNs();
                toRing(() -> ring.onLinkDown("n" + other));
            }
        });
    }

    /** Two nodes of different metadata logs meet: the one whose log loses rejoins as new. */
    private void meet(SimulatedNode other) {
        if (other.store != store && other.store.logId().winsOver(store.logId())) {
            world.trace(() -> name + " adopts the log of " + other.name);
            stop();
            disk.replace(Position.START, new Senders());
            history.clear();
            store = other.store;
            store.voters().add(number);
            appliedCount = 0;
            world.in(world.between(1_000_000, 50_000_000), () -> {
                if (!alive) {
                    start();
                }
            });
        }
    }

    private boolean isDownFor(int other, long forNs) {
        return sessions[other] == 0 && world.nowNs() - linkChangedNs[other] > forNs;
    }

    private void send(String to, Runnable onArrival) {
        int other = Simulation.number(to);
        world.network().send(number, other, sessions[other], onArrival);
    }

    // ---------------------------------------------------------------------------------------------- its metadata

    private final class Listener implements MetadataListener {
        @Override
        public void onView(String group, View view) {
            if (registered) {
                install(view);
            }
        }

        @Override
        public void onGroupDeleted(String group) {
            throw new IllegalStateException("nobody deletes groups here");
        }

        @Override
        public void onNodes(Map<String, NodeState> nodes) {
            registered |= replica.runningMember(name) != null && member().equals(replica.runningMember(name));
        }
    }

    private void install(View view) {
        if (stalled && member().equals(view.master())) {
            resume();
        }
        toRing(() -> {
            world.lemmas().onView(process, view);
            ring.onView(view);
        });
    }

    /** Applies what is committed, as far as the leader can be reached. */
    void catchUp() {
        happen(() -> {
            while (alive
                    && appliedCount < store.committedCount()
                    && store.leader() >= 0
                    && world.network().isOpen(number, store.leader())) {
                boolean before = registered;
                replica.apply(store.committed(appliedCount++));
                View view = replica.view(Simulation.GROUP);
                if (registered && !before && view != null) {
                    install(view);
                }
                NodeState state = replica.node(name);
                if (state != null && state.incarnation() == incarnation && !state.running()) {
                    rejoin();
                }
            }
        });
    }

    /** Found itself declared down: drops its view and registers as a new incarnation. */
    private void rejoin() {
        world.trace(() -> name + " was declared down");
        world.lemmas().onEnd(process);
        incarnation++;
        registered = false;
        openRing();
    }

    // ------------------------------------------------------------------------------------------------- its clock

    private void tick(long owner) {
        if (!alive || owner != boot) {
            return;
        }
        world.in(Simulation.TICK_NS, () -> tick(owner));
        happen(() -> {
            catchUp();
            toRing(() -> ring.onTick(localNs()));
            if (forcing && world.nowNs() - forcingSinceNs > Simulation.LAG_NS) {
                reportDown();
                return;
            }
            if (world.nowNs() - lastSubmitNs > Simulation.DETECTION_NS) {
                lastSubmitNs = world.nowNs();
                submitAgain();
                if (store.leader() == number) {
                    control();
                }
            }
            askForState();
        });
    }

    private void submitAgain() {
        if (!registered) {
            store.submit(number, new Command.Nodes(Map.of(name, Command.Change.up(incarnation, name))));
            return;
        }
        View view = replica.view(Simulation.GROUP);
        if (view != null && view.epoch() > proposalEpoch) {
            proposals.clear();
        }
        List.copyOf(proposals.values()).forEach(command -> store.submit(number, command));
    }

    private void propose(long epoch, Member member, Command command) {
        if (epoch != proposalEpoch) {
            proposals.clear();
            proposalEpoch = epoch;
        }
        proposals.put(member, command);
        store.submit(number, command);
    }

    /** The disk does not answer: the node says so and stops, until it does. */
    private void reportDown() {
        store.submit(number, new Command.Nodes(Map.of(name, Command.Change.down(incarnation))));
        crash();
        world.restartWhenDiskAnswers(this);
    }

    boolean isDiskHanging() {
        return hanging > 0;
    }

    // ------------------------------------------------------------------------------------------- its controlling

    private void control() {
        Map<String, Command.Change> dead = new TreeMap<>();
        boolean settled = world.nowNs() - store.leaderSinceNs() > Simulation.DETECTION_NS;
        for (Map.Entry<String, NodeState> known : replica.nodes().entrySet()) {
            int other = Simulation.number(known.getKey());
            if (known.getValue().running() && other != number && settled && isDownFor(other, Simulation.DETECTION_NS)) {
                dead.put(known.getKey(), Command.Change.down(known.getValue().incarnation()));
            }
        }
        if (!dead.isEmpty()) {
            store.submit(number, new Command.Nodes(dead));
        }
        View view = replica.view(Simulation.GROUP);
        if (view != null && view.up() && settled && dead.isEmpty()) {
            place(view);
        } else if (view != null && !view.up() && settled && world.isAlways() && !view.others().isEmpty()) {
            Command.Claim oldest =
                    new Command.Claim(Simulation.GROUP, view.epoch(), view.others().get(0));
            store.submit(number, new Command.Promote(store.logId().id(), List.of(oldest)));
        }
    }

    /** A node the controller cannot reach has not told it of cut links. */
    private boolean isUnreported(String node) {
        return sessions[Simulation.number(node)] == 0 && !node.equals(name);
    }

    private void place(View view) {
        List<String> ring = view.ring().stream().map(Member::node).toList();
        LinkReports notCut = (a, b) -> isUnreported(a)
                || isUnreported(b)
                || !world.network()
                        .isSteady(Simulation.number(a), Simulation.number(b), false, Simulation.DETECTION_NS);
        List<String> wanted = Placement.withoutCut(view, notCut);
        if (wanted.equals(ring)) {
            LinkReports steady = (a, b) ->
                    world.network().isSteady(Simulation.number(a), Simulation.number(b), true, Simulation.DETECTION_NS);
            List<String> running = replica.nodes().keySet().stream()
                    .filter(node -> replica.runningMember(node) != null)
                    .filter(node -> !world.isLeaving(Simulation.number(node)))
                    .toList();
            wanted = new ArrayList<>(Placement.place(world.policy(), view, running, steady, node -> 0));
            wanted.removeIf(node -> world.isLeaving(Simulation.number(node)));
        }
        if (!wanted.equals(ring) && !wanted.isEmpty()) {
            store.submit(number, new Command.Members(Simulation.GROUP, wanted));
        }
    }

    // -------------------------------------------------------------------------------------------------- its disk

    private void force() {
        if (forcing || (disk.isForced() && unforced.isEmpty())) {
            return;
        }
        forcing = true;
        forcingSinceNs = world.nowNs();
        long covered = disk.written();
        long owner = boot;
        long delay = slow > 0 ? world.between(20_000_000, 300_000_000) : world.between(300_000, 8_000_000);
        world.in(delay, () -> onForced(owner, covered));
    }

    private void onForced(long owner, long covered) {
        if (!alive || owner != boot) {
            return;
        }
        if (hanging > 0) {
            world.in(20_000_000, () -> onForced(owner, covered));
            return;
        }
        disk.onForced(covered);
        happen(() -> {
            if (owner != boot) {
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

    // ---------------------------------------------------------------------------------------- its synchronising

    private void askForState() {
        View view = replica.view(Simulation.GROUP);
        if (stalled || ring.phase() != Phase.BEHIND || view == null || view.epoch() != ring.epoch() || synchronising) {
            return;
        }
        Member master = view.master();
        if (master != null) {
            long epoch = view.epoch();
            SimulatedNode source = world.node(Simulation.number(master.node()));
            send(master.node(), () -> source.happen(() -> source.giveState(this, epoch)));
        }
    }

    private void giveState(SimulatedNode to, long epoch) {
        if (ring.phase() != Phase.LEADING || ring.epoch() != epoch) {
            return;
        }
        Position position = ring.firmPosition();
        Senders senders = ring.firmSenders();
        TreeMap<Long, Integer> copy = new TreeMap<>(history.headMap(position.offset(), true));
        send(to.name, () -> to.happen(() -> to.takeState(epoch, position, senders, copy)));
    }

    /** Puts the state on disk beside its own, and takes its place when that is forced. */
    private void takeState(long epoch, Position position, Senders senders, Map<Long, Integer> copy) {
        if (synchronising) {
            return;
        }
        synchronising = true;
        long owner = incarnation;
        world.in(
                world.between(500_000, 30_000_000),
                () -> happen(() -> {
                    if (owner != incarnation) {
                        return;
                    }
                    synchronising = false;
                    if (!stalled
                            && ring.phase() == Phase.BEHIND
                            && ring.epoch() == epoch
                            && ring.wants(position)
                            && hanging == 0) {
                        world.trace(() -> name + " synchronised up to " + position);
                        disk.replace(position, senders);
                        unforced.clear();
                        history.clear();
                        history.putAll(copy);
                        world.lemmas().onSynchronised(process, position);
                        ring.onSynchronised(position, senders);
                    }
                }));
    }

    // ----------------------------------------------------------------------------------------------- its clients

    /** A client publishes here; 0 if it is refused. */
    long publish(int id, boolean persistent, int bytes) {
        return isRegistered() && frozen == 0 && !stalled ? ring.broadcast(id, persistent, bytes) : 0;
    }

    // ------------------------------------------------------------------------------------------------ its outputs

    private void onFrame(String from, Frame<Integer> frame) {
        happen(() -> toRing(() -> {
            world.trace(() -> name + " <- " + from + " " + frame);
            process.beforeFrame(frame);
            ring.onFrame(from, frame);
            process.afterFrame();
        }));
    }

    private final class Output implements RingOutput<Integer> {
        private final Lemmas.Observed seen;

        Output(Lemmas.Observed seen) {
            this.seen = seen;
        }

        @Override
        public void send(String node, Frame<Integer> frame) {
            seen.onSend(frame);
            SimulatedNode to = world.node(Simulation.number(node));
            SimulatedNode.this.send(node, () -> to.onFrame(name, frame));
        }

        @Override
        public void append(Entry<Integer> entry) {
            seen.onAppend(entry);
            disk.append(entry);
            unforced.addLast(new long[] {disk.written(), entry.offset()});
            if (entry.persistent()) {
                force();
            } else {
                // Nobody waits for it, so it is forced along with the next, or when there has been none for a while.
                long owner = boot;
                world.in(LAZY_FORCE_NS, () -> {
                    if (alive && owner == boot) {
                        force();
                    }
                });
            }
        }

        @Override
        public void cut(long fromOffset) {
            world.trace(() -> name + " cuts from " + fromOffset);
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
        }

        @Override
        public void deliver(Entry<Integer> entry) {
            seen.onDeliver(entry);
            history.put(entry.offset(), entry.payload());
            if (entry.sender().equals(member())) {
                world.onConfirmed(entry.payload());
            }
        }

        @Override
        public void viewInstalled(View view, long offset) {
            seen.onViewInstalled(view, offset);
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
            world.trace(() -> name + " proposes " + member + " in epoch " + epoch);
            seen.onProposed(epoch, member);
            propose(
                    epoch,
                    member,
                    new Command.MemberInSync(
                            store.logId().id(), List.of(new Command.Claim(Simulation.GROUP, epoch, member))));
        }

        @Override
        public void proposeLagging(long epoch, Member member) {
            world.trace(() -> name + " finds " + member + " lagging in epoch " + epoch);
            world.onLagging(member);
            propose(
                    epoch,
                    member,
                    new Command.MemberLagging(
                            store.logId().id(), List.of(new Command.Claim(Simulation.GROUP, epoch, member))));
        }

        @Override
        public void lost(Position leftBegins) {
            world.trace(() -> name + " lost the ring at " + leftBegins);
            seen.onLost(leftBegins);
        }
    }
}
