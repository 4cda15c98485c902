package io.warren.mirroring.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.QueueOptions;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Policy;
import io.warren.mirroring.metadata.PartitionHandling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes of which one goes on alone, in a metadata log that it founds: what becomes of copies on disk. */
@Timeout(180)
class FoundedCopiesTest {
    @TempDir
    private Path folder;

    private ClusterNodes nodes;

    @BeforeEach
    void startTwo() {
        nodes = new ClusterNodes(folder).handling(PartitionHandling.IGNORE).with("a", "b");
        nodes.awaitRunning("a", "a", "b");
        FieldTable definition = FieldTable.of(Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
        nodes.node("a")
                .broker()
                .administration()
                .setPolicy("/", new Policy("all", ".*", Policy.AppliesTo.QUEUES, 0, definition));
        nodes.channel("a").queueDeclare(QueueOptions.durable("orders"));
        publish("b", 100);
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private void publish(String node, int count) {
        Channel channel = nodes.channel(node);
        for (int i = 0; i < count; i++) {
            channel.publish("", "orders", Properties.builder().persistent().build(), ("m" + i).getBytes(UTF_8));
        }
        assertThat(channel.waitForConfirms(ClusterNodes.WAIT)).isTrue();
    }

    private List<String> copies(String node) throws IOException {
        try (Stream<Path> files = Files.list(nodes.directory(node).resolve("copies"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void shouldGoOnWithWhatTheFounderHoldsAndSetTheOtherCopyAside() throws IOException {
        nodes.kill("b");
        nodes.awaitRunning("a", "a");
        nodes.awaitCount("a", "orders", 100);
        publish("a", 50);

        nodes.start("b");

        nodes.awaitRunning("a", "a", "b");
        await().atMost(ClusterNodes.WAIT).untilAsserted(() -> assertThat(
                        nodes.node("a").broker().vhost("/").queue("orders").synchronisedSlaves())
                .containsExactly("b"));
        nodes.awaitCount("b", "orders", 150);
        assertThat(copies("b")).anyMatch(name -> name.startsWith("aside-queue-"));
        assertThat(copies("a")).noneMatch(name -> name.startsWith("aside-queue-"));
    }
}
