package io.warren.mirroring.simulation;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Locator;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.PlacementPolicy;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.RingOptions;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A whole cluster in one thread: nodes, links, disks, clocks and metadata, driven by one plan.
 *
 * <p>After every step the observer checks the lemmas. When the faults are over everything heals, and the group has to settle within
 * a number of ticks: one master, every member in sync and equal, every publish answered, nothing left in a buffer.
 */
public final class Simulation {
    static final long TICK_NS = 50_000_000L;
    static final long DETECTION_NS = 500_000_000L;
    static final long LAG_NS = 1_500_000_000L;
    static final long FAULTS_END_NS = FaultPlan.FAULTS_END_MS * 1_000_000L;

    /** Before somebody lowers a limit that a queue cannot reach. */
    private static final long PATIENCE_NS = 200 * TICK_NS;

    /** Between two publishes in a row: an answer may come in between, or not. */
    private static final long BURST_GAP_NS_MAX = 2_000_000;

    private final FaultPlan plan;
    private final Random random;
    private final List<String> trace;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final SimulatedNetwork network;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Map<String, Lemmas> lemmas = new LinkedHashMap<>();
    private final Map<String, HistoryChecker> histories = new LinkedHashMap<>();
    private final SimulatedClients clients = new SimulatedClients(this);
    /** Makes the groups mirrored queues; null where the ring's payloads are only counted. */
    private final QueueWorld queues;

    private final Settling settling = new Settling(this);
    private final RingOptions options = new RingOptions(4_000, 600, LAG_NS, 300_000_000L);
    private final Map<FaultKind, Integer> struck = new EnumMap<>(FaultKind.class);
    private final Set<Integer> leaving = new HashSet<>();
    private final List<SimulatedMetadata> stores = new ArrayList<>();
    private PlacementPolicy policy = new PlacementPolicy.All();
    private int unknown;
    private int always;
    private boolean founded;
    private int withheld;
    private long checks;
    /** Number of the node that never comes back, or -1. */
    private int gone = -1;

    private long nowNs;
    private long eventCount;
    private long eventNumber;
    private long endIds;
    private boolean limitsLowered;
    private long settledAtNs;

