package io.warren.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A broker that remembers routes answers as one that does not. */
class RouteCacheTest {

    private static final List<String> QUEUES = List.of("q0", "q1", "q2", "q3");

    /** Binds, unbinds, deletes and publishes by a seed; the depth of each queue after each step tells what was routed. */
    private static List<Long> history(BrokerBuilder builder, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Long> depths = new ArrayList<>();
        try (Broker broker = builder.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.exchangeDeclare(ExchangeOptions.topic("t"));
            QUEUES.forEach(queue -> channel.queueDeclare(QueueOptions.named(queue)));
            for (int step = 0; step < 3_000; step++) {
                String queue = QUEUES.get(random.nextInt(QUEUES.size()));
                switch (random.nextInt(40)) {
                    case 0, 1 -> channel.queueBind(queue, "t", pattern(random));
                    case 2 -> channel.queueUnbind(queue, "t", pattern(random));
                    case 3 -> {
                        if (random.nextInt(20) == 0) {
                            channel.exchangeDelete("t");
                            channel.exchangeDeclare(ExchangeOptions.topic("t"));
                        }
                    }
                    default -> channel.publish("t", word(random) + "." + word(random), "body".getBytes(UTF_8));
                }
                depths.add(broker.vhost("/").queue(queue).ready());
            }
        }
        return depths;
    }

    private static String word(SplittableRandom random) {
        return List.of("a", "b", "c").get(random.nextInt(3));
    }

    private static String pattern(SplittableRandom random) {
        String first = random.nextInt(3) == 0 ? "*" : word(random);
        return first + "." + (random.nextInt(3) == 0 ? "#" : word(random));
    }

    @Test
    void shouldRouteAsWithoutCacheWhenBindingsChange() {
        for (long seed = 1; seed <= 5; seed++) {
            List<Long> plain = history(Broker.builder(), seed);
            List<Long> cached = history(Broker.builder().routeCache(64), seed);

            assertThat(cached).as("seed %d", seed).isEqualTo(plain);
            assertThat(plain.get(plain.size() - 1)).isPositive();
        }
    }

    @Test
    void shouldRefuseCacheOfNothing() {
        assertThatThrownBy(() -> Broker.builder().routeCache(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("routes=0 is not 1 or more");
    }
}
