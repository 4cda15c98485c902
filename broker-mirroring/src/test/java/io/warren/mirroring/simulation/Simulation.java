package io.warren.mirroring.simulation;

import io.warren.mirroring.metadata.Command;
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
    static final String GROUP = "q";
    static final long TICK_NS = 50_000_000L;
    static final long DETECTION_NS = 500_000_000L;
    static final long LAG_NS = 1_500_000_000L;
    private static final long HEAL_TICKS_MAX = 400;
    private static final long FAULTS_END_NS = FaultPlan.FAULTS_END_MS * 1_000_000L;

    private final FaultPlan plan;
    private final Random random;
    private final List<String> trace;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final SimulatedNetwork network;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Lemmas lemmas = new Lemmas(this);
    private final HistoryChecker history = new HistoryChecker();
    private final RingOptions options = new RingOptions(4_000, 600, LAG_NS, 300_000_000L);
    private final Map<FaultKind, Integer> struck = new EnumMap<>(FaultKind.class);
    private final Set<Integer> leaving = new HashSet<>();
    private final List<SimulatedMetadata> stores = new ArrayList<>();
    private PlacementPolicy policy = new PlacementPolicy.All();
    private int unknown;
    private int always;
    private boolean founded;
    /** Number of the node that never comes back, or -1. */
    private int gone = -1;

    private long nowNs;
    private long eventCount;
    private long eventNumber;
    private long settledAtNs;

    private record Event(long atNs, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private Simulation(FaultPlan plan, boolean traced) {
        this.plan = plan;
        random = new Random(plan.seed());
        trace = traced ? new ArrayList<>() : null;
        network = new SimulatedNetwork(this, FaultPlan.NODES_MAX);
        for (int number = 0; number < FaultPlan.NODES_MAX; number++) {
            nodes.add(new SimulatedNode(this, number, FaultPlan.NODES_MAX));
        }
    }

    /** Runs a plan. */
    static Outcome run(FaultPlan plan) {
        return new Simulation(plan, false).run();
    }

    /** Runs a plan and keeps its trace. */
    static Outcome runTraced(FaultPlan plan) {
        return new Simulation(plan, true).run();
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
        }
        SimulatedMetadata last = newestStore();
        Lemmas.Ledger ledger = lemmas.ledger(last.logId().id());
        int views = stores.stream()
                        .mapToLong(store -> store.logId().id())
                        .distinct()
                        .mapToInt(id -> lemmas.ledger(id).viewCount())
                        .sum()
                - 1;
        long ticks = settledAtNs == 0 ? -1 : (settledAtNs - FAULTS_END_NS) / TICK_NS;
        return new Outcome(
                plan,
                eventCount,
                (int) ledger.sequence().stream()
                        .filter(entry -> entry.view() == null)
                        .count(),
                views,
                lemmas.checks(),
                ticks,
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
        store.commit(new Command.CreateGroup(GROUP, true, plan.minInSync(), names));
        everyTick();
        for (int id = 1; id <= plan.payloads(); id++) {
            int payload = id;
            at(between(100_000_000, FAULTS_END_NS), () -> publish(payload));
        }
        plan.faults().forEach(fault -> at(fault.atMs() * 1_000_000L, () -> strike(fault)));
        at(FAULTS_END_NS, this::heal);
    }

    private void everyTick() {
        in(TICK_NS, () -> {
            network.onTick();
            stores.forEach(SimulatedMetadata::onTick);
            if (nowNs > FAULTS_END_NS) {
                bringBackIfNeeded();
                String missing = unsettled();
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
            if (nowNs > FAULTS_END_NS + HEAL_TICKS_MAX * TICK_NS) {
                throw new LemmaBroken(12, "not settled " + HEAL_TICKS_MAX + " ticks after healing: " + missing);
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
        if (nowNs > settledAtNs + HEAL_TICKS_MAX * TICK_NS) {
            throw new LemmaBroken(12, "not settled after every link broke once: " + missing);
        }
        return missing == null && nowNs > settledAtNs + 6 * TICK_NS;
    }

    private void drain() {
        while (!events.isEmpty()) {
            Event next = events.remove();
            nowNs = next.atNs;
            eventCount++;
            next.what.run();
            lemmas.check();
        }
    }

    private void publish(int id) {
        SimulatedNode node = nodes.get((int) between(0, nodes.size()));
        boolean persistent = !chance(3);
        int bytes = (int) between(20, 200);
        long sequence = node.publish(id, persistent, bytes);
        if (sequence > 0) {
            trace(() -> node.name() + " publishes " + id);
            history.onPublished(id, node.member().toString(), sequence, persistent);
        }
    }

    /** A master has found that somebody lags. */
    void onLagging(Member member) {
        if (settledAtNs > 0) {
            throw new LemmaBroken(12, "links that came back at once let " + member + " lag");
        }
    }

    void onConfirmed(int id) {
        history.onConfirmed(id);
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
        Set<String> holders = lemmas.ledger(newestStore().logId().id()).holders();
        holders.remove(node.name());
        leaving.forEach(number -> holders.remove("n" + number));
        return !holders.isEmpty();
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

    // --------------------------------------------------------------------------------------------------- its end

    /** What is still not as it has to be when everything has healed, or null. */
    private String unsettled() {
        SimulatedMetadata store = newestStore();
        View view = store.truth().view(GROUP);
        if (view == null
                || !view.up()
                || view.others().stream()
                        .anyMatch(other -> !nodes.get(number(other.node())).isStalled())) {
            return String.valueOf(view);
        }
        Lemmas.Observed master = nodes.get(number(view.inSync().get(0).node())).process();
        for (SimulatedNode node : nodes) {
            if (!node.isStarted() || hasLeft(node.number())) {
                continue;
            }
            Member member = node.member();
            if (node.isStalled() && !view.inSync().contains(member)) {
                continue;
            }
            if (!node.isRegistered() || node.store() != store || !view.inSync().contains(member)) {
                return member + " is not in sync in " + view;
            }
            if (node.ring().epoch() != view.epoch() || node.ring().undelivered() > 0) {
                return member + " has views or publishes to come: epoch "
                        + node.ring().epoch() + ", undelivered " + node.ring().undelivered();
            }
            Lemmas.Log log = node.process().log();
            if (log.last() != master.log().last() || node.process().delivered() != log.last()) {
                return member + " delivered " + node.process().delivered() + " of " + log.last() + ", master holds "
                        + master.log().last();
            }
            if (hasForgettable(log)) {
                return member + " still holds everything above " + log.position(log.last() - 1);
            }
        }
        return null;
    }

    /** Everything up to the last persistent entry can be forgotten once all hold everything. */
    private static boolean hasForgettable(Lemmas.Log log) {
        for (long at = log.last(); at > log.last() - log.size(); at--) {
            if (log.at(at).persistent()) {
                return true;
            }
        }
        return false;
    }

    private void finish() {
        SimulatedMetadata store = newestStore();
        View view = store.truth().view(GROUP);
        List<Integer> first = null;
        for (Member member : view.inSync()) {
            List<Integer> delivered =
                    List.copyOf(nodes.get(number(member.node())).history().values());
            if (first == null) {
                first = delivered;
                List<String> wrong = history.report(delivered, view.recovered() > 0, !founded && view.unsynchronised() == 0);
                if (!wrong.isEmpty()) {
                    throw new LemmaBroken(9, wrong.toString());
                }
            }
            if (!delivered.equals(first)) {
                throw new LemmaBroken(4, member + " delivered " + delivered + ", the master " + first);
            }
        }
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

    Lemmas lemmas() {
        return lemmas;
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

    private boolean hasLeft(int number) {
        return number == gone || (leaving.contains(number) && !nodes.get(number).isAlive());
    }

    SimulatedMetadata newestStore() {
        return stores.get(stores.size() - 1);
    }

    void addStore(SimulatedMetadata store) {
        stores.add(store);
        founded = true;
    }

    boolean isFounded() {
        return founded;
    }

    void onCommitted(SimulatedMetadata store, View before, View after, Command command) {
        lemmas.onCommitted(store.logId().id(), before, after, command);
        if (after.unsynchronised() == after.epoch()) {
            struck.merge(FaultKind.ALWAYS, 1, Integer::sum);
        }
    }
}
