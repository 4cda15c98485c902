package io.warren.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import io.warren.core.spi.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that keeps a delivery and never says what became of it. */
class ConsumerTimeoutTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final ManualClock clock = new ManualClock();
    private final Broker broker =
            Broker.builder().clock(clock).seed(3).consumerTimeout(TIMEOUT).start();
    private final Connection connection = broker.connect();
    private final Channel channel = connection.openChannel();

    @AfterEach
    void close() {
        connection.close();
        broker.close();
    }

    private Delivery kept() {
        channel.queueDeclare(QueueOptions.named("q"));
        channel.publish("", "q", new byte[1]);
        return channel.get("q", false);
    }

    @Test
    void shouldCloseChannelAndGiveMessageBackWhenTimeIsOver() {
        kept();

        clock.advance(TIMEOUT.plus(TIMEOUT.dividedBy(4)));

        assertThat(channel.closeReason()).isNotNull().satisfies(reason -> {
            assertThat(reason.code().code()).isEqualTo(406);
            // As RabbitMQ 3.10.8 said it, of channel 3 and 20000 ms.
            assertThat(reason.text())
                    .isEqualTo("PRECONDITION_FAILED - delivery acknowledgement on channel 1 timed out. Timeout value"
                            + " used: 120000 ms. This timeout value can be configured, see consumers doc guide to"
                            + " learn more");
        });
        assertThat(connection.isOpen()).isTrue();
        assertThat(broker.vhost("/").queue("q").ready()).isEqualTo(1);
    }

    @Test
    void shouldLeaveChannelOpenWhenTimeIsNotOver() {
        kept();

        clock.advance(TIMEOUT.minusMillis(1));

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldLeaveChannelOpenWhenAllIsAcknowledged() {
        kept().ack();

        clock.advance(TIMEOUT.multipliedBy(10));

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldRefuseTimeoutThatIsNoTime() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Broker.builder().consumerTimeout(Duration.ZERO))
                .withMessage("timeout=PT0S is not positive");
    }
}
