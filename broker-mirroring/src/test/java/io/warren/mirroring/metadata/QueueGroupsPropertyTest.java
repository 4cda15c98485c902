package io.warren.mirroring.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.metadata.Mirroring;
import io.warren.core.metadata.Queue;
import io.warren.mirroring.metadata.format.StateBytes;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random histories of queues, policies, nodes and members; after each command what the groups' class promises. */
class QueueGroupsPropertyTest {
    private static final int HISTORIES = 150;
    private static final int STEPS = 60;
    private static final List<String> NODES = List.of("A", "B", "C", "D");
    private static final List<String> QUEUES = List.of("p", "q", "r", "s");

    @Test
    void shouldKeepItsInvariantsInEveryHistory() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            new History(seed).run();
        }
    }

    private static final class History {
        private final Random random;
        private final List<String> trace = new ArrayList<>();
        private final MirroredTopology topology = new MirroredTopology();
        private final long seed;

        History(long seed) {
            this.seed = seed;
            random = new Random(seed);
        }

        void run() {
            topology.up("A", "B", "C");
            for (int step = 0; step < STEPS; step++) {
                topology.news();
                int kind = random.nextInt(12);
                try {
                    step(kind);
                    check();
                } catch (AssertionError | RuntimeException failure) {
                    throw new AssertionError("seed " + seed + ": " + String.join(", ", trace), failure);
                }
            }
        }

        private void step(int kind) {
            List<String> running = NodeState.namesOfRunning(topology.metadata().nodes());
            String node = one(NODES);
            String queue = one(QUEUES);
            if (kind <= 2 && !running.isEmpty()) {
                declare(one(running), queue);
            } else if (kind == 3 && !running.isEmpty() && topology.queue(queue) != null) {
                trace.add("delete " + queue);
                topology.submit(topology.delete(queue));
            } else if (kind <= 5 && !running.isEmpty()) {
                policy(one(running));
            } else if (kind == 6) {
                down(running);
            } else if (kind <= 8) {
                trace.add("up " + node);
                topology.up(node);
            } else if (kind == 9 && !running.isEmpty()) {
                forget(node);
            } else if (kind == 10) {
                trace.add("snapshot");
                topology.replaceBy(
                        StateBytes.read(StateBytes.of(topology.metadata().state())));
            } else {
                claim(queue);
            }
        }

        private void declare(String at, String queue) {
            int what = random.nextInt(3);
            trace.add("declare " + queue + " kind " + what + " at " + at);
            topology.submitAt(
                    at,
                    what == 0
                            ? MirroredTopology.durable(queue)
                            : what == 1 ? MirroredTopology.transientQueue(queue) : MirroredTopology.exclusive(queue));
        }

        private void policy(String at) {
            int what = random.nextInt(5);
            List<String> listed = NODES.subList(0, 1 + random.nextInt(3));
            int copies = 1 + random.nextInt(3);
            trace.add("policy " + what + " " + listed + " " + copies);
            topology.submitAt(
                    at,
                    switch (what) {
                        case 0 -> MirroredTopology.all();
                        case 1 -> MirroredTopology.exactly(copies);
                        case 2 -> MirroredTopology.on(listed.toArray(String[]::new));
                        case 3 -> MirroredTopology.policy("p", 0, "ha-mode", "all", "ha-min-insync", copies);
                        default -> MirroredTopology.noPolicy();
                    });
        }

        private void down(List<String> running) {
            Set<String> down = new TreeSet<>();
            running.stream().filter(each -> random.nextInt(3) == 0).forEach(down::add);
            trace.add("down " + down);
            topology.down(down.toArray(String[]::new));
        }

        private void forget(String node) {
            trace.add("forget " + node);
            topology.metadata().apply(new Command.Forget(node));
        }

        /** A member comes in sync, lags, or is promoted. */
        private void claim(String queue) {
            if (topology.queue(queue) == null || !topology.hasGroup(queue)) {
                return;
            }
            View view = topology.view(queue);
            List<Member> members = new ArrayList<>(view.others());
            int what = random.nextInt(4);
            if (what == 0) {
                members.addAll(view.inSync());
            }
            if (members.isEmpty()) {
                return;
            }
            String node = members.get(random.nextInt(members.size())).node();
            if (topology.metadata().runningMember(node) == null) {
                return;
            }
            trace.add("claim " + what + " " + queue + " " + node);
            boolean isInSync =
                    view.inSync().stream().anyMatch(member -> member.node().equals(node));
            if (what == 0 && isInSync && random.nextBoolean()) {
                topology.handOver(queue, node);
            } else if (what == 0) {
                topology.lagging(queue, node);
            } else if (view.up()) {
                topology.inSync(queue, node);
            } else if (what == 1) {
                topology.promote(queue, node);
            }
        }

        private <T> T one(List<T> values) {
            return values.get(random.nextInt(values.size()));
        }

        // ------------------------------------------------------------------------------------------- what holds

        private void check() {
            Metadata metadata = topology.metadata();
            Set<String> groups = new HashSet<>();
            metadata.groups().forEach(groups::add);
            Set<String> expected = new HashSet<>();
            for (String name : QUEUES) {
                Queue queue = topology.queue(name);
                Mirroring mirroring = queue == null ? null : QueueGroups.mirroring(queue);
                if (queue != null && mirroring != null) {
                    check(queue, mirroring, expected);
                }
            }
            assertThat(groups).isEqualTo(expected);
            metadata.groups().forEach(group -> assertThat(oneViewOf(group))
                    .as("views of one command, of " + group + " in " + topology.told)
                    .isLessThanOrEqualTo(1));
            assertThat(topology.told.stream().filter(line -> line.startsWith("moved")))
                    .allMatch(this::hasMoved);
        }

        private long oneViewOf(String group) {
            return topology.told.stream()
                    .filter(line -> line.startsWith(group + " "))
                    .count();
        }

        private boolean hasMoved(String line) {
            String[] words = line.split(" ", -1);
            return topology.queue(words[1]) == null || words[3].equals(topology.home(words[1]));
        }

        private void check(Queue queue, Mirroring mirroring, Set<String> expected) {
            Metadata metadata = topology.metadata();
            String group = QueueGroups.name(queue.id());
            View view = metadata.view(group);
            String home = Objects.requireNonNull(queue.definition().home());
            boolean isHomeRunning = metadata.runningMember(home) != null;
            assertThat(queue.definition().isExclusive()).isFalse();
            if (view == null) {
                assertThat(isHomeRunning).as(queue.name() + " has no group").isFalse();
                assertThat(queue.definition().durable()).isTrue();
                return;
            }
            expected.add(group);
            Member master = view.master();
            assertThat(home).isEqualTo(master == null ? view.inSync().get(0).node() : master.node());
            assertThat(view.minInSync()).isEqualTo(mirroring.inSyncMin());
            assertThat(new HashSet<>(view.ring())).hasSameSizeAs(view.ring());
            if (master == null) {
                assertThat(queue.definition().durable()).isTrue();
                assertThat(view.inSync()).noneMatch(this::isRunning);
                assertThat(view.kept()).noneMatch(node -> metadata.runningMember(node) != null);
                return;
            }
            assertThat(view.ring()).allMatch(this::isRunning);
            placed(mirroring, view);
        }

        private boolean isRunning(Member member) {
            return member.equals(topology.metadata().runningMember(member.node()));
        }

        /** No more members than the policy asks for; who is missing was found lagging, and would be wanted. */
        private void placed(Mirroring mirroring, View view) {
            List<String> ring = view.ring().stream().map(Member::node).toList();
            switch (mirroring.mode()) {
                case EXACTLY -> assertThat(ring).hasSizeLessThanOrEqualTo(mirroring.copies());
                case NODES -> {
                    boolean isListed = view.inSync().stream()
                            .anyMatch(member -> mirroring.nodes().contains(member.node()));
                    assertThat(ring.stream()
                                    .filter(node -> !mirroring.nodes().contains(node))
                                    .count())
                            .isLessThanOrEqualTo(isListed ? 0 : 1);
                }
                case ALL -> {}
            }
            List<String> wanted = Objects.requireNonNull(topology.metadata().wanted(QueueGroups.name(idOf(view))));
            assertThat(wanted).containsAll(ring);
        }

        private long idOf(View view) {
            return QUEUES.stream()
                    .map(topology::queue)
                    .filter(queue ->
                            queue != null && view.equals(topology.metadata().view(QueueGroups.name(queue.id()))))
                    .findFirst()
                    .orElseThrow()
                    .id();
        }
    }
}
