package io.warren.test.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.error.AmqpException;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Policy;
import io.warren.test.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories of a mirrored queue on real nodes: what was confirmed is there until it is acknowledged, in order, and marked if it was seen. */
class MirroredHistoriesTest {
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final int STEPS = 30;
    private static final List<String> NODES = List.of("a", "b", "c");
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldKeepWhatWasConfirmed(long seed) {
        try (Cluster cluster = Cluster.inMemory(3)) {
            new History(cluster, seed).run();
        }
    }

    private static final class History {
        private final Cluster cluster;
        private final Random random;
        private final List<String> trace = new ArrayList<>();
        private final Set<Integer> confirmed = new HashSet<>();
        private final Set<Integer> acknowledged = new HashSet<>();
        private final Set<Integer> handedOut = new HashSet<>();
        private int published;
        private String down;

        History(Cluster cluster, long seed) {
            this.cluster = cluster;
            random = new Random(seed);
            trace.add("seed " + seed);
        }

        void run() {
            cluster.broker("a")
                    .administration()
                    .setPolicy(
                            "/",
                            new Policy(
                                    "all",
                                    ".*",
                                    Policy.AppliesTo.QUEUES,
                                    0,
                                    FieldTable.of(Map.of("ha-mode", "all", "ha-sync-mode", "automatic"))));
            channel().queueDeclare(QueueOptions.durable("orders"));
            try {
                for (int step = 0; step < STEPS; step++) {
                    step();
                }
                restart();
                check();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError(String.join(", ", trace), failure);
            }
        }

        private Channel channel() {
            List<String> up = NODES.stream().filter(node -> !node.equals(down)).toList();
            return cluster.connect(up.get(random.nextInt(up.size()))).openChannel();
        }

        private void step() {
            switch (random.nextInt(6)) {
                case 0, 1 -> publish(false);
                case 2 -> publish(true);
                case 3 -> consume();
                case 4 -> kill();
                default -> restart();
            }
        }

        /** Some messages over one channel; perhaps a node dies meanwhile. */
        private void publish(boolean killing) {
            Channel channel = channel();
            channel.confirmSelect();
            int first = published;
            int count = 1 + random.nextInt(60);
            trace.add("publish " + count);
            try {
                for (int i = 0; i < count; i++) {
                    channel.publish(
                            "",
                            "orders",
                            PERSISTENT,
                            String.valueOf(published++).getBytes(UTF_8));
                    if (killing && i == count / 2) {
                        kill();
                    }
                }
                assertThat(channel.waitForConfirms(WAIT)).isTrue();
                for (int number = first; number < published; number++) {
                    confirmed.add(number);
                }
                channel.close();
            } catch (AmqpException | IllegalStateException gone) {
                // Its own node was the one.
                trace.add("unconfirmed from " + first);
                assertThat(killing).isTrue();
            }
        }

        private void consume() {
            Channel channel = channel();
            int count = random.nextInt(30);
            trace.add("consume " + count);
            for (int i = 0; i < count; i++) {
                Delivery next = channel.get("orders", false);
                if (next != null) {
                    int number = seen(next);
                    if (random.nextBoolean()) {
                        next.ack();
                        acknowledged.add(number);
                    }
                }
            }
            channel.close();
        }

        /** An acknowledgement that nobody waited for may be lost with a master: the message comes again, marked. */
        private int seen(Delivery delivery) {
            int number = Integer.parseInt(delivery.text());
            if (!handedOut.add(number)) {
                assertThat(delivery.isRedelivered()).as("message " + number).isTrue();
            }
            return number;
        }

        private void kill() {
            if (down == null) {
                down = NODES.get(random.nextInt(NODES.size()));
                trace.add("kill " + down);
                cluster.kill(down);
            }
        }

        /** The node that is down comes back, and holds everything before another one ends. */
        private void restart() {
            if (down == null) {
                return;
            }
            trace.add("restart " + down);
            String back = down;
            cluster.start(back);
            down = null;
            await().atMost(WAIT).until(() -> {
                cluster.advance(Duration.ofMillis(500));
                return cluster.broker(back)
                                .vhost("/")
                                .queue("orders")
                                .synchronisedSlaves()
                                .size()
                        == 2;
            });
        }

        private void check() {
            Channel channel = channel();
            List<Integer> left = new ArrayList<>();
            for (Delivery next = channel.get("orders", false); next != null; next = channel.get("orders", false)) {
                left.add(seen(next));
                next.ack();
            }
            Set<Integer> expected = new HashSet<>(confirmed);
            expected.removeAll(acknowledged);
            assertThat(left).containsAll(expected).doesNotHaveDuplicates().isSorted();
        }
    }
}