    private record Event(long atNs, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private Simulation(FaultPlan plan, boolean asQueues, boolean paged, boolean traced) {
        this.plan = plan;
        random = new Random(plan.seed());
        trace = traced ? new ArrayList<>() : null;
        network = new SimulatedNetwork(this, FaultPlan.NODES_MAX);
        for (int number = 0; number < plan.groupCount(); number++) {
            String group = String.valueOf((char) ('q' + number));
            lemmas.put(group, new Lemmas(this, group));
            histories.put(group, new HistoryChecker());
        }
        queues = asQueues ? new QueueWorld(this, groups(), paged) : null;
        for (int number = 0; number < FaultPlan.NODES_MAX; number++) {
            nodes.add(new SimulatedNode(this, number, FaultPlan.NODES_MAX));
        }
    }

    /** Runs a plan. */
    static Outcome run(FaultPlan plan) {
        return run(plan, false, false);
    }

    /** Runs a plan whose groups may be mirrored queues, and may keep its trace. */
    static Outcome run(FaultPlan plan, boolean asQueues, boolean traced) {
        return new Simulation(plan, asQueues, false, traced).run();
    }

    /** Runs a plan whose groups are mirrored queues, of which the bytes of messages are on the disk only, now and then. */
    static Outcome runPaged(FaultPlan plan, boolean traced) {
        return new Simulation(plan, true, true, traced).run();
    }

    /** Runs a plan and keeps its trace. */
    static Outcome runTraced(FaultPlan plan) {
        return run(plan, false, true);
    }

    private Outcome run() {
        String failure = null;
        int lemma = -1;
        try {
            begin();
            drain();
            finish();
        } catch (LemmaBroken broken) {
            failure = broken.getMessage();
            lemma = broken.lemma();
        } catch (IllegalStateException broken) {
            failure = String.valueOf(broken.getMessage());
            lemma = 0;
        } catch (RuntimeException broken) {
            // What breaks a rule may break the code as well.
            failure = broken + " at " + broken.getStackTrace()[0];
            lemma = 0;
        }
        long logId = newestStore().logId().id();
        int payloads = 0;
        int views = 0;
        for (Lemmas observer : lemmas.values()) {
            payloads += observer.ledger(logId).payloadCount();
            views += observer.viewCount() - 1;
            checks += observer.checks();
        }
        long ticks = settledAtNs == 0 ? -1 : (settledAtNs - FAULTS_END_NS) / TICK_NS;
        return new Outcome(
                plan,
                eventCount,
                payloads,
                views,
                checks,
                ticks,
                withheld,
                queues == null ? -1 : Math.max(0, queues.promotions() - plan.groupCount()),
                queues == null ? Map.of() : queues.happenings(),
                struck,
                failure,
                lemma,
                trace == null ? List.of() : trace);
    }

    // ------------------------------------------------------------------------------------------------- its course

    private void begin() {
        SimulatedMetadata store = new SimulatedMetadata(this, new Metadata(LogId.first(1), SimulatedMetadata.NOBODY));
        stores.add(store);
        List<String> names = new ArrayList<>();
        for (int number = 0; number < plan.nodeCount(); number++) {
            store.voters().add(number);
            names.add("n" + number);
            nodes.get(number).join(store);
            nodes.get(number).start();
        }
        store.elect(0);
        Map<String, Command.Change> up = new LinkedHashMap<>();
        names.forEach(name -> up.put(name, Command.Change.up(1, name)));
        store.commit(new Command.Nodes(up));
        for (String group : groups()) {
            String first = Locator.MIN_MASTERS.choose("n0", names, store.truth()::masters, 0);
            List<String> members = new ArrayList<>(names);
            members.remove(first);
            members.add(0, first);
            store.commit(new Command.CreateGroup(group, true, plan.minInSync(), members));
        }
        everyTick();
        clients.begin();
        if (queues != null) {
            queues.begin();
        }
        long atNs = 0;
        for (int id = 1; id <= plan.payloads(); id++) {
            int payload = id;
            if (queues == null || id % QueueClients.BURST == 1) {
                atNs = between(100_000_000, FAULTS_END_NS);
            }
            atNs += queues == null ? 0 : between(0, BURST_GAP_NS_MAX);
            at(atNs, () -> publish(payload));
        }
        plan.faults().forEach(fault -> at(fault.atMs() * 1_000_000L, () -> strike(fault)));
        at(FAULTS_END_NS, this::heal);
    }

    private void everyTick() {
        in(TICK_NS, () -> {
            network.onTick();
            stores.forEach(SimulatedMetadata::onTick);
            if (queues != null) {
                queues.onTick();
            }
            if (nowNs > FAULTS_END_NS) {
                bringBackIfNeeded();
                String missing = settling.missing();
                if (settledAtNs == 0 ? isOver(missing) : isEpilogueOver(missing)) {
                    events.clear();
                    return;
                }
            }
            everyTick();
        });
    }

    private boolean isOver(String missing) {
        if (missing != null) {
            settling.requireInTime(nowNs - FAULTS_END_NS, "after healing", missing);
            if (queues != null && nowNs - FAULTS_END_NS > PATIENCE_NS && !limitsLowered) {
                limitsLowered = true;
                queues.lowerLimits();
            }
            return false;
        }
        settledAtNs = nowNs;
        if (nodes.stream().anyMatch(SimulatedNode::isStalled)) {
            return true;
        }
        breakEveryLinkOnce();
        return false;
    }

    /** When all is well: links that break and come back at once may cost nobody its place, and nothing published its answer. */
    private void breakEveryLinkOnce() {
        trace(() -> "every link breaks once");
        network.openAtOnce();
        for (int a = 0; a < nodes.size(); a++) {
            for (int b = a + 1; b < nodes.size(); b++) {
                int one = a;
                int other = b;
                in(between(0, 3 * TICK_NS), () -> network.reset(one, other));
            }
        }
        for (int more = 1; more <= 20; more++) {
            int id = plan.payloads() + more;
            in(between(0, 4 * TICK_NS), () -> publish(id));
        }
    }

    private boolean isEpilogueOver(String missing) {
        if (missing != null) {
            settling.requireInTime(nowNs - settledAtNs, "after every link broke once", missing);
        }
        return missing == null && nowNs > settledAtNs + 6 * TICK_NS;
    }

    private void drain() {
        while (!events.isEmpty()) {
            Event next = events.remove();
            nowNs = next.atNs;
            eventCount++;
            next.what.run();
            lemmas.values().forEach(Lemmas::check);
        }
    }

    private void publish(int id) {
        SimulatedNode node = nodes.get((int) between(0, nodes.size()));
        String group = groups().get(random.nextInt(plan.groupCount()));
        // In one plan of four hardly anything is persistent: what is only in memory reaches far, and is lost far.
        boolean persistent = plan.seed() % 4 == 0 ? chance(6) : !chance(3);
        int bytes = (int) between(20, 200);
        if (queues != null) {
            queues.clients().publish(id, persistent);
            return;
        }
        if (!node.isRegistered() || !node.isResponding()) {
            return;
        }
        long sequence = node.copy(group).publish(id, persistent, bytes);
        if (sequence > 0) {
            trace(() -> node.name() + " publishes " + id + " to " + group);
            histories.get(group).onPublished(id, node.member().toString(), sequence, persistent);
        }
    }

    /** A master has found that somebody lags. */
    void onLagging(Member member) {
        if (settledAtNs > 0) {
            throw new LemmaBroken(12, "links that came back at once let " + member + " lag");
        }
    }

    void onConfirmed(String group, int id) {
        histories.get(group).onConfirmed(id);
    }

    /** A payload is stable, and nobody may be told for want of a lease. */
    void onWithheld() {
        withheld++;
    }

    // ------------------------------------------------------------------------------------------------- its faults

    private void strike(Fault fault) {
        if (nowNs < FAULTS_END_NS && new FaultStrike(this, fault).strike()) {
            trace(() -> "fault " + fault);
            struck.merge(fault.kind(), 1, Integer::sum);
        }
    }

    private void heal() {
        trace(() -> "everything heals");
        network.healAll();
        unknown = 0;
        always = 0;
        policy = new PlacementPolicy.All();
        loseOneForGood();
        for (SimulatedNode node : nodes) {
            node.heal();
            if (node.isStarted() && !node.isAlive() && !hasLeft(node.number())) {
                node.start();
            }
        }
    }

    /** Of the dead one may never come back, if a majority and somebody who holds everything is left: the others have to do. */
    private void loseOneForGood() {
        SimulatedMetadata store = newestStore();
        List<SimulatedNode> dead = nodes.stream()
                .filter(node -> node.isStarted() && !node.isAlive() && !isLeaving(node.number()))
                .toList();
        boolean oneStandsStill = nodes.stream().anyMatch(SimulatedNode::isStalled);
        if (dead.isEmpty() || oneStandsStill || founded || chance(3)) {
            return;
        }
        SimulatedNode victim = dead.get((int) between(0, dead.size()));
        long voters = store.voters().stream()
                .filter(number -> number != victim.number() && !isLeaving(number))
                .count();
        if (isHeldWithout(victim) && 2 * voters > store.voters().size()) {
            trace(() -> victim.name() + " never comes back");
            gone = victim.number();
        }
    }

    /** The lost one comes back after all when nobody else is left that holds everything. */
    private void bringBackIfNeeded() {
        if (gone >= 0 && !isHeldWithout(nodes.get(gone))) {
            SimulatedNode node = nodes.get(gone);
            gone = -1;
            node.start();
        }
    }

    private boolean isHeldWithout(SimulatedNode node) {
        return lemmas.values().stream().noneMatch(observer -> {
            Set<String> holders = observer.ledger(newestStore().logId().id()).holders();
            holders.remove(node.name());
            leaving.forEach(number -> holders.remove("n" + number));
            return holders.isEmpty();
        });
    }

    void restart(SimulatedNode node, long afterNs) {
        in(afterNs, () -> {
            if (!node.isAlive() && !hasLeft(node.number())) {
                node.start();
            }
        });
    }

    void restartWhenDiskAnswers(SimulatedNode node) {
        in(100_000_000, () -> {
            if (node.isDiskHanging()) {
                restartWhenDiskAnswers(node);
            } else {
                restart(node, 0);
            }
        });
    }

    /** A node goes on alone with what it knows. */
    void found(SimulatedNode node) {
        SimulatedMetadata old = node.store();
        SimulatedMetadata store = new SimulatedMetadata(
                this, node.replica().found(stores.size() + 1L, node.name(), SimulatedMetadata.NOBODY));
        trace(() -> node.name() + " founds log " + store.logId());
        stores.add(store);
        founded = true;
        lemmas.forEach((group, observer) -> {
            long id = store.logId().id();
            observer.ledger(id)
                    .foundFrom(
                            observer.ledger(old.logId().id()), node.copy(group).disk());
            observer.onFounded(id, store.truth().view(group));
        });
        store.voters().add(node.number());
        store.elect(node.number());
        if (node.isAlive()) {
            struck.merge(FaultKind.ALONE, 1, Integer::sum);
        }
        node.moveTo(store);
    }

    private void finish() {
        histories.forEach((group, history) -> settling.finish(group, history));
        if (queues != null) {
            queues.finish();
        }
        clients.check(founded);
    }

    // ----------------------------------------------------------------------------------------------- its services

    static int number(String node) {
        return node.charAt(1) - '0';
    }

    void trace(Supplier<String> what) {
        if (trace != null) {
            trace.add(nowNs / 1_000 + " us " + what.get());
        }
    }

    long nowNs() {
        return nowNs;
    }

    Random random() {
        return random;
    }

    /** A number from the first, below the second. */
    long between(long low, long high) {
        return low + (long) (random.nextDouble() * (high - low));
    }

    /** True once in so many times. */
    boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    void at(long atNs, Runnable what) {
        events.add(new Event(Math.max(atNs, nowNs), eventNumber++, what));
    }

    void in(long afterNs, Runnable what) {
        at(nowNs + afterNs, what);
    }

    /** Names an end of a channel, within its node's process. */
    long nextEndId() {
        return ++endIds;
    }

    SimulatedNetwork network() {
        return network;
    }

    List<SimulatedNode> nodes() {
        return nodes;
    }

    SimulatedNode node(int number) {
        return nodes.get(number);
    }

    boolean isResponding(int number) {
        return nodes.get(number).isResponding();
    }

    List<String> groups() {
        return List.copyOf(lemmas.keySet());
    }

    Lemmas lemmas(String group) {
        return lemmas.get(group);
    }

    SimulatedClients clients() {
        return clients;
    }

    /** What makes the groups mirrored queues, or null. */
    QueueWorld queues() {
        return queues;
    }

    /** A check of something that is no single group's. */
    void countLemma(boolean holds, int lemma, Supplier<String> message) {
        lemmas.values().iterator().next().require(holds, lemma, message);
    }

    /** Whether a node that sees the only other one die goes on alone. */
    boolean isIgnoring() {
        return plan.nodeCount() == 2;
    }

    RingOptions options() {
        return options;
    }

    FaultPlan plan() {
        return plan;
    }

    PlacementPolicy policy() {
        return policy;
    }

    void policy(PlacementPolicy changed) {
        policy = changed;
    }

    boolean isUnknown() {
        return unknown > 0;
    }

    void unknown(int change) {
        unknown = Math.max(0, unknown + change);
    }

    /** Whether the policy promotes a member that does not hold everything rather than wait. */
    boolean isAlways() {
        return always > 0;
    }

    void always(int change) {
        always = Math.max(0, always + change);
    }

    boolean isLeaving(int number) {
        return leaving.contains(number);
    }

    Set<Integer> leaving() {
        return leaving;
    }

    boolean hasLeft(int number) {
        return number == gone || (leaving.contains(number) && !nodes.get(number).isAlive());
    }

    /** The log that wins when all nodes meet. */
    SimulatedMetadata newestStore() {
        SimulatedMetadata newest = stores.get(0);
        for (SimulatedMetadata store : stores) {
            newest = store.logId().winsOver(newest.logId()) ? store : newest;
        }
        return newest;
    }

    boolean isFounded() {
        return founded;
    }

    void onCommitted(SimulatedMetadata store, String group, View before, View after, Command command) {
        lemmas.get(group).onCommitted(store.logId().id(), before, after, command);
        if (after.unsynchronised() == after.epoch()) {
            struck.merge(FaultKind.ALWAYS, 1, Integer::sum);
        }
    }
}
