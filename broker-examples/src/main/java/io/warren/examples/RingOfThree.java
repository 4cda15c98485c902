package io.warren.examples;

import io.warren.mirroring.memory.MemoryMetadataCluster;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.ring.View;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Three members of one ring: a broadcast reaches all, the master is killed, the second takes over. */
public final class RingOfThree implements MetadataListener {
    private static final List<String> NODES = List.of("A", "B", "C");

    private final MemoryMetadataCluster metadata = new MemoryMetadataCluster(1);
    private final Map<String, RingNode> nodes = new TreeMap<>();
    /** What is on its way between the nodes and to their disks: one thread does it all, in order. */
    private final Deque<Runnable> underWay = new ArrayDeque<>();

    private RingOfThree() {}

    public static void main(String[] arguments) {
        RingOfThree ring = new RingOfThree();
        NODES.forEach(ring::start);
        ring.metadata.node("C").subscribe(ring);
        ring.submit(new Command.CreateGroup("queue", true, 2, NODES));
        ring.broadcast("C", "all of us");
        System.out.println("A is killed");
        ring.nodes.remove("A");
        ring.submit(new Command.Nodes(Map.of("A", Change.down(1))));
        ring.broadcast("C", "the two of us");
    }

    private void start(String name) {
        nodes.put(name, new RingNode(name, nodes, underWay));
        NODES.forEach(other -> node(name).member().onLinkUp(other));
        submit(new Command.Nodes(Map.of(name, Change.up(1, name))));
    }

    private void submit(Command command) {
        metadata.node("C").submit(command, result -> {});
        settle();
    }

    private void broadcast(String from, String what) {
        node(from).member().broadcast(what, true, what.length());
        settle();
    }

    @Override
    public void onView(String group, View view) {
        System.out.println(view);
        nodes.values().forEach(node -> node.member().onView(view));
    }

    private void settle() {
        while (!underWay.isEmpty()) {
            underWay.remove().run();
        }
    }

    private RingNode node(String name) {
        return Objects.requireNonNull(nodes.get(name));
    }
}
