package io.warren.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.spi.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The same program on one thread by a seed, and on many threads. */
class SeededBrokerTest {

    private static final int MESSAGES = 40;

    /** Three consumers, one of which rejects; an expiring queue; two publishers: returns who received what, in order. */
    private static List<String> run(Broker broker, ManualClock clock, CountDownLatch done) throws Exception {
        List<String> trace = Collections.synchronizedList(new ArrayList<>());
        try (Connection connection = broker.connect()) {
            Channel setup = connection.openChannel();
            setup.queueDeclare(QueueOptions.named("dead"));
            setup.queueDeclare(QueueOptions.named("work").deadLetterExchange("").deadLetterRoutingKey("dead"));
            setup.queueDeclare(QueueOptions.named("slow")
                    .messageTtl(Duration.ofSeconds(1))
                    .deadLetterExchange("")
                    .deadLetterRoutingKey("dead"));
            for (String name : List.of("a", "b", "c")) {
                Channel channel = connection.openChannel();
                channel.qos(name.equals("a") ? 1 : 3);
                channel.consume("work", delivery -> {
                    trace.add(name + " " + delivery.text());
                    if (name.equals("c")) {
                        delivery.nack(false);
                    } else {
                        done.countDown();
                        delivery.ack();
                    }
                });
            }
            setup.consume(ConsumeOptions.of("dead").autoAck(), delivery -> {
                trace.add("dead " + delivery.text());
                done.countDown();
            });
            Channel first = connection.openChannel();
            Channel second = connection.openChannel();
            for (int i = 0; i < MESSAGES; i++) {
                first.publish("", "work", ("1-" + i).getBytes(UTF_8));
                second.publish("", i % 4 == 0 ? "slow" : "work", ("2-" + i).getBytes(UTF_8));
            }
            broker.runDue();
            clock.advance(Duration.ofSeconds(2));
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        }
        return trace;
    }

    private static List<String> seeded(long seed) throws Exception {
        ManualClock clock = new ManualClock();
        try (Broker broker = Broker.builder().clock(clock).seed(seed).start()) {
            return run(broker, clock, new CountDownLatch(2 * MESSAGES));
        }
    }

    private static List<String> texts(List<String> trace) {
        return trace.stream()
                .filter(line -> !line.startsWith("c "))
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .sorted()
                .toList();
    }

    @Test
    void shouldRunTheSameWhenSeedIsTheSame() throws Exception {
        assertThat(seeded(42)).isEqualTo(seeded(42));
    }

    @Test
    void shouldInterleaveOtherwiseWhenSeedIsAnother() throws Exception {
        assertThat(seeded(43)).isNotEqualTo(seeded(42));
    }

    @Test
    void shouldDeliverTheSameMessagesWhenManyThreadsRunIt() throws Exception {
        ManualClock clock = new ManualClock();
        try (Broker broker = Broker.builder().clock(clock).start()) {
            List<String> threaded = run(broker, clock, new CountDownLatch(2 * MESSAGES));

            assertThat(texts(threaded)).isEqualTo(texts(seeded(42))).hasSize(2 * MESSAGES);
        }
    }
}
