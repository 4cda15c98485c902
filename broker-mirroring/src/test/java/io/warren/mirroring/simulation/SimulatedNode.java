package io.warren.mirroring.simulation;

import io.warren.core.metadata.Outcome;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Lease;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.metadata.PartitionHandling;
import io.warren.mirroring.metadata.TopologyRequests;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One broker in the simulation: a process with a replica of the metadata, links, a clock, and a member of each group.
 *
 * <p>It passes views on once its own registration is applied, submits proposals again, and, when it is the controller, lets
 * {@link SimulatedController} decide.
 */
final class SimulatedNode {
    /** Heartbeats; a link is found dead after four. */
    static final long PERIOD_NS = 100_000_000L;

    private final Simulation world;
    private final int number;
    private final String name;
    private final Map<String, SimulatedMember> copies = new LinkedHashMap<>();
    private final SimulatedController controller;

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
    private long clockOffsetNs;
    private boolean clockSetBack;
    private int hanging;
    private int slow;

    private Metadata replica;
    private int appliedCount;
    private boolean registered;
    /** Whether it has served together with the other node since it started: the condition for going on alone. */
    private boolean served;

    private Lease lease;
    private TopologyRequests<SimulatedClients.Asked> topology;
    private long lastSubmitNs;
    private long lastBeatNs;

    SimulatedNode(Simulation world, int number, int nodesMax) {
        this.world = world;
        this.number = number;
        name = "n" + number;
        sessions = new int[nodesMax];
        linkChangedNs = new long[nodesMax];
        controller = new SimulatedController(world, this);
        world.groups().forEach(group -> copies.put(group, new SimulatedMember(world, this, group)));
    }

    // ------------------------------------------------------------------------------------------------ questions

    int number() {
        return number;
    }

    String name() {
        return name;
    }

    /** Its member of a group, whether in the ring or not. */
    SimulatedMember copy(String group) {
        return copies.get(group);
    }

