package io.warren.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who uses a virtual host that is deleted hears so. RabbitMQ may say that it is down instead, so this is no contract. */
class VhostDeletionTest {

    @Test
    void shouldSayToConnectionsThatTheirVhostIsDeleted() {
        List<AmqpError> heard = new ArrayList<>();
        try (Broker broker = Broker.builder().seed(1).start()) {
            broker.administration().createVhost("short-lived");
            Connection connection = broker.connect("short-lived");
            connection.onClosed(heard::add);
            Connection other = broker.connect();

            broker.administration().deleteVhost("short-lived");

            assertThat(connection.isOpen()).isFalse();
            assertThat(heard)
                    .containsExactly(
                            AmqpError.connection(ReplyCode.CONNECTION_FORCED, "vhost 'short-lived' is deleted"));
            assertThat(other.isOpen()).isTrue();
            other.close();
        }
    }
}
