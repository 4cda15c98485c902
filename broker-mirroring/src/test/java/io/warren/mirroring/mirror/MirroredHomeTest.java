package io.warren.mirroring.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueDefinition;
import io.warren.core.metadata.QueueSettings;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where a mirrored queue lives, and whether it can be used there. */
class MirroredHomeTest {
    private final Set<String> running = new HashSet<>(Set.of("a", "b", "c"));
    private final Set<String> inaccessible = new HashSet<>();
    private final Queue queue = new Queue(
            1,
            new QueueDefinition("q", true, false, null, FieldTable.EMPTY, "a"),
            QueueSettings.plain("/", "q"),
            null,
            null);
    private final MirroredHome home = new MirroredHome("/", queue, new Nodes(), null);

    private final class Nodes implements Mirrors.Host {
        @Override
        public void onMoved(long queueId) {}

        @Override
        public void onRoutes() {}

        @Override
        public boolean isRunning(String node) {
            return running.contains(node);
        }

        @Override
        public boolean isInaccessible(String node) {
            return inaccessible.contains(node);
        }

        @Override
        public void onLeads(long queueId) {}
    }

    private static View view(boolean up, List<String> inSync, List<String> others) {
        return new View(7, 3, 3, 0, 0, 1, up, members(inSync), members(others), List.of());
    }

    private static List<Member> members(List<String> nodes) {
        return nodes.stream().map(node -> new Member(node, 1)).toList();
    }

    @Test
    void shouldLiveWhereItWasDeclaredUntilItsGroupIsKnown() {
        assertThat(home.node()).isEqualTo("a");
        assertThat(home.isAvailable()).isTrue();
        assertThat(home.slaves()).isEmpty();

        running.remove("a");

        assertThat(home.isAvailable()).isFalse();
    }

    @Test
    void shouldLiveAtTheMasters() {
        home.onView(view(true, List.of("b", "c"), List.of("a")));

        assertThat(home.node()).isEqualTo("b");
        assertThat(home.slaves()).containsExactly("c", "a");
        assertThat(home.synchronisedSlaves()).containsExactly("c");
    }

    /** Else a publish would find no queue in the moment between the master's end and the next view, and be confirmed. */
    @Test
    void shouldBeAvailableWhileItIsAboutToMove() {
        home.onView(view(true, List.of("a", "b"), List.of()));

        running.remove("a");

        assertThat(home.isAvailable()).isTrue();
    }

    @Test
    void shouldNotBeAvailableWhileNobodyHoldsItOrThereIsNoWay() {
        home.onView(view(true, List.of("a", "b"), List.of()));
        inaccessible.add("a");
        assertThat(home.isAvailable()).isFalse();
        inaccessible.clear();

        home.onView(view(false, List.of("a", "b"), List.of()));

        assertThat(home.isAvailable()).isFalse();
        assertThat(home.node()).isEqualTo("a");
        assertThat(home.synchronisedSlaves()).isEmpty();
    }

    @Test
    void shouldStayWithTheLastMasterWhenItIsMirroredNoMore() {
        home.onAlone(view(true, List.of("b"), List.of()));
        assertThat(home.isAvailable()).isTrue();

        running.remove("b");

        assertThat(home.isAvailable()).isFalse();
    }
}
