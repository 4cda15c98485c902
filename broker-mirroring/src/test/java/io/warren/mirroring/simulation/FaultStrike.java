package io.warren.mirroring.simulation;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.PlacementPolicy;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One fault as it strikes the cluster: does it, and undoes it when its time is over. */
final class FaultStrike {
    private final Simulation world;
    private final Fault fault;
    private final SimulatedNode node;
    private final SimulatedNode other;
    private final long lastsNs;

    FaultStrike(Simulation world, Fault fault) {
        this.world = world;
        this.fault = fault;
        node = world.node(fault.a());
        other = world.node(fault.b());
        lastsNs = fault.forMs() * 1_000_000L;
    }

    /** The group it is about, where that means something: the plan's choice, so that taking faults away changes nothing else. */
    private String group() {
        return world.groups().get((int) (fault.atMs() % world.groups().size()));
    }

    /** Strikes; false if there was nothing to strike. */
    boolean strike() {
        return switch (fault.kind()) {
            case DELAY ->
                during(() -> world.network().slow(fault.a(), fault.b(), 1), () -> world.network()
                        .slow(fault.a(), fault.b(), -1));
            case RESET -> world.network().reset(fault.a(), fault.b());
            case PARTITION -> partition();
            case PARTIAL -> partial(true);
            case ONE_WAY -> partial(false);
            case CRASH -> crash(node, lastsNs);
            case POWER -> power();
            case SLOW_DISK -> node.isAlive() && during(() -> node.slow(1), () -> node.slow(-1));
            case HANGING_DISK -> node.isAlive() && during(() -> node.hang(1), () -> node.hang(-1));
            case FREEZE -> node.isAlive() && during(node::freeze, node::thaw);
            case STALL -> stall();
            case CLOCK -> clock();
            case JOIN -> join();
            case LEAVE -> leave();
            case POLICY -> policy();
            case MEMBERS -> members();
            case CONTROLLER -> node.isStarted() && node.store().depose(lastsNs);
            case UNKNOWN -> during(() -> world.unknown(1), () -> world.unknown(-1));
            case REPEAT -> repeat();
            case ALWAYS -> !during(() -> world.always(1), () -> world.always(-1));
            case FOUND -> found();
            // Comes of itself.
            case ALONE -> false;
        };
    }

    private boolean during(Runnable begin, Runnable end) {
        begin.run();
        world.in(lastsNs, end);
        return true;
    }

    private boolean partition() {
        List<int[]> cut = new ArrayList<>();
        for (int a = 0; a < FaultPlan.NODES_MAX; a++) {
            for (int b = 0; b < FaultPlan.NODES_MAX; b++) {
                boolean aside =
                        a == fault.a() || (a == fault.b() && world.plan().nodeCount() > 3);
                boolean bside =
                        b == fault.a() || (b == fault.b() && world.plan().nodeCount() > 3);
                if (a != b && aside != bside) {
                    cut.add(new int[] {a, b});
                }
            }
        }
        return during(
                () -> cut.forEach(pair -> world.network().block(pair[0], pair[1])),
                () -> cut.forEach(pair -> world.network().unblock(pair[0], pair[1])));
    }

    private boolean partial(boolean bothWays) {
        return during(
                () -> {
                    world.network().block(fault.a(), fault.b());
                    if (bothWays) {
                        world.network().block(fault.b(), fault.a());
                    }
                },
                () -> {
                    world.network().unblock(fault.a(), fault.b());
                    if (bothWays) {
                        world.network().unblock(fault.b(), fault.a());
                    }
                });
    }

    private boolean crash(SimulatedNode victim, long downNs) {
        if (!victim.isAlive()) {
            return false;
        }
        victim.crash();
        world.restart(victim, downNs);
        return true;
    }

    /** All, or just those in sync, lose power within a moment, and come back one after the other. */
    private boolean power() {
        boolean any = false;
        View view = node.isStarted() ? node.store().truth().view(group()) : null;
        boolean all = view == null || fault.b() % 2 == 0;
        for (SimulatedNode victim : world.nodes()) {
            if (victim.isAlive() && (all || view.inSync().contains(victim.member()))) {
                any = true;
                world.in(world.between(0, 3_000_000), () -> crash(victim, lastsNs + world.between(0, 1_500_000_000L)));
            }
        }
        return any;
    }

