package io.warren.mirroring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.metadata.Topology;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryMetadataClusterTest {
    private final MemoryMetadataCluster<String> cluster = new MemoryMetadataCluster<>(1, new Empty());
    private final MetadataStore<String> a = cluster.node("A");
    private final MetadataStore<String> b = cluster.node("B");
    private final MetadataStore<String> c = cluster.node("C");

    @Test
    void shouldApplyEveryCommandAtEveryNode() {
        assertThat(submit(a, up("A"))).isEqualTo(Result.APPLIED);

        assertThat(knows(b, "A")).isTrue();
        assertThat(knows(cluster.node("D"), "A")).isTrue();
    }

    @Test
    void shouldLeaveTheMinorityInTheDarkUntilHealed() {
        cluster.partition(Set.of("A"));

        assertThat(submit(a, up("A"))).isEqualTo(Result.UNKNOWN);
        assertThat(submit(b, up("B"))).isEqualTo(Result.APPLIED);
        assertThat(knows(a, "B")).isFalse();
        assertThat(cluster.controller()).isEqualTo("B");
        cluster.heal();

        assertThat(knows(a, "B")).isTrue();
        assertThat(knows(c, "A")).isFalse();
    }

    @Test
    void shouldSayUnknownWhetherTheCommandWasCommittedOrLost() {
        cluster.loseAnswers(1);
        assertThat(submit(a, up("A"))).isEqualTo(Result.UNKNOWN);
        cluster.loseCommands(1);
        assertThat(submit(a, up("B"))).isEqualTo(Result.UNKNOWN);

        assertThat(knows(c, "A")).isTrue();
        assertThat(knows(c, "B")).isFalse();
    }

    @Test
    void shouldTellViewsInOrderAndRefusals() {
        List<View> views = new ArrayList<>();
        b.subscribe(new MetadataListener() {
            @Override
            public void onView(String group, View view) {
                views.add(view);
            }

            @Override
            public void onGroupDeleted(String group) {}

            @Override
            public void onNodes() {}
        });

        assertThat(submit(a, new Command.CreateGroup<>("q", true, 1, List.of("A", "B"))))
                .isEqualTo(Result.REFUSED);
        submit(a, up("A"));
        submit(a, up("B"));
        submit(a, new Command.CreateGroup<>("q", true, 1, List.of("A", "B")));
        submit(a, new Command.Nodes<>(Map.of("A", Change.down(1))));

        assertThat(views).extracting(view -> view.inSync().size()).containsExactly(2, 1);
    }

    private static Result submit(MetadataStore<String> store, Command<String> command) {
        List<Result> answers = new ArrayList<>();
        store.submit(command, answers::add);
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    private static boolean knows(MetadataStore<String> store, String node) {
        return store.read(metadata -> metadata.node(node) != null);
    }

    private static Command<String> up(String node) {
        return new Command.Nodes<>(Map.of(node, Change.up(1, node)));
    }

    private static final class Empty implements Topology<String> {
        @Override
        public boolean apply(String command) {
            return true;
        }

        @Override
        public Topology<String> copy() {
            return this;
        }
    }
}
