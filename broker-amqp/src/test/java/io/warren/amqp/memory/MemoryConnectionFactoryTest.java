package io.warren.amqp.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.Recoverable;
import com.rabbitmq.client.RecoveryListener;
import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** RabbitMQ's Java client without a socket. */
@Timeout(60)
class MemoryConnectionFactoryTest {

    private final Broker broker = Broker.builder().name("memory-test").start();
    private final MemoryConnectionFactory factory = new MemoryConnectionFactory(broker);

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void shouldCarryMessagesBothWaysWhenNoHostCanBeReached() throws Exception {
        byte[] body = new byte[3 << 20];
        new Random(1).nextBytes(body);
        factory.setHost("host.invalid");
        factory.setPort(1);

        try (Connection connection = factory.newConnection("orders")) {
            Channel channel = connection.createChannel();
            channel.queueDeclare("q", false, false, false, null);
            channel.basicPublish("", "q", MessageProperties.MINIMAL_BASIC, body);

            assertThat(channel.basicGet("q", true).getBody()).isEqualTo(body);
            assertThat(connection.getServerProperties().get("product")).hasToString("RabbitMQ");
        }
    }

    @Test
    void shouldConfirmAndDeliverAllWhenThereAreMany() throws Exception {
        int count = 20_000;
        CountDownLatch received = new CountDownLatch(count);
        try (Connection connection = factory.newConnection()) {
            Channel channel = connection.createChannel();
            channel.queueDeclare("q", false, false, false, null);
            channel.confirmSelect();
            connection.createChannel().basicConsume("q", true, (tag, delivery) -> received.countDown(), tag -> {});

            for (int i = 0; i < count; i++) {
                channel.basicPublish("", "q", MessageProperties.MINIMAL_BASIC, new byte[100]);
            }

            assertThat(channel.waitForConfirms(30_000)).isTrue();
            assertThat(received.await(30, SECONDS)).isTrue();
        }
    }

    @Test
    void shouldStayInMemoryWhenAnotherTransportWasChosen() throws Exception {
        factory.setHost("host.invalid");
        factory.netty();

        try (Connection connection = factory.newConnection()) {
            assertThat(connection.isOpen()).isTrue();
        }
    }

    @Test
    void shouldRefuseWhenPasswordIsWrong() {
        factory.setPassword("wrong");

        assertThatThrownBy(factory::newConnection).isInstanceOf(AuthenticationFailureException.class);
    }

    @Test
    void shouldOfferWhatTheSettingsSay() throws Exception {
        MemoryConnectionFactory limited = new MemoryConnectionFactory(
                AmqpServer.builder(broker).channelCountMax(3).heartbeatSeconds(7));

        try (Connection connection = limited.newConnection()) {
            assertThat(connection.getChannelMax()).isEqualTo(3);
            assertThat(connection.getHeartbeat()).isEqualTo(7);
        }
    }

    @Test
    void shouldRecoverWithTopologyWhenBrokerClosedConnection() throws Exception {
        factory.setNetworkRecoveryInterval(10);
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        CountDownLatch recovered = new CountDownLatch(1);
        try (Connection connection = factory.newConnection()) {
            ((Recoverable) connection).addRecoveryListener(new RecoveryListener() {
                @Override
                public void handleRecovery(Recoverable recoverable) {
                    recovered.countDown();
                }

                @Override
                public void handleRecoveryStarted(Recoverable recoverable) {}
            });
            Channel channel = connection.createChannel();
            channel.queueDeclare("q", false, false, false, null);
            channel.basicConsume(
                    "q", true, (tag, delivery) -> received.add(new String(delivery.getBody(), UTF_8)), tag -> {});

            broker.resetAndDisconnect();
            assertThat(recovered.await(30, SECONDS)).isTrue();
            channel.basicPublish("", "q", null, "after".getBytes(UTF_8));

            assertThat(received.poll(30, SECONDS)).isEqualTo("after");
        }
    }

    @Test
    void shouldRefuseBrokerWithASeed() {
        try (Broker seeded = Broker.builder().seed(1).start()) {
            assertThatThrownBy(() -> new MemoryConnectionFactory(seeded))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("it has a seed");
        }
    }

    @Test
    void shouldBeRefusedWhenBrokerIsClosed() {
        broker.close();

        assertThatThrownBy(factory::newConnection)
                .isInstanceOf(ConnectException.class)
                .hasMessage("broker 'memory-test' is closed");
    }

    @Test
    void shouldLeaveNoThreadWhenLastConnectionIsClosed() throws Exception {
        Connection first = factory.newConnection();
        Connection second = factory.newConnection();
        boolean hadThreads = hasThreads();

        first.close();
        second.close();

        assertThat(hadThreads).isTrue();
        await().until(() -> !hasThreads());
    }

    private static boolean hasThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith("warren-memory-test-memory"));
    }

    @Test
    void shouldAnswerAsOverTcpWhenProtocolIsUnknown() throws Exception {
        try (Socket socket = factory.getSocketFactory().createSocket("anywhere", 5672);
                OutputStream out = socket.getOutputStream();
                InputStream in = socket.getInputStream()) {
            out.write("HTTP/1.1".getBytes(UTF_8));

            assertThat(in.readAllBytes()).containsExactly('A', 'M', 'Q', 'P', 0, 0, 9, 1);
        }
    }

    @Test
    void shouldKeepSocketOptions() throws Exception {
        try (Socket socket = factory.getSocketFactory().createSocket("anywhere", 5672)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(30);

            assertThat(socket.getTcpNoDelay()).isTrue();
            assertThat(socket.getSoTimeout()).isEqualTo(30);
            assertThat(socket.getKeepAlive()).isFalse();
            assertThat(socket.getSoLinger()).isEqualTo(-1);
            assertThat(socket.getTrafficClass()).isZero();
            assertThat(socket.getInetAddress().isLoopbackAddress()).isTrue();
        }
    }
}
