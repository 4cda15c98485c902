package io.warren.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.warren.core.Broker;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that come and do not go on. */
@Timeout(30)
class HandshakeTest {

    private final Broker broker = Broker.start();
    private final AmqpServer server = AmqpServer.builder(broker)
            .port(0)
            .handshakeTimeout(Duration.ofMillis(200))
            .start();

    @AfterEach
    void close() {
        server.close();
        broker.close();
    }

    private Socket connect() throws Exception {
        return new Socket(InetAddress.getLoopbackAddress(), server.port());
    }

    @Test
    void shouldCloseWhenNothingComesInTime() throws Exception {
        try (Socket silent = connect()) {
            assertThat(silent.getInputStream().readAllBytes()).isEmpty();
        }
    }

    @Test
    void shouldCloseWhenClientStopsWithinHandshake() throws Exception {
        try (Socket halfway = connect()) {
            halfway.getOutputStream().write(new byte[] {'A', 'M', 'Q', 'P', 0, 0, 9, 1});

            byte[] start = halfway.getInputStream().readAllBytes();

            assertThat(start).as("connection.start and the end").hasSizeGreaterThan(100);
            assertThat(start[0]).isEqualTo((byte) 1);
        }
    }

    @Test
    void shouldLeaveOpenConnectionAloneWhenTimeIsOver() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(server.port());
        try (Connection open = factory.newConnection();
                Socket silent = connect()) {
            // It came later: once it is closed, the time of the first is over.
            silent.getInputStream().readAllBytes();

            assertThat(open.createChannel().queueDeclare().getQueue()).isNotEmpty();
        }
    }
}
