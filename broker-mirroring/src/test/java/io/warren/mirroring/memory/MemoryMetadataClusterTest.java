package io.warren.mirroring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.MetadataStoreContract;
import io.warren.mirroring.metadata.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryMetadataClusterTest extends MetadataStoreContract {
    private final MemoryMetadataCluster cluster = new MemoryMetadataCluster(1);
    private final MetadataStore a = cluster.node("A");
    private final MetadataStore b = cluster.node("B");
    private final MetadataStore c = cluster.node("C");

    @Override
    protected MetadataStore node(String name) {
        return cluster.node(name);
    }

    @Override
    protected void isolate(String name) {
        cluster.partition(Set.of(name));
    }

    @Override
    protected void heal() {
        cluster.heal();
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
    void shouldGoOverToTheFoundedLogWhenTheNodesMeetAgain() {
        List<Long> followed = new ArrayList<>();
        a.subscribe(new MetadataListener() {
            @Override
            public void onFollowing(Metadata state) {
                followed.add(state.logId().id());
            }
        });
        submit(a, up("A"));
        submit(b, up("B"));
        cluster.partition(Set.of("B"));

        cluster.found("B", 2);

        assertThat(submit(b, up("D"))).isEqualTo(Result.APPLIED);
        assertThat(submit(a, up("C"))).isEqualTo(Result.APPLIED);
        cluster.heal();
        assertThat(followed).containsExactly(1L, 2L);
        assertThat(knows(a, "D")).isTrue();
        assertThat(knows(a, "C")).isFalse();
        boolean runs = a.read(metadata -> metadata.runningMember("A") != null);
        assertThat(runs).isFalse();
    }

    @Test
    void shouldEndAtTheLogOfTheNodeThatJoinedFirstWhenTwoFoundedApart() {
        submit(a, up("A"));
        submit(b, up("B"));
        cluster.partition(Set.of("A"));

        cluster.found("B", 2);
        cluster.found("A", 3);

        assertThat(List.of(logOf(a), logOf(b), logOf(c))).containsExactly(3L, 2L, 2L);
        cluster.heal();
        assertThat(List.of(logOf(a), logOf(b), logOf(c))).containsOnly(3L);
    }

    private static Result submit(MetadataStore store, Command command) {
        List<Result> answers = new ArrayList<>();
        store.submit(command, answers::add);
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    private static long logOf(MetadataStore store) {
        return store.read(metadata -> metadata.logId().id());
    }

    private static boolean knows(MetadataStore store, String node) {
        return store.read(metadata -> metadata.node(node) != null);
    }

    private static Command up(String node) {
        return new Command.Nodes(Map.of(node, Change.up(1, node)));
    }
}
