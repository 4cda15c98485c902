package io.warren.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.spi.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** However many dead-letter hops follow from one publish, they need no deeper stack. */
class DeadLetterChainTest {

    @Test
    void shouldDieTenThousandTimesWhenEveryDeliveryIsRejectedInsideBroker() throws Exception {
        int hops = 10_000;
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel(Runnable::run);
            channel.queueDeclare(QueueOptions.named("q").deadLetterExchange("").deadLetterRoutingKey("q"));
            CompletableFuture<Long> deaths = new CompletableFuture<>();
            channel.consume("q", delivery -> {
                long count = deaths(delivery);
                if (count == hops) {
                    deaths.complete(count);
                } else {
                    delivery.nack(false);
                }
            });

            channel.publish("", "q", "m".getBytes(UTF_8));

            assertThat(deaths.get(60, TimeUnit.SECONDS)).isEqualTo(hops);
        }
    }

    private static long deaths(Delivery delivery) {
        return delivery.properties().headersOrEmpty().get("x-death") instanceof List<?> deaths
                        && deaths.get(0) instanceof Map<?, ?> last
                        && last.get("count") instanceof Long count
                ? count
                : 0;
    }

    private static void declareChain(Channel channel, int hops) {
        for (int hop = 0; hop < hops; hop++) {
            channel.queueDeclare(QueueOptions.named("q" + hop)
                    .messageTtl(Duration.ZERO)
                    .deadLetterExchange("")
                    .deadLetterRoutingKey("q" + (hop + 1)));
        }
        channel.queueDeclare(QueueOptions.named("q" + hops));
    }

    @Test
    void shouldArriveThroughManyQueuesWhenThreadsRunThem() {
        try (Broker broker = Broker.builder().clock(new ManualClock()).start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            declareChain(channel, 500);

            channel.publish("", "q0", "m".getBytes(UTF_8));

            await().until(() -> broker.vhost("/").queue("q500").ready() == 1);
        }
    }

    @Test
    void shouldArriveThroughManyQueuesWhenOneThreadRunsAll() {
        try (Broker broker = Broker.builder().clock(new ManualClock()).seed(7).start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            declareChain(channel, 500);

            channel.publish("", "q0", "m".getBytes(UTF_8));
            broker.runDue();

            Delivery arrived = channel.get("q500", true);
            assertThat(arrived.properties().headersOrEmpty().get("x-first-death-queue"))
                    .isEqualTo("q0");
            assertThat(arrived.properties().headersOrEmpty().get("x-death"))
                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                    .hasSize(500);
        }
    }
}