    Collection<SimulatedMember> copies() {
        return copies.values();
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

    long boot() {
        return boot;
    }

    /** Whether the process of this start still runs. */
    boolean runs(long owner) {
        return alive && owner == boot;
    }

    boolean isResponding() {
        return alive && frozen == 0;
    }

    boolean isRegistered() {
        return alive && registered;
    }

    Member member() {
        return new Member(name, incarnation);
    }

    Metadata replica() {
        return replica;
    }

    TopologyRequests<SimulatedClients.Asked> topology() {
        return topology;
    }

    boolean isClockSetBack() {
        return clockSetBack;
    }

    boolean isStalled() {
        return alive && copies.values().stream().anyMatch(SimulatedMember::isStalled);
    }

    boolean isMaster(String group) {
        View view = store.truth().view(group);
        return view != null && member().equals(view.master());
    }

    private long localNs() {
        return world.nowNs() + clockOffsetNs;
    }

    boolean isLeaseHeld() {
        String leader = store.leader() < 0 ? null : "n" + store.leader();
        return lease.isHeld(leader, voterNames(), localNs());
    }

    private Set<String> voterNames() {
        return store.voters().stream().map(voter -> "n" + voter).collect(Collectors.toSet());
    }

    // ---------------------------------------------------------------------------------------------- its process

    void join(SimulatedMetadata log) {
        store = log;
        started = true;
    }

    void start() {
        alive = true;
        frozen = 0;
        inbox.clear();
        incarnation++;
        boot++;
        served = false;
        lease = new Lease(name, PERIOD_NS);
        follow(appliedCount);
        world.trace(() -> name + " starts as " + member());
        if (world.queues() != null && boot > 1) {
            world.queues().happened(Happening.RESTARTED);
        }
        copies.values().forEach(SimulatedMember::onBoot);
        copies.values().forEach(SimulatedMember::open);
        long owner = boot;
        world.in(world.between(1_000_000, 100_000_000), () -> tick(owner));
    }

    /** Applies what it knew already. */
    private void follow(int known) {
        registered = false;
        topology = new TopologyRequests<>(
                new SimulatedClients.Output(world, this), Simulation.DETECTION_NS, SimulatedClients.DEADLINE_NS);
        replica = store.replica(new Listener());
        appliedCount = 0;
        while (appliedCount < known) {
            replica.apply(store.committed(appliedCount++));
        }
    }

    /** Goes on with a log it has founded: stopped, or as the process that it is. */
    void moveTo(SimulatedMetadata founded) {
        store = founded;
        appliedCount = 0;
        if (!alive) {
            return;
        }
        copies.values().forEach(SimulatedMember::end);
        incarnation++;
        follow(0);
        registered = true;
        topology.onRegistered(member(), world.nowNs());
        topology.onRunning(List.of(name));
        copies.values().forEach(SimulatedMember::open);
        installAll();
    }

    void crash() {
        if (!alive) {
            return;
        }
        world.trace(() -> name + " dies");
        stop();
        copies.values().forEach(copy -> copy.disk().crash(world.random()));
    }

    private void stop() {
        alive = false;
        registered = false;
        copies.values().forEach(SimulatedMember::end);
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

    void jump(long byNs) {
        clockOffsetNs += byNs;
        clockSetBack |= byNs < 0;
    }

    void hang(int change) {
        hanging = Math.max(0, hanging + change);
    }

    boolean isDiskHanging() {
        return hanging > 0;
    }

    void slow(int change) {
        slow = Math.max(0, slow + change);
    }

    boolean isSlow() {
        return slow > 0;
    }

    void heal() {
        while (frozen > 0) {
            thaw();
        }
        hang(-hanging);
        slow = 0;
    }

    /** Something happens to the process: now, or when it is thawed. */
    void happen(Runnable what) {
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

    /** The nodes to which a link is up. */
    List<String> linked() {
        List<String> linked = new ArrayList<>();
        for (int other = 0; other < sessions.length; other++) {
            if (sessions[other] != 0) {
                linked.add("n" + other);
            }
        }
        return linked;
    }

    void onLinkUp(int other, int session) {
        happen(() -> {
            sessions[other] = session;
            linkChangedNs[other] = world.nowNs();
            copies.values().forEach(copy -> copy.onLinkUp("n" + other));
            meet(world.node(other));
        });
    }

    void onLinkDown(int other) {
        happen(() -> {
            if (sessions[other] != 0) {
                sessions[other] = 0;
                linkChangedNs[other] = world.nowNs();
                copies.values().forEach(copy -> copy.onLinkDown("n" + other));
                if (world.queues() != null) {
                    world.queues().clients().onLinkDown(this, "n" + other);
                }
            }
        });
    }

    /** Two nodes of different metadata logs meet: the one whose log loses rejoins as new. */
    private void meet(SimulatedNode other) {
        if (alive && other.store != store && other.store.logId().winsOver(store.logId())) {
            world.trace(() -> name + " adopts the log of " + other.name);
            stop();
            copies.values().forEach(SimulatedMember::wipe);
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

    boolean isLinked(int other) {
        return sessions[other] != 0;
    }

    boolean isDownFor(int other, long forNs) {
        return sessions[other] == 0 && world.nowNs() - linkChangedNs[other] > forNs;
    }

    void send(String to, Runnable onArrival) {
        int other = Simulation.number(to);
        world.network().send(number, other, sessions[other], onArrival);
    }

    /** Says that it lives, and how far it has applied the log; who hears it answers. */
    private void beat() {
        lastBeatNs = world.nowNs();
        long sentNs = localNs();
        long applied = replica.applied();
        SimulatedMetadata log = store;
        topology.onReported(name, applied);
        for (String other : linked()) {
            SimulatedNode to = world.node(Simulation.number(other));
            send(
                    other,
                    () -> to.happen(() -> {
                        if (to.store == log) {
                            to.topology.onReported(name, applied);
                        } else {
                            to.meet(this);
                        }
                        to.send(name, () -> happen(() -> lease.onAnswered(to.name, sentNs)));
                    }));
        }
    }

    // ---------------------------------------------------------------------------------------------- its metadata

    private final class Listener implements MetadataListener {
        @Override
        public void onView(String group, View view) {
            if (registered) {
                copies.get(group).install(view);
            }
        }

        @Override
        public void onGroupDeleted(String group) {
            throw new IllegalStateException("nobody deletes groups here");
        }

        @Override
        public void onNodes(Map<String, NodeState> nodes) {
            NodeState own = nodes.get(name);
            if (own != null && own.running() && own.incarnation() == incarnation) {
                registered = true;
                topology.onRegistered(member(), world.nowNs());
            }
            topology.onRunning(NodeState.namesOfRunning(nodes));
        }

        @Override
        public void onTopology(long applied, Member submitter, List<Outcome> outcomes) {
            topology.onApplied(applied, submitter, outcomes, world.nowNs());
        }
    }

    private void installAll() {
        copies.forEach((group, copy) -> {
            View view = replica.view(group);
            if (view != null) {
                copy.install(view);
            }
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
                if (registered && !before) {
                    installAll();
                }
                NodeState state = replica.node(name);
                if (state != null && state.incarnation() == incarnation && !state.running()) {
                    rejoin();
                }
            }
        });
    }

    /** Found itself declared down: drops its views and registers as a new incarnation. */
    private void rejoin() {
        world.trace(() -> name + " was declared down");
        copies.values().forEach(SimulatedMember::end);
        incarnation++;
        registered = false;
        copies.values().forEach(SimulatedMember::open);
    }

    // ------------------------------------------------------------------------------------------------- its clock

    private void tick(long owner) {
        if (!runs(owner)) {
            return;
        }
        world.in(Simulation.TICK_NS, () -> tick(owner));
        happen(() -> {
            catchUp();
            copies.values().forEach(copy -> copy.onTick(localNs()));
            if (copies.values().stream().anyMatch(SimulatedMember::isForcingTooLong)) {
                reportDown();
                return;
            }
            if (world.nowNs() - lastBeatNs >= PERIOD_NS) {
                beat();
            }
            topology.onTick(world.nowNs());
            if (world.isIgnoring()) {
                goOnAlone(1 - number);
            }
            if (world.nowNs() - lastSubmitNs > Simulation.DETECTION_NS) {
                lastSubmitNs = world.nowNs();
                submitAgain();
                if (store.leader() == number) {
                    controller.control();
                }
            }
        });
    }

    /** One of two nodes: when the other is gone for the detection time, it may found a log of its own. */
    private void goOnAlone(int other) {
        served |= registered && isLinked(other);
        if (isDownFor(other, Simulation.DETECTION_NS)
                && !isLeaseHeld()
                && PartitionHandling.IGNORE.isFoundedBy(name, replica, voterNames(), served && registered)) {
            world.found(this);
        }
    }

    private void submitAgain() {
        if (!registered) {
            store.submit(number, new Command.Nodes(Map.of(name, Command.Change.up(incarnation, name))));
            return;
        }
        List<SimulatedMember.Proposal> all = new ArrayList<>();
        copies.forEach((group, copy) -> all.addAll(copy.proposals(replica.view(group))));
        propose(all);
    }

    /** Submits proposals, those of all groups together. */
    void propose(List<SimulatedMember.Proposal> proposals) {
        Map<Boolean, List<Command.Claim>> claims = proposals.stream()
                .collect(Collectors.partitioningBy(
                        SimulatedMember.Proposal::inSync,
                        Collectors.mapping(SimulatedMember.Proposal::claim, Collectors.toList())));
        long logId = store.logId().id();
        if (!claims.get(true).isEmpty()) {
            store.submit(number, new Command.MemberInSync(logId, claims.get(true)));
        }
        if (!claims.get(false).isEmpty()) {
            store.submit(number, new Command.MemberLagging(logId, claims.get(false)));
        }
    }

    /** The disk does not answer: the node says so and stops, until it does. */
    private void reportDown() {
        store.submit(number, new Command.Nodes(Map.of(name, Command.Change.down(incarnation))));
        crash();
        world.restartWhenDiskAnswers(this);
    }
}
