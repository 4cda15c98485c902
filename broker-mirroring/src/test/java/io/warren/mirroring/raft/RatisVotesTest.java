package io.warren.mirroring.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.Result;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
}
