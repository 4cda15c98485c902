package io.warren.test.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import io.warren.test.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All three nodes are gone, stopped in every order or killed, and started again in every order that is meant to come up. */
class FullStopTest {
    private static final List<String> NODES = List.of("a", "b", "c");
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();
    /** A start that has all it needs does not come near it. */
    private static final Duration WINDOW = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private Cluster cluster;
    private Duration window = WINDOW;

    static List<List<String>> orders() {
        return permutations(NODES);
    }

    /** Whoever stopped last is the only voter, and starts first. */
    static Stream<Arguments> stopsAndStarts() {
        return orders().stream().flatMap(stop -> orders().stream()
                .filter(start -> start.get(0).equals(stop.get(2)))
                .map(start -> Arguments.of(stop, start)));
    }

    static Stream<Arguments> stopsAndWrongStarts() {
        return orders().stream().flatMap(stop -> NODES.stream()
                .filter(first -> !first.equals(stop.get(2)))
                .map(first -> Arguments.of(stop, first)));
    }

    private static List<List<String>> permutations(List<String> names) {
        List<List<String>> all = new ArrayList<>();
        for (String first : names) {
            List<String> rest = new ArrayList<>(names);
            rest.remove(first);
            for (List<String> tail : rest.isEmpty() ? List.of(List.<String>of()) : permutations(rest)) {
                List<String> one = new ArrayList<>(List.of(first));
                one.addAll(tail);
                all.add(one);
            }
        }
        return all;
    }

    private void begin() {
        cluster = Cluster.inMemory(3, node -> node.startWindow(window, 1)
                .broker(broker -> broker.dataDirectory(directory.resolve(node.name()))));
        for (String node : NODES) {
            Channel channel = cluster.connect(node).openChannel();
            channel.queueDeclare(QueueOptions.durable("of " + node));
            channel.confirmSelect();
            channel.publish("", "of " + node, PERSISTENT, node.getBytes(UTF_8));
            channel.waitForConfirms(Duration.ofSeconds(10));
        }
    }

    private void assertAllHeld() {
        for (int at = 0; at < NODES.size(); at++) {
            String through = NODES.get((at + 1) % NODES.size());
            Channel channel = cluster.connect(through).openChannel();
            assertThat(channel.get("of " + NODES.get(at), true).text()).isEqualTo(NODES.get(at));
        }
        await().untilAsserted(() -> assertThat(cluster.status("a").running()).containsExactly("a", "b", "c"));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @MethodSource("stopsAndStarts")
    void shouldComeUpWhenTheLastToStopIsTheFirstToStart(List<String> stop, List<String> start) {
        begin();
        stop.forEach(cluster::stop);

        start.forEach(cluster::start);

        assertAllHeld();
    }

    @ParameterizedTest
    @MethodSource("orders")
    void shouldComeUpWhenAllAreStartedAtOnce(List<String> stop) {
        begin();
        stop.forEach(cluster::stop);

        cluster.startTogether("a", "b", "c");

        assertAllHeld();
    }

    @ParameterizedTest
    @MethodSource("stopsAndWrongStarts")
    void shouldWaitForTheLastToStop(List<String> stop, String first) {
        begin();
        stop.forEach(cluster::stop);

        window = Duration.ofMillis(50);
        assertThatThrownBy(() -> cluster.start(first))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it waited for a majority of ");
        window = WINDOW;
        cluster.start(stop.get(2));
        NODES.stream().filter(node -> !node.equals(stop.get(2))).forEach(cluster::start);

        assertAllHeld();
    }

    @ParameterizedTest
    @MethodSource("orders")
    void shouldComeUpWithAnyMajorityWhenAllWereKilled(List<String> start) {
        begin();
        NODES.forEach(cluster::kill);

        window = Duration.ofMillis(50);
        assertThatThrownBy(() -> cluster.start(start.get(0))).hasMessageContaining("it waited for a majority of ");
        window = WINDOW;
        cluster.startTogether(start.get(0), start.get(1));
        cluster.start(start.get(2));

        assertAllHeld();
    }
}
