package io.warren.mirroring.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.warren.mirroring.metadata.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The store over Ratis where it differs from the one in memory: disks, deaths, the port. */
class RatisMetadataStoreTest {
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
    void shouldGoOnFromTheLogWhenAllHaveDied() {
        cluster.with("A", "B", "C");
        cluster.submit("B", RaftCluster.up("D"));
        CompletableFuture.allOf(cluster.killLater("A"), cluster.killLater("B"), cluster.killLater("C"))
                .join();

        cluster.restartAll(List.of("C", "A", "B"));

        cluster.leader();
        assertThat(cluster.submitUntilKnown("A", RaftCluster.up("E"))).isEqualTo(Result.APPLIED);
        assertThat(cluster.knows("A", "D")).isTrue();
        await().atMost(RaftCluster.LIMIT).until(() -> cluster.knows("C", "E"));
    }

    @Test
    void shouldGoOnFromASnapshotAndDropTheLogItCovers() throws Exception {
        cluster.withSnapshotEvery(20).form("A", 7);
        for (int i = 0; i < 60; i++) {
            assertThat(cluster.submit("A", RaftCluster.up("N" + i))).isEqualTo(Result.APPLIED);
        }
        Path log = RaftEngine.directory(cluster.settings("A"), 7);
        await().atMost(RaftCluster.LIMIT).until(() -> count(log.resolve("sm"), "snapshot") >= 2);
        cluster.kill("A");

        cluster.restart("A");

        assertThat(cluster.knows("A", "N0")).isTrue();
        assertThat(cluster.knows("A", "N59")).isTrue();
        cluster.join("B");
        await().atMost(RaftCluster.LIMIT).until(() -> cluster.knows("B", "N59") && cluster.knows("B", "N0"));
    }

    @Test
    void shouldAnswerEveryCommandAndApplyEachOnceWhenTheLeaderIsKilledMeanwhile() {
        cluster.with("A", "B", "C");
        String leader = cluster.leader();
        String client = leader.equals("B") ? "C" : "B";
        cluster.submit(client, RaftCluster.up("P"));
        int groups = 200;
        ConcurrentHashMap<Integer, Result> answers = new ConcurrentHashMap<>();
        for (int i = 0; i < groups; i++) {
            int number = i;
            cluster.node(client).submit(RaftCluster.group(number), result -> answers.put(number, result));
            if (i == groups / 2) {
                cluster.kill(leader);
            }
        }

        await().atMost(RaftCluster.LIMIT).until(() -> answers.size() == groups);
        answers.forEach((number, result) -> {
            Result known =
                    result == Result.UNKNOWN ? cluster.submitUntilKnown(client, RaftCluster.group(number)) : result;
            assertThat(known).isEqualTo(Result.APPLIED);
        });
        Map<String, Long> epochs = cluster.node(client).read(metadata -> {
            Map<String, Long> found = new TreeMap<>();
            metadata.groups()
                    .forEach(group -> found.put(group, metadata.view(group).epoch()));
            return found;
        });
        assertThat(epochs).hasSize(groups);
        assertThat(Set.copyOf(epochs.values())).hasSize(groups);
    }

    /** Its log ends with its term; the others' begins there, when a snapshot has come to cover what was before. */
    @Test
    void shouldCatchUpWhenItsLogEndsWhereTheLeadersBegins() {
        cluster.withSnapshotEvery(20).with("A", "B", "C");
        String leader = cluster.leader();
        cluster.submit(leader, RaftCluster.up("D"));
        cluster.kill(leader);
        String next = cluster.leader();
        for (int i = 0; i < 60; i++) {
            assertThat(cluster.submitUntilKnown(next, RaftCluster.up("N" + i))).isEqualTo(Result.APPLIED);
        }
        assertThat(cluster.node(next).controller()).isEqualTo(next);

        cluster.restart(leader);

        await().atMost(RaftCluster.LIMIT).until(() -> cluster.knows(leader, "N59"));
    }

