package io.warren.test.rounds;

import static io.warren.test.rounds.ScenarioCluster.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.warren.test.mirrored.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Full stops, nodes that are lost for good, and a node that is cut off. */
class RestartsOverProcesses {
    private static final String AUTOMATIC = "{'ha-mode':'all','ha-sync-mode':'automatic'}";
    private static final int CONNECTION_FORCED = 320;

    @TempDir
    Path work;

    private ScenarioCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new ScenarioCluster(work);
        cluster.policy(AUTOMATIC);
        cluster.declare("a");
        cluster.publishConfirmed("b", 0, 10);
    }

    @AfterEach
    void stop() throws InterruptedException {
        cluster.end();
    }

    @Test
    @Scenario("S1")
    void shouldWaitForTheNodeThatWasStoppedLastAndTakeBackTheOthers() throws Exception {
        cluster.node("a").stop();
        cluster.publishConfirmed("b", 10, 15);
        cluster.node("b").stop();
        cluster.publishConfirmed("c", 15, 20);
        cluster.node("c").stop();

        CompletableFuture<Void> alone = CompletableFuture.runAsync(() -> start("a"));
        cluster.node("c").start();
        alone.join();
        cluster.node("b").start();

        cluster.awaitInSync("c", "a", "b");
        assertThat(cluster.copies("c").master()).isEqualTo("c");
        cluster.node("c").kill();
        assertThat(cluster.drainTexts("a")).isEqualTo(texts(0, 20));
    }

    private void start(String name) {
        try {
            cluster.node(name).start();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    @Scenario("S4")
    void shouldLeadWithWhatAKilledNodeHadWhenTheOthersAreLost() throws Exception {
        cluster.node("a").kill();
        cluster.publishConfirmed("b", 10, 15);
        cluster.node("b").kill();
        cluster.node("c").kill();

        cluster.forgetOffline("a", "b", "c");
        cluster.node("a").start();

        cluster.awaitCopies("a", "a");
        assertThat(cluster.drainTexts("a")).isEqualTo(texts(0, 10));
    }

    @Test
    @Scenario({"P1", "P2"})
    void shouldConfirmNothingWhileItIsCutOffAndComeBackAsASlave() throws Exception {
        Channel there = cluster.channel("a");
        List<Long> confirmed = new CopyOnWriteArrayList<>();
        CompletableFuture<ShutdownSignalException> closed = new CompletableFuture<>();
        there.addConfirmListener((tag, multiple) -> confirmed.add(tag), (tag, multiple) -> {});
        there.getConnection().addShutdownListener(closed::complete);

        cluster.node("a").cut();
        for (int i = 0; i < 7; i++) {
            ScenarioCluster.publish(there, "lost" + i);
        }
        cluster.publishConfirmed("c", 10, 20);

        ScenarioCluster.await("closed").until(closed::isDone);
        assertThat(closed.join().getReason())
                .isInstanceOfSatisfying(AMQP.Connection.Close.class, close -> assertThat(close.getReplyCode())
                        .isEqualTo(CONNECTION_FORCED));
        assertThat(confirmed).isEmpty();
        assertThat(cluster.copies("c").master()).isEqualTo("b");
        cluster.node("a").heal();
        cluster.awaitCopies("b", "b", "c", "a");
        cluster.awaitInSync("b", "c", "a");
        assertThat(cluster.drainTexts("a")).isEqualTo(texts(0, 20));
    }
}
