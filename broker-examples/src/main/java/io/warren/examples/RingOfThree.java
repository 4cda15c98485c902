package io.warren.examples;

import io.warren.core.spi.ManualClock;
import io.warren.mirroring.group.Group;
import io.warren.mirroring.group.GroupOptions;
import io.warren.mirroring.group.Groups;
import io.warren.mirroring.link.Links;
import io.warren.mirroring.link.MemoryNetwork;
import io.warren.mirroring.memory.MemoryMetadataCluster;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Member;
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
    private final ManualClock clock = new ManualClock();
    private final MemoryNetwork<String> network = new MemoryNetwork<>(clock, clock, 500_000_000L);
    private final Map<String, Group<String>> members = new TreeMap<>();
    /** What is on its way between the nodes: one thread does it all, in order. */
    private final Deque<Runnable> underWay = new ArrayDeque<>();

    private RingOfThree() {}

    public static void main(String[] arguments) {
        RingOfThree ring = new RingOfThree();
        NODES.forEach(ring::start);
        ring.metadata.node("C").subscribe(ring);
        ring.submit(new Command.CreateGroup("queue", true, 2, NODES));
        ring.broadcast("C", "all of us");
        System.out.println("A is killed");
        ring.network.kill("A");
        ring.submit(new Command.Nodes(Map.of("A", Change.down(1))));
        ring.broadcast("C", "the two of us");
    }

    private void start(String name) {
        Groups<String> groups = new Groups<>(new Member(name, 1), underWay::add);
        Links<String> links = network.join(new Member(name, 1), underWay::add, groups);
        members.keySet().forEach(other -> links.keep(other, other));
        members.put(name, groups.open("queue", 1, GroupOptions.inMemory(), new Log<>(), new RingNode(name)));
        submit(new Command.Nodes(Map.of(name, Change.up(1, name))));
    }

    private void submit(Command command) {
        metadata.node("C").submit(command, result -> {});
        settle();
    }

    private void broadcast(String from, String what) {
        Objects.requireNonNull(members.get(from)).broadcast(what, true, what.length());
        settle();
    }

    @Override
    public void onView(String group, View view) {
        System.out.println(view);
        members.values().forEach(member -> member.onView(view));
    }

    private void settle() {
        while (!underWay.isEmpty()) {
            underWay.remove().run();
        }
    }
}