    @Test
    void shouldElectAtOnceWhenTheLeaderIsProvenDead() {
        cluster.with("A", "B", "C");
        String leader = cluster.leader();
        assertThat(cluster.node(other(leader)).electAfterDeathOf(other(leader))).isFalse();

        // Its close takes a second, and it leads no more from the beginning on.
        CompletableFuture<Void> dying = cluster.killLater(leader);
        List<String> survivors = cluster.names();
        String first = survivors.stream()
                .max(Comparator.comparing(cluster::position).thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
        boolean stands = cluster.node(first).electAfterDeathOf(leader);

        assertThat(stands || !leader.equals(cluster.node(first).controller())).isTrue();
        assertThat(survivors).contains(cluster.leader());
        assertThat(cluster.submitUntilKnown(first, RaftCluster.up("D"))).isEqualTo(Result.APPLIED);
        dying.join();
    }

    @Test
    void shouldBeToldThatItLeadsWhenItTakesCommands() {
        cluster.with("A", "B", "C");
        String before = cluster.leader();
        CompletableFuture<Boolean> tookCommands = new CompletableFuture<>();
        for (String name : cluster.names()) {
            RatisMetadataStore store = cluster.node(name);
            store.subscribeController(leader -> {
                // Each that comes to lead is told once; on a busy machine that may be more than one.
                if (name.equals(leader) && !name.equals(before) && store.takesCommands()) {
                    tookCommands.complete(true);
                }
            });
        }

        cluster.node(before)
                .transferTo(other(before), RaftCluster.LIMIT)
                .exceptionally(anotherLeads -> null)
                .join();

        assertThat(tookCommands).succeedsWithin(RaftCluster.LIMIT).isEqualTo(true);
    }

    @Test
    void shouldAnswerFollowersWhoConnectWithEachOther() {
        cluster.with("A", "B", "C");
        String leader = cluster.leader();
        Set<String> all = Set.copyOf(cluster.names());

        // Whoever leads has nobody to connect with, and who is not there is left out.
        all.forEach(name -> cluster.node(name).connectTo(all));
        cluster.node(other(leader)).connectTo(Set.of("X"));

        assertThat(cluster.leader()).isEqualTo(leader);
        assertThat(cluster.submit("B", RaftCluster.up("D"))).isEqualTo(Result.APPLIED);
    }

    private static String other(String leader) {
        return leader.equals("A") ? "B" : "A";
    }

    @Test
    void shouldRefuseANodeWithoutTheSecretAndTakeOneWithIt() throws Exception {
        cluster.with("A");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        ((Logger) LoggerFactory.getLogger(ClusterTls.class)).addAppender(log);
        byte[] wrong = "another secret, not this cluster's".getBytes(StandardCharsets.US_ASCII);

        RatisMetadataStore stranger = cluster.start(
                "X",
                settings -> RatisMetadataStore.join(
                        settings,
                        wrong,
                        RaftCluster.clock(),
                        cluster.reports("X"),
                        List.of(cluster.node("A").address())));

        await().atMost(RaftCluster.LIMIT).until(() -> List.copyOf(log.list).stream()
                .anyMatch(event -> event.getFormattedMessage().contains("does not know this cluster's secret")));
        assertThat(stranger.voting()).isNotDone();
        assertThat(cluster.node("A").voters()).containsExactly("A");
        cluster.kill("X");
        assertThat(cluster.submit("A", RaftCluster.up("D"))).isEqualTo(Result.APPLIED);
        cluster.join("B");
        assertThat(cluster.knows("B", "D")).isTrue();
    }

    @Test
    void shouldCutWhoeverSaysNothingThatIsTls() throws Exception {
        cluster.with("A");
        String[] address = cluster.node("A").address().split(":", -1);

        try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
            socket.setSoTimeout((int) RaftCluster.LIMIT.toMillis());
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();

            assertThat(isEnded(socket)).isTrue();
        }
        assertThat(cluster.submit("A", RaftCluster.up("D"))).isEqualTo(Result.APPLIED);
    }

    @Test
    void shouldRefuseANodeWhoseNameVotesAlready() {
        cluster.with("A", "B");
        RaftSettings of = cluster.settings("B");
        RaftSettings cloned = RaftSettings.of("B", directory.resolve("clone"), of.host(), 0);

        RatisMetadataStore clone = cluster.start(
                "clone",
                settings -> RatisMetadataStore.join(
                        cloned,
                        RaftCluster.SECRET,
                        RaftCluster.clock(),
                        cluster.reports("B"),
                        List.of(cluster.node("A").address())));

        assertThatThrownBy(() -> clone.voting().get(RaftCluster.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .hasMessageContaining("a node named B votes")
                .hasMessageContaining("forgotten first");
        cluster.kill("clone");
        assertThat(cluster.submit("A", RaftCluster.up("D"))).isEqualTo(Result.APPLIED);
    }

    @Test
    void shouldSayWhatIsWrongWhenAPortIsTakenAndLeaveTheProcessAlone() throws Exception {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            RaftSettings settings = RaftSettings.of("A", directory.resolve("A"), "127.0.0.1", taken.getLocalPort());

            assertThatThrownBy(() -> RatisMetadataStore.form(
                            settings, RaftCluster.SECRET, RaftCluster.clock(), (logId, applied) -> {}, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(before);
    }

    /** Reads until the other side ends the connection, in order or by a reset; what it says does not matter. */
    private static boolean isEnded(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static long count(Path directory, String prefix) throws Exception {
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .count();
        }
    }
}
