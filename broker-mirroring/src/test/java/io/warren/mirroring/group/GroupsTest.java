package io.warren.mirroring.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.spi.ManualClock;
import io.warren.mirroring.link.DownReason;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.link.LinkListener;
import io.warren.mirroring.link.Links;
import io.warren.mirroring.link.MemoryNetwork;
import io.warren.mirroring.link.SeededExecutor;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.RingOptions;
import io.warren.mirroring.ring.View;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupsTest {
    private static final Duration BEAT = Duration.ofMillis(500);
    private static final List<String> ABC = List.of("a", "b", "c");

    private final ManualClock clock = new ManualClock();
    private final SeededExecutor executor = new SeededExecutor(3);
    private final MemoryNetwork<String> network = new MemoryNetwork<>(clock, clock, BEAT.toNanos());
    private final Map<String, Node> nodes = new TreeMap<>();

    GroupsTest() {
        clock.afterEachTask(executor::runAll);
    }

    /** A node with nothing but its groups. */
    private final class Node implements LinkListener<String> {
        final Links<String> links;
        final Groups<String> groups;
        final Map<String, RecordedGroup> outputs = new TreeMap<>();
        final List<Integer> messageTypes = new ArrayList<>();
        /** Turns that are held up; null while they are not. */
        Queue<Runnable> held;

        Node(String name) {
            Member self = new Member(name, 1);
            Executor turns = task -> {
                if (held != null) {
                    held.add(task);
                } else {
                    executor.execute(task);
                }
            };
            groups = new Groups<>(self, turns);
            links = network.join(self, executor, this);
            nodes.keySet().forEach(other -> links.keep(other, other));
            nodes.put(name, this);
        }

        Group<String> open(String group) {
            return open(group, GroupOptions.inMemory());
        }

        Group<String> open(String group, GroupOptions options) {
            RecordedGroup output = new RecordedGroup();
            outputs.put(group, output);
            return groups.open(group, 1, options, new Log<>(), output);
        }

        void holdTurns() {
            held = new ArrayDeque<>();
        }

        void releaseTurns() {
            Queue<Runnable> owed = held;
            held = null;
            owed.forEach(executor::execute);
        }

        @Override
        public void onUp(Link<String> link) {
            groups.onUp(link);
        }

        @Override
        public void onDown(Link<String> link, DownReason reason) {
            groups.onDown(link, reason);
        }

        @Override
        public void onRefused(Member peer) {}

        @Override
        public void onUnreached(String address, String why) {}

        @Override
        public void onFrame(Link<String> link, String group, Frame<String> frame, int bytes) {
            groups.onFrame(link, group, frame, bytes);
        }

        @Override
        public void onMessage(Link<String> link, String group, int type, byte[] body, int bytes) {
            messageTypes.add(type);
            groups.onMessage(link, group, type, body, bytes);
        }

        @Override
        public void onHeartbeat(Link<String> link, long[] values) {}
    }

    private static View view(long epoch, long reign, String... ring) {
        List<Member> members = IntStream.range(0, ring.length)
                .mapToObj(at -> new Member(ring[at], 1))
                .toList();
        return new View(1, epoch, reign, 0, 0, 1, true, members, List.of(), List.of());
    }

    private void start(String... groups) {
        ABC.forEach(Node::new);
        for (String group : groups) {
            ABC.forEach(name -> node(name).open(group).onView(view(1, 1, "a", "b", "c")));
        }
        executor.runAll();
    }

    private Node node(String name) {
        return nodes.computeIfAbsent(name, Node::new);
    }

    private Group<String> group(String node, String name) {
        return node(node).groups.group(name);
    }

    private List<String> delivered(String node, String group) {
        return node(node).outputs.get(group).delivered();
    }

    @Test
    void shouldDeliverEverywhereInOneOrderWhenAllBroadcast() {
        start("q");

        for (int number = 0; number < 30; number++) {
            String from = ABC.get(number % 3);
            group(from, "q").broadcast(from + number, true, 10);
            executor.runOne();
        }
        executor.runAll();

        assertThat(delivered("a", "q")).hasSize(30);
        assertThat(delivered("b", "q")).isEqualTo(delivered("a", "q"));
        assertThat(delivered("c", "q")).isEqualTo(delivered("a", "q"));
    }

    @Test
    void shouldGoOnWithoutTheMasterWhenItIsKilled() {
        start("q");
        group("c", "q").broadcast("before", true, 10);
        executor.runAll();

        network.kill("a");
        group("c", "q").broadcast("between", true, 10);
        executor.runAll();
        List.of("b", "c").forEach(name -> group(name, "q").onView(view(2, 2, "b", "c")));
        executor.runAll();

        assertThat(delivered("b", "q")).containsExactly("before", "between");
        assertThat(delivered("c", "q")).containsExactly("before", "between");
    }

    @Test
    void shouldServeAMemberWhenItsHelloCameBeforeTheGroupWasOpened() {
        ABC.forEach(Node::new);
        List.of("b", "c").forEach(name -> node(name).open("q").onView(view(1, 1, "a", "b", "c")));
        executor.runAll();

        Group<String> late = node("a").open("q");
        late.onView(view(1, 1, "a", "b", "c"));
        late.broadcast("at last", true, 10);
        executor.runAll();

        assertThat(delivered("c", "q")).containsExactly("at last");
    }

    @Test
    void shouldCatchUpWhenALinkBreaks() {
        start("q");

        network.reset("a", "b");
        group("a", "q").broadcast("lost with the link", true, 10);
        executor.runAll();
        clock.advance(BEAT);

        assertThat(delivered("c", "q")).containsExactly("lost with the link");
    }

    @Test
    void shouldStartAgainWithAPeerWhenItDoesNotKeepUp() {
        ABC.forEach(Node::new);
        View waitsForTwo = new View(
                1,
                1,
                1,
                0,
                0,
                1,
                true,
                List.of(new Member("a", 1), new Member("b", 1)),
                List.of(new Member("c", 1)),
                List.of());
        List.of("a", "b").forEach(name -> node(name).open("slow").onView(waitsForTwo));
        // Its disk never reports anything, so it is served and never proposed.
        node("c").open("slow", GroupOptions.onDisk()).onView(waitsForTwo);
        executor.runAll();
        node("c").holdTurns();

        for (int number = 0; number < 100; number++) {
            assertThat(group("a", "slow").broadcast("m" + number, true, 1 << 20))
                    .isTrue();
            executor.runAll();
        }
        assertThat(delivered("a", "slow")).hasSize(100);
        node("c").releaseTurns();
        executor.runAll();

        assertThat(node("c").messageTypes).containsExactly(Group.TYPE_START_AGAIN);
        assertThat(delivered("c", "slow")).isEqualTo(delivered("a", "slow"));
    }

    @Test
    void shouldRefuseABroadcastWhenTheWindowIsFull() {
        start("q");
        network.cut("a", "b");
        int bytes = (int) (RingOptions.defaults().windowBytes() / 4);

        long taken = IntStream.range(0, 6)
                .filter(number -> group("a", "q").broadcast("m" + number, true, bytes))
                .count();
        assertThat(taken).isEqualTo(4);
        executor.runAll();
        network.heal("a", "b");
        executor.runAll();

        assertThat(group("a", "q").broadcast("there is room", true, bytes)).isTrue();
    }

    @Test
    void shouldStopTheMemberAndSayWhyWhenItFails() {
        start("q");

        group("b", "q").post(ring -> {
            throw new IllegalStateException("broken on purpose");
        });
        executor.runAll();

        assertThat(node("b").outputs.get("q").lines()).contains("failed broken on purpose");
        assertThat(group("b", "q").broadcast("x", true, 1)).isFalse();
    }

    @Test
    void shouldRefuseToOpenAGroupTwice() {
        start("q");

        assertThatThrownBy(() -> node("a").open("q"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("group=q is open already");
    }

    @Test
    void shouldRunTheSameWhenTheSeedIsTheSame() {
        start("p", "q");
        for (int number = 0; number < 50; number++) {
            group(ABC.get(number % 3), number % 2 == 0 ? "p" : "q").broadcast("m" + number, true, 10);
            executor.runOne();
        }
        executor.runAll();

        GroupsTest again = new GroupsTest();
        again.start("p", "q");
        for (int number = 0; number < 50; number++) {
            again.group(ABC.get(number % 3), number % 2 == 0 ? "p" : "q").broadcast("m" + number, true, 10);
            again.executor.runOne();
        }
        again.executor.runAll();

        assertThat(again.delivered("b", "q")).isEqualTo(delivered("b", "q"));
        assertThat(again.delivered("c", "p")).isEqualTo(delivered("c", "p"));
    }
}
