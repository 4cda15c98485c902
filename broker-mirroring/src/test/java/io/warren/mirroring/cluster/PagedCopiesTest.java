package io.warren.mirroring.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies of mirrored queues that are on the disk only: three nodes in this process, with everything a process has. */
@Timeout(240)
class PagedCopiesTest {
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();
    private static final int COUNT = 6_000;
    private static final int BODY_BYTES = 2_000;
    /** What a node may hold of all of them: those that are next, and a few bytes of each. */
    private static final long HELD_BYTES_MAX = 3 * 1024 * 1024;

    private static final long ALL_BYTES = (long) COUNT * BODY_BYTES;

    @TempDir
    private Path folder;

    private ClusterNodes nodes;

    @BeforeEach
    void startThree() throws IOException {
        nodes = new ClusterNodes(folder);
        nodes.with("a", "b", "c");
        nodes.awaitRunning("a", "a", "b", "c");
        policy("default");
    }

    private void policy(String mode) {
        Map<String, Object> definition =
                new HashMap<>(Map.of("ha-mode", "all", "ha-sync-mode", "automatic", "queue-mode", mode));
        nodes.node("a")
                .broker()
                .administration()
                .setPolicy("/", new Policy("all", ".*", Policy.AppliesTo.QUEUES, 0, FieldTable.of(definition)));
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private void declareLazy() {
        nodes.channel("a").queueDeclare(QueueOptions.durable("orders").argument("x-queue-mode", "lazy"));
    }

    private static byte[] body(int number) {
        byte[] body = new byte[BODY_BYTES];
        Arrays.fill(body, (byte) number);
        byte[] text = ("m" + number + ":").getBytes(UTF_8);
        System.arraycopy(text, 0, body, 0, text.length);
        return body;
    }

    private void publish(String node, int from, int to) {
        Channel channel = nodes.channel(node);
        for (int number = from; number < to; number++) {
            channel.publish("", "orders", PERSISTENT, body(number));
            if (number % 500 == 0) {
                assertThat(channel.waitForConfirms(ClusterNodes.WAIT)).isTrue();
            }
        }
        assertThat(channel.waitForConfirms(ClusterNodes.WAIT)).isTrue();
    }

    private void drain(String node, int from, int to) {
        Channel channel = nodes.channel(node);
        for (int number = from; number < to; number++) {
            Delivery next = channel.get("orders", false);
            assertThat(next).as("message %s", number).isNotNull();
            assertThat(next.body()).as("message %s", number).isEqualTo(body(number));
            next.ack();
        }
        assertThat(channel.get("orders", false)).isNull();
    }

    private long heldBytes(String node) {
        return nodes.node(node).broker().administration().memoryBytes();
    }

    private void awaitHeldLittle(String... names) {
        for (String name : names) {
            await().atMost(ClusterNodes.WAIT)
                    .untilAsserted(() -> assertThat(heldBytes(name)).as(name).isBetween(1L, HELD_BYTES_MAX));
        }
    }

    private void awaitInSync(String at, String... slaves) {
        await().atMost(ClusterNodes.WAIT).untilAsserted(() -> assertThat(
                        nodes.node(at).broker().vhost("/").queue("orders").synchronisedSlaves())
                .containsExactlyInAnyOrder(slaves));
    }

    @Test
    void shouldHoldALazyQueueOnDiskAtEveryNodeAndThroughFailovers() {
        declareLazy();
        publish("b", 0, COUNT);
        awaitHeldLittle("a", "b", "c");

        nodes.kill("a");
        nodes.awaitCount("b", "orders", COUNT);
        nodes.start("a");

        awaitInSync("b", "a", "c");
        awaitHeldLittle("a", "b", "c");
        nodes.kill("b");
        nodes.awaitCount("c", "orders", COUNT);
        nodes.kill("c");
        // Two of three are needed.
        nodes.start("b");
        nodes.awaitCount("a", "orders", COUNT);
        awaitHeldLittle("a");
        drain("a", 0, COUNT);
    }

    @Test
    void shouldGiveANewcomerWhatIsOnDiskAndHoldNoneOfIt() {
        declareLazy();
        nodes.kill("c");
        nodes.awaitRunning("a", "a", "b");
        publish("a", 0, COUNT);
        delete(nodes.directory("c").resolve("copies"));

        nodes.start("c");

        awaitInSync("a", "b", "c");
        awaitHeldLittle("a", "b", "c");
        nodes.kill("b");
        nodes.awaitRunning("a", "a", "c");
        awaitInSync("a", "c");
        nodes.kill("a");
        nodes.start("b");
        nodes.awaitCount("c", "orders", COUNT);
        drain("c", 0, COUNT);
    }

    @Test
    void shouldStartWithoutBodiesInMemory() {
        declareLazy();
        publish("a", 0, COUNT);
        nodes.killTogether("a", "b", "c");

        nodes.startTogether("a", "b", "c");

        nodes.awaitCount("b", "orders", COUNT);
        awaitHeldLittle("a", "b", "c");
        drain("b", 0, COUNT);
    }

    @Test
    void shouldLetBodiesGoWhenAPolicySaysSo() {
        nodes.channel("a").queueDeclare(QueueOptions.durable("orders"));
        publish("a", 0, COUNT);
        await().atMost(ClusterNodes.WAIT)
                .untilAsserted(() -> assertThat(heldBytes("c")).isGreaterThan(ALL_BYTES * 9 / 10));

        policy("lazy");

        awaitHeldLittle("a", "b", "c");
        drain("c", 0, COUNT);
    }

    @Test
    void shouldLetBodiesGoWhenMemoryIsShort() {
        nodes.channel("a").queueDeclare(QueueOptions.durable("orders"));
        for (String name : List.of("a", "b", "c")) {
            nodes.node(name).broker().administration().memoryLimit(8 * 1024 * 1024);
        }

        publish("b", 0, COUNT);

        for (String name : List.of("a", "b", "c")) {
            assertThat(heldBytes(name)).as(name).isLessThan(6 * 1024 * 1024);
        }
        drain("b", 0, COUNT);
    }

    @Test
    void shouldGoOnElsewhereWhenAMessageOfTheMasterIsDamaged() throws IOException {
        declareLazy();
        publish("a", 0, COUNT);
        awaitHeldLittle("a", "b", "c");
        damage(nodes.directory("a").resolve("copies"), "m3000:");

        Channel channel = nodes.channel("b");
        int seen = 0;
        while (seen < COUNT) {
            Delivery next = channel.get("orders", false);
            if (next != null) {
                String text = new String(next.body(), 0, 8, UTF_8);
                int number = Integer.parseInt(text.substring(1, text.indexOf(':')));
                assertThat(next.body()).isEqualTo(body(number));
                assertThat(number).isLessThanOrEqualTo(seen);
                seen = Math.max(seen, number + 1);
                next.ack();
            }
        }

        assertThat(nodes.node("b").broker().vhost("/").queue("orders").home()).isNotEqualTo("a");
    }

    /** A bit of a message's body turns in a file. */
    private static void damage(Path copies, String begin) throws IOException {
        try (Stream<Path> files = Files.list(copies)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".log")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                int at = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf(begin);
                if (at >= 0) {
                    try (java.io.RandomAccessFile open = new java.io.RandomAccessFile(file.toFile(), "rw")) {
                        open.seek(at + 100L);
                        open.write(bytes[at + 100] ^ 1);
                    }
                    return;
                }
            }
        }
        throw new IllegalStateException(begin + " is nowhere in " + copies);
    }

    private static void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
