package io.warren.mirroring.simulation;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueDefinition;
import io.warren.mirroring.metadata.TopologyOutput;
import io.warren.mirroring.ring.Member;
import java.util.HashSet;
import java.util.Set;

/**
 * Clients that declare queues through one node and delete them through another, and what they were told.
 *
 * <p>Lemma 15: whoever is told that a command is applied finds it so at every running node; and what was deleted stays deleted.
 */
final class SimulatedClients {
    static final long DEADLINE_NS = 15_000_000_000L;
    private static final int QUEUES = 16;

    private final Simulation world;
    private final Set<String> declared = new HashSet<>();
    private final Set<String> deleted = new HashSet<>();

    /** @param declares whether the queue is declared; else it is deleted */
    record Asked(String queue, boolean declares) {}

    SimulatedClients(Simulation world) {
        this.world = world;
    }

    void begin() {
        for (int number = 0; number < QUEUES; number++) {
            String queue = "t" + number;
            world.at(world.between(100_000_000, Simulation.FAULTS_END_NS), () -> declare(queue));
        }
    }

    private void declare(String queue) {
        ask(
                new Command.DeclareQueue("/", new QueueDefinition(queue, true, false, null, FieldTable.EMPTY)),
                new Asked(queue, true));
    }

    private void ask(Command command, Asked asked) {
        SimulatedNode through = world.node((int) world.between(0, world.nodes().size()));
        if (through.isRegistered() && through.isResponding()) {
            world.trace(() -> through.name() + " is asked for " + asked);
            if (!asked.declares()) {
                declared.remove(asked.queue());
            }
            through.topology().request(command, asked, world.nowNs());
        }
    }

    private void onAnswer(Asked asked, Outcome outcome, SimulatedNode through) {
        world.trace(() -> through.name() + " answers " + asked);
        world.countLemma(outcome.refusal() == null, 15, () -> asked + " was refused: " + outcome.refusal());
        for (SimulatedNode node : world.nodes()) {
            Member running = through.store().truth().runningMember(node.name());
            if (node.isRegistered()
                    && node.store() == through.store()
                    && node.member().equals(running)) {
                world.countLemma(
                        isThere(asked.queue(), node.replica().topology()) == asked.declares(),
                        15,
                        () -> asked + " was answered by " + through.name() + " and is not so at " + node.name());
            }
        }
        if (!asked.declares()) {
            deleted.add(asked.queue());
            return;
        }
        declared.add(asked.queue());
        Queue queue = queue(asked.queue(), outcome.definitions());
        if (queue != null && world.chance(2)) {
            world.in(
                    world.between(0, 400_000_000),
                    () -> ask(
                            new Command.DeleteQueue("/", asked.queue(), queue.id()), new Asked(asked.queue(), false)));
        }
    }

    /** In the end everyone has the same topology, and it is what clients were told. */
    void check(boolean founded) {
        Definitions truth = world.newestStore().truth().topology();
        for (SimulatedNode node : world.nodes()) {
            if (node.isRegistered()) {
                world.countLemma(
                        node.replica().topology().equals(truth),
                        15,
                        () -> node.name() + " has another topology in the end");
            }
        }
        if (founded) {
            return;
        }
        declared.forEach(
                queue -> world.countLemma(isThere(queue, truth), 15, () -> queue + " was declared and is gone"));
        deleted.forEach(
                queue -> world.countLemma(!isThere(queue, truth), 15, () -> queue + " was deleted and is back"));
    }

    private static boolean isThere(String queue, Definitions topology) {
        return queue(queue, topology) != null;
    }

    private static Queue queue(String name, Definitions topology) {
        return topology.vhost("/").queue(name);
    }

    /** One node's end. */
    static final class Output implements TopologyOutput<Asked> {
        private final Simulation world;
        private final SimulatedNode node;

        Output(Simulation world, SimulatedNode node) {
            this.world = world;
            this.node = node;
        }

        @Override
        public void submit(io.warren.mirroring.metadata.Command.ForTopology group) {
            node.store().submit(node.number(), group);
        }

        @Override
        public void answer(Asked caller, Outcome outcome) {
            world.clients().onAnswer(caller, outcome, node);
        }

        @Override
        public void expire(Asked caller, String why) {
            world.trace(() -> node.name() + " gives up " + caller + ": " + why);
        }
    }
}
