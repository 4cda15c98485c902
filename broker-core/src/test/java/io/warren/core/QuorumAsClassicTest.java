package io.warren.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.error.AmqpException;
import org.junit.jupiter.api.Test;

/** A quorum queue is refused, or a classic one if that was asked for. */
class QuorumAsClassicTest {

    private static final QueueOptions QUORUM = QueueOptions.durable("q").argument("x-queue-type", "quorum");

    @Test
    void shouldRefuseQuorumQueueAtFirst() {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();

            assertThatThrownBy(() -> channel.queueDeclare(QUORUM))
                    .isInstanceOf(AmqpException.class)
                    .hasMessageContaining("x-queue-type 'quorum' of queue 'q' in vhost '/' is not supported");
        }
    }

    @Test
    void shouldMakeClassicQueueWhenAskedFor() {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            broker.administration().quorumAsClassic(true);
            Channel channel = connection.openChannel();

            channel.queueDeclare(QUORUM);
            channel.queueDeclare(QUORUM);
            channel.queueDeclare(QueueOptions.durable("q").argument("x-queue-type", "classic"));

            assertThat(broker.vhost("/").queue("q").exists()).isTrue();
        }
    }

    @Test
    void shouldStillRefuseStreamWhenQuorumBecomesClassic() {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            broker.administration().quorumAsClassic(true);

            assertThatThrownBy(() -> connection
                            .openChannel()
                            .queueDeclare(QueueOptions.durable("q").argument("x-queue-type", "stream")))
                    .isInstanceOf(AmqpException.class)
                    .hasMessageContaining("is not supported");
        }
    }
}
