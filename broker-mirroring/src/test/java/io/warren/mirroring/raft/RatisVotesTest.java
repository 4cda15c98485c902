package io.warren.mirroring.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who votes: given up on stop, asked back at start, taken from the dead; and one that goes on alone. */
class RatisVotesTest {
    @TempDir
    private Path directory;

    private RaftCluster cluster;

    @BeforeEach
    void create() {
        cluster = new RaftCluster(directory);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void shouldGiveUpVotesOnStopAndAskForThemOnStart() throws Exception {
        cluster.with("A", "B", "C");
        cluster.submit("A", RaftCluster.up("D"));

        assertThat(cluster.stop("A")).isTrue();
        assertThat(cluster.stop("B")).isTrue();
        await().atMost(RaftCluster.LIMIT).until(() -> cluster.node("C").voters().equals(Set.of("C")));
        assertThat(cluster.submitUntilKnown("C", RaftCluster.up("E"))).isEqualTo(Result.APPLIED);
        assertThat(cluster.stop("C")).isTrue();

        RatisMetadataStore stoppedEarlier = cluster.start("A", cluster.restarting("A"));
        RatisMetadataStore stoppedLast = cluster.restart("C");
        stoppedEarlier.voting().get(RaftCluster.LIMIT.toSeconds(), TimeUnit.SECONDS);
        cluster.restart("B");

        assertThat(stoppedLast.voters()).isEqualTo(Set.of("A", "B", "C"));
        await().atMost(RaftCluster.LIMIT).until(() -> cluster.knows("A", "E") && cluster.knows("B", "E"));
    }

    @Test
    void shouldTakeTheVotesOfTheDeadAlongWhenOneStops() throws Exception {
        cluster.with("A", "B", "C");
        String dead = cluster.leader().equals("C") ? "B" : "C";
        cluster.kill(dead);
        String stopping = cluster.names().get(0);

        assertThat(cluster.stop(stopping, dead)).isTrue();

        String last = cluster.names().get(0);
        await().atMost(RaftCluster.LIMIT)
                .until(() -> cluster.node(last).voters().equals(Set.of(last)));
        assertThat(cluster.submitUntilKnown(last, RaftCluster.up("D"))).isEqualTo(Result.APPLIED);
    }

    @Test
    @Timeout(60)
    void shouldNotWaitForAMajorityThatIsGoneWhenItStops() {
        cluster.with("A", "B");
        cluster.kill("A");

        assertThat(cluster.node("B").stop(Set.of(), Duration.ofDays(1))).isFalse();
    }

    @Test
    void shouldAskForItsVoteBackWhenOthersHaveTakenItMeanwhile() {
        cluster.with("A", "B", "C");
        String removed = cluster.leader().equals("C") ? "B" : "C";
        String stopping = cluster.names().stream()
                .filter(name -> !name.equals(removed))
                .findFirst()
                .orElseThrow();

        assertThat(cluster.stop(stopping, removed)).isTrue();

        Set<String> running = Set.copyOf(cluster.names());
        await().atMost(RaftCluster.LIMIT)
                .until(() -> cluster.node(removed).voters().equals(running));
        assertThat(cluster.submitUntilKnown(removed, RaftCluster.up("D"))).isEqualTo(Result.APPLIED);
    }

    @Test
    void shouldLetALoneSurvivorFoundALogWithAllThatIsInItsCopy() throws Exception {
        cluster.with("A", "B");
        cluster.submit("A", RaftCluster.up("A"));
        cluster.submit("A", RaftCluster.up("B"));
        cluster.submit("A", RaftCluster.group(0));
        cluster.submit("A", new Command.CreateGroup("held", true, 1, List.of("A", "B")));
        // The command is answered when A has applied it.
        await().atMost(RaftCluster.LIMIT)
                .until(() -> cluster.node("B").<Boolean>read(metadata -> metadata.view("held") != null));
        cluster.kill("A");
        List<Long> followed = new CopyOnWriteArrayList<>();
        cluster.node("B").subscribe(new MetadataListener() {
            @Override
            public void onFollowing(Metadata state) {
                followed.add(state.logId().id());
            }
        });

        LogId founded = cluster.node("B").found(2).get(RaftCluster.LIMIT.toSeconds(), TimeUnit.SECONDS);

        assertThat(founded).isEqualTo(new LogId(2, List.of(1L), 2));
        await().atMost(RaftCluster.LIMIT).until(() -> followed.equals(List.of(1L, 2L)));
        assertThat(cluster.submitUntilKnown("B", RaftCluster.up("D"))).isEqualTo(Result.APPLIED);
        assertThat(cluster.node("B")
                        .<Boolean>read(metadata -> metadata.view("held").logId() == 2))
                .isTrue();
        cluster.kill("B");
        cluster.restart("B");
        assertThat(cluster.knows("B", "D")).isTrue();

        RatisMetadataStore loser = cluster.start("A", cluster.restarting("A"));
        loser.goOverTo(2, List.of(cluster.node("B").address())).get(RaftCluster.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(cluster.knows("A", "D")).isTrue();
        assertThat(loser.read(Metadata::logId)).isEqualTo(founded);
    }

    @Test
    void shouldEndAtTheLogOfTheNodeThatJoinedFirstWhenTwoFoundedApart() throws Exception {
        cluster.with("A", "B");
        cluster.submit("A", RaftCluster.up("A"));
        cluster.submit("A", RaftCluster.up("B"));
        await().atMost(RaftCluster.LIMIT).until(() -> cluster.knows("B", "B"));
        cluster.kill("A");
        cluster.node("B").found(2).get(RaftCluster.LIMIT.toSeconds(), TimeUnit.SECONDS);
        cluster.submitUntilKnown("B", RaftCluster.up("only in B's"));
        cluster.kill("B");
        cluster.start("A", cluster.restarting("A"));
        cluster.node("A").found(3).get(RaftCluster.LIMIT.toSeconds(), TimeUnit.SECONDS);
        cluster.submitUntilKnown("A", RaftCluster.up("only in A's"));

        cluster.start("B", cluster.restarting("B"));

        await().atMost(RaftCluster.LIMIT).until(() -> cluster.knows("B", "only in A's"));
        assertThat(cluster.knows("B", "only in B's")).isFalse();
        await().atMost(RaftCluster.LIMIT).until(() -> cluster.node("A").voters().equals(Set.of("A", "B")));
        assertThat(cluster.submitUntilKnown("B", RaftCluster.up("D"))).isEqualTo(Result.APPLIED);
        assertThat(cluster.node("B").read(Metadata::logId)).isEqualTo(new LogId(3, List.of(1L), 1));
    }

    @Test
    void shouldGoOverByItselfWhenItsOnlyPeerHasFoundedALogMeanwhile() throws Exception {
        cluster.with("A", "B");
        cluster.submit("A", RaftCluster.up("A"));
        cluster.submit("A", RaftCluster.up("B"));
        await().atMost(RaftCluster.LIMIT).until(() -> cluster.knows("B", "B"));
        cluster.kill("A");
        cluster.node("B").found(2).get(RaftCluster.LIMIT.toSeconds(), TimeUnit.SECONDS);
        cluster.submitUntilKnown("B", RaftCluster.up("D"));

        cluster.restart("A");

        assertThat(cluster.knows("A", "D")).isTrue();
        await().atMost(RaftCluster.LIMIT).until(() -> cluster.node("B").voters().equals(Set.of("A", "B")));
    }

    @Test
    void shouldNotAskForItsVoteBackWhenItWasForgotten() {
        cluster.with("A", "B", "C");
        for (String name : List.of("A", "B", "C")) {
            cluster.submit("A", RaftCluster.up(name));
        }
        cluster.kill("C");
        cluster.submitUntilKnown("A", new Command.Nodes(Map.of("C", Command.Change.down(1))));
        cluster.submitUntilKnown("A", new Command.Forget("C"));
        cluster.node("A").dropVote("C", RaftCluster.LIMIT).join();

        RatisMetadataStore forgotten = cluster.start("C", cluster.restarting("C"));

        assertThatThrownBy(() -> forgotten.voting().get(RaftCluster.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .hasMessageContaining("node 'C' was forgotten by its cluster, whose nodes are [A, B]");
        assertThat(voters("A")).containsExactlyInAnyOrder("A", "B");
    }

    private Set<String> voters(String name) {
        try {
            return cluster.node(name).voters();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
