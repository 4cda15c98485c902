package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.DETECTED;
import static io.warren.test.mirrored.Mirrored.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.message.Properties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The restart scenarios for a queue with copies at two nodes, a and b, which keep them on disk. Nobody is synchronised by itself. */
class MirroredRestartsTest {

    @TempDir
    private Path directory;

    private Mirrored mirrored;

    @BeforeEach
    void begin() {
        mirrored = Mirrored.onDisk(2, directory);
        mirrored.policy(Map.of("ha-mode", "all"));
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        mirrored.assertCopies("a", "b");
    }

    @AfterEach
    void stop() {
        mirrored.close();
    }

    /** Stops a, then b, which has confirmed more meanwhile. */
    private void stopBothAndPublishBetween() {
        mirrored.cluster().stop("a");
        mirrored.awaitMaster("b");
        mirrored.publishConfirmed("b", 10, 15);
        mirrored.cluster().stop("b");
    }

    @Test
    @Scenario("S1")
    void shouldHaveEverythingAndTakeBackTheOtherWithWhatItHad() {
        stopBothAndPublishBetween();
        assertThatThrownBy(() -> mirrored.cluster().start("a")).hasMessageContaining("it waited for a majority of [b]");

        mirrored.cluster().start("b");
        mirrored.awaitMaster("b");
        mirrored.cluster().start("a");
        mirrored.awaitInSync("a");

        mirrored.cluster().kill("b");
        mirrored.cluster().start("b");
        assertThat(mirrored.drainTexts("a")).isEqualTo(texts(0, 15));
    }

    @Test
    @Scenario({"S2", "T50"})
    void shouldHaveWhatWasPersistentAfterBothDiedTogether() {
        Channel channel = mirrored.channel("b");
        channel.publish("", "orders", Properties.NONE, "transient".getBytes(UTF_8));
        mirrored.publishConfirmed("b", 10, 15);
        mirrored.cluster().kill("a");
        mirrored.cluster().kill("b");

        mirrored.cluster().startTogether("a", "b");

        await().until(() -> {
            mirrored.pass(DETECTED);
            return mirrored.queue("a").synchronisedSlaves().size() == 1;
        });
        assertThat(mirrored.drainTexts("b")).isEqualTo(texts(0, 15));
    }

    @Test
    @Scenario("S3")
    void shouldMakeANewCopyForOneThatIsLost() throws IOException {
        stopBothAndPublishBetween();
        mirrored.cluster().start("b");
        mirrored.awaitMaster("b");

        mirrored.cluster().node("b").forget("a", false);
        loseDisk("a");
        mirrored.cluster().start("a");
        mirrored.pass(DETECTED);
        mirrored.cluster().node("b").synchronise("/", "orders");
        mirrored.awaitInSync("a");

        assertThat(mirrored.drainTexts("b")).isEqualTo(texts(0, 15));
    }

    private void loseDisk(String node) throws IOException {
        mirrored.cluster().reset(node);
        delete(directory.resolve(node));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    @Test
    @Scenario({"S4", "S9"})
    void shouldLeadWithWhatAKilledNodeHadWhenTheLastOneIsLost() {
        mirrored.cluster().kill("a");
        mirrored.cluster().kill("b");
        assertThatThrownBy(() -> mirrored.cluster().start("a")).hasMessageContaining("it waited for a majority of [b]");

        mirrored.cluster().forgetOffline("a", "b");
        mirrored.cluster().start("a");

        mirrored.awaitMaster("a");
        assertThat(mirrored.drainTexts("a")).isEqualTo(texts(0, 10));
    }

    @Test
    @Scenario("S4")
    void shouldSetAsideWhatItHadWhenTheOtherHasConfirmedMoreAndIsLost() {
        stopBothAndPublishBetween();

        mirrored.cluster().forgetOffline("a", "b");
        mirrored.cluster().start("a");

        assertThat(mirrored.queue("a").exists()).isFalse();
        assertSetAside("a");
    }

    private void assertSetAside(String node) {
        await().until(() -> {
            mirrored.pass(DETECTED);
            return List.of(directory.resolve(node).resolve("copies").toFile().list()).stream()
                    .anyMatch(name -> name.startsWith("aside-"));
        });
    }

    @Test
    @Scenario("S5")
    void shouldGoOnFromCopiesOfDirectories() throws IOException {
        stopBothAndPublishBetween();
        for (String node : List.of("a", "b")) {
            Path copied = directory.resolve("copy of " + node);
            copy(directory.resolve(node), copied);
            delete(directory.resolve(node));
            copy(copied, directory.resolve(node));
        }

        mirrored.cluster().start("b");
        mirrored.cluster().start("a");

        mirrored.awaitInSync("a");
        assertThat(mirrored.drainTexts("a")).isEqualTo(texts(0, 15));
    }

    @Test
    @Scenario("S6")
    void shouldNotStartWithoutDisks() throws IOException {
        stopBothAndPublishBetween();
        loseDisk("a");
        loseDisk("b");

        assertThatThrownBy(() -> mirrored.cluster().start("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it waited for a majority");
    }

    @Test
    @Scenario("S7")
    void shouldGoOnWithoutTheOtherAndTakeItBack() {
        mirrored.cluster().kill("a");
        mirrored.cluster().kill("b");
        mirrored.cluster().forgetOffline("a");
        mirrored.cluster().start("a");
        mirrored.awaitMaster("a");
        mirrored.publishConfirmed("a", 10, 15);

        mirrored.cluster().start("b");
        mirrored.pass(DETECTED);
        mirrored.cluster().node("a").synchronise("/", "orders");
        mirrored.awaitInSync("b");

        mirrored.cluster().node("a").moveMaster("/", "orders", "b");
        mirrored.awaitMaster("b");
        assertThat(mirrored.drainTexts("b")).isEqualTo(texts(0, 15));
        assertSetAside("b");
    }

    @Test
    @Scenario("S8")
    void shouldRefuseToForgetANodeThatRuns() {
        assertThatThrownBy(() -> mirrored.cluster().node("b").forget("a", true))
                .hasMessage("node 'a' runs: it must be stopped first");

        assertThat(mirrored.drainTexts("b")).isEqualTo(texts(0, 10));
    }

    @Test
    @Scenario("T29")
    void shouldBringBackWhatEachHadWhenAllAreRestartedInTurn() {
        for (String node : List.of("a", "b", "a", "b")) {
            String other = node.equals("a") ? "b" : "a";
            mirrored.cluster().stop(node);
            mirrored.awaitMaster(other);
            mirrored.cluster().start(node);
            mirrored.awaitInSync(node);
        }

        assertThat(mirrored.drainTexts("a")).isEqualTo(texts(0, 10));
    }
}