    /**
     * One in three lasts until the node starts again or becomes master, if there are others to do without it. One at a time: behind a
     * member that stands still nobody is served, and two of them would take turns.
     */
    private boolean stall() {
        if (!node.isRegistered()
                || node.isMaster(group())
                || world.nodes().stream().anyMatch(SimulatedNode::isStalled)) {
            return false;
        }
        SimulatedMember copy = node.copy(group());
        copy.stall();
        if (fault.b() % 3 != 0 || world.isIgnoring()) {
            world.in(lastsNs, () -> node.happen(copy::resume));
        }
        return true;
    }

    private boolean clock() {
        long by = lastsNs * (fault.b() % 2 == 0 ? 20 : -1);
        node.jump(by);
        return node.isAlive();
    }

    private boolean join() {
        SimulatedMetadata store = world.newestStore();
        if (world.isIgnoring()) {
            return false;
        }
        for (SimulatedNode newcomer : world.nodes()) {
            if (!newcomer.isStarted()) {
                newcomer.join(store);
                store.voters().add(newcomer.number());
                newcomer.start();
                return true;
            }
        }
        return false;
    }

    private boolean leave() {
        long staying = world.nodes().stream()
                .filter(one -> one.isStarted() && !world.isLeaving(one.number()))
                .count();
        if (staying <= 3 || !node.isAlive() || world.isLeaving(node.number()) || world.isFounded()) {
            return false;
        }
        world.leaving().add(node.number());
        world.in(lastsNs + 1_500_000_000L, this::stopForGood);
        return true;
    }

    /** The node stops if nothing depends on it; else it stays after all. */
    private void stopForGood() {
        boolean needed = world.groups().stream().anyMatch(this::isNeededIn);
        if (needed || node.store() != world.newestStore() || !node.isAlive()) {
            world.leaving().remove(node.number());
            world.restart(node, lastsNs);
            return;
        }
        node.store().voters().remove(node.number());
        node.crash();
    }

    private boolean isNeededIn(String group) {
        View view = node.store().truth().view(group);
        return view == null
                || Stream.concat(view.inSync().stream(), view.others().stream())
                        .anyMatch(member -> member.node().equals(node.name()))
                || view.kept().contains(node.name());
    }

    private boolean policy() {
        if (!node.isStarted()) {
            return false;
        }
        if (fault.b() % 2 == 0) {
            int limit = 1 + (int) world.between(0, 2);
            node.store().submit(fault.a(), new Command.Limit(group(), limit));
            return true;
        }
        world.policy(
                world.chance(2)
                        ? new PlacementPolicy.Exactly(2)
                        : new PlacementPolicy.Nodes(List.of(node.name(), other.name())));
        world.in(lastsNs, () -> world.policy(new PlacementPolicy.All()));
        return true;
    }

    /** A late command: some members go, some come, whatever the view has become. */
    private boolean members() {
        if (!node.isStarted()) {
            return false;
        }
        List<String> wanted = new ArrayList<>();
        for (SimulatedNode one : world.nodes()) {
            if (!world.chance(3)) {
                wanted.add(one.name());
            }
        }
        Command command = new Command.Members(group(), wanted);
        world.in(world.between(0, 500_000_000), () -> node.store().commit(command));
        return true;
    }

    private boolean repeat() {
        if (!node.isStarted() || node.store().committedCount() < 3) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            int recent = Math.min(12, node.store().committedCount());
            int at = node.store().committedCount() - 1 - (int) world.between(0, recent);
            Command command = node.store().committed(at);
            world.in(world.between(0, 400_000_000), () -> node.store().commit(command));
        }
        return true;
    }

    /** A node is stopped and founds a new log from what it knows, if it knows itself to hold what was confirmed. */
    private boolean found() {
        if (!node.isRegistered()
                || world.isFounded()
                || world.isIgnoring()
                || !world.leaving().isEmpty()
                || !node.replica().notHeldBy(node.name()).isEmpty()) {
            return false;
        }
        node.crash();
        world.found(node);
        world.restart(node, lastsNs);
        return true;
    }
}
