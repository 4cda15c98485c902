package io.warren.mirroring.simulation;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LinkReports;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.metadata.Placement;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a node does as controller: declares nodes down, places members, and has one promoted where a policy will not wait. */
final class SimulatedController {
    private final Simulation world;
    private final SimulatedNode node;

    SimulatedController(Simulation world, SimulatedNode node) {
        this.world = world;
        this.node = node;
    }

    void control() {
        boolean settled = world.nowNs() - node.store().leaderSinceNs() > Simulation.DETECTION_NS;
        if (!settled) {
            return;
        }
        Map<String, Command.Change> dead = dead();
        if (!dead.isEmpty()) {
            submit(new Command.Nodes(dead));
        }
        for (String group : world.groups()) {
            View view = node.replica().view(group);
            if (view != null && view.up() && dead.isEmpty()) {
                place(group, view);
            } else if (view != null
                    && !view.up()
                    && world.isAlways()
                    && !view.others().isEmpty()) {
                Command.Claim oldest =
                        new Command.Claim(group, view.epoch(), view.others().get(0));
                submit(new Command.Promote(node.store().logId().id(), List.of(oldest)));
            }
        }
    }

    private Map<String, Command.Change> dead() {
        Map<String, Command.Change> dead = new TreeMap<>();
        for (Map.Entry<String, NodeState> known : node.replica().nodes().entrySet()) {
            int other = Simulation.number(known.getKey());
            if (known.getValue().running()
                    && other != node.number()
                    && node.isDownFor(other, Simulation.DETECTION_NS)) {
                dead.put(known.getKey(), Command.Change.down(known.getValue().incarnation()));
            }
        }
        return dead;
    }

    private void submit(Command command) {
        node.store().submit(node.number(), command);
    }

    /** A node the controller cannot reach has not told it of cut links. */
    private boolean isUnreported(String other) {
        return !node.isLinked(Simulation.number(other)) && !other.equals(node.name());
    }

    private boolean isSteady(String a, String b, boolean asUp) {
        return world.network().isSteady(Simulation.number(a), Simulation.number(b), asUp, Simulation.DETECTION_NS);
    }

    private void place(String group, View view) {
        List<String> ring = view.ring().stream().map(Member::node).toList();
        LinkReports notCut = (a, b) -> isUnreported(a) || isUnreported(b) || !isSteady(a, b, false);
        List<String> wanted = Placement.withoutCut(view, notCut);
        if (wanted.equals(ring)) {
            List<String> running = node.replica().nodes().keySet().stream()
                    .filter(other -> node.replica().runningMember(other) != null)
                    .filter(other -> !world.isLeaving(Simulation.number(other)))
                    .toList();
            wanted = new ArrayList<>(Placement.place(
                    world.policy(), view, running, (a, b) -> isSteady(a, b, true), node.replica()::masters));
            wanted.removeIf(other -> world.isLeaving(Simulation.number(other)));
        }
        if (!wanted.equals(ring) && !wanted.isEmpty()) {
            submit(new Command.Members(group, wanted));
        }
    }
}
