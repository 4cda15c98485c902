package io.warren.amqp.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.LongString;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.CredentialsProvider;
import com.rabbitmq.client.impl.CredentialsRefreshService;
import com.rabbitmq.client.impl.DefaultCredentialsProvider;
import com.rabbitmq.client.impl.NetworkConnection;
import io.warren.core.Broker;
import io.warren.core.ConnectionView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server as RabbitMQ's Java client finds it. */
@Timeout(30)
final class JavaClientTest {

    private final Broker broker = Broker.start();
    private final AmqpServer server =
            AmqpServer.builder(broker).port(0).threads(1).start();
    private final ConnectionFactory factory = new ConnectionFactory();
    private Connection connection;
    private Channel channel;

    @BeforeEach
    void connect() throws Exception {
        factory.setUri(server.amqpUri());
        connection = factory.newConnection();
        channel = connection.createChannel();
    }

    @AfterEach
    void close() {
        connection.abort(5_000);
        server.close();
        broker.close();
    }

    @Test
    void shouldPresentItselfAsRabbitMqWhenClientConnects() {
        Map<String, Object> properties = connection.getServerProperties();

        assertThat(properties.get("product")).hasToString("RabbitMQ");
        assertThat(properties.get("version")).hasToString("3.10.8");
        assertThat(properties.get("cluster_name")).asString().startsWith("rabbit@");
        assertThat((Map<?, ?>) properties.get("capabilities")).hasSize(9);
        assertThat(connection.getFrameMax()).isEqualTo(131_072);
        assertThat(connection.getChannelMax()).isEqualTo(2_047);
        assertThat(connection.getHeartbeat()).isEqualTo(60);
    }

    @Test
    void shouldRefuseWithReasonWhenPasswordIsWrong() {
        factory.setPassword("wrong");

        assertThatThrownBy(factory::newConnection)
                .isInstanceOf(AuthenticationFailureException.class)
                .hasMessage("ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN."
                        + " For details see the broker logfile.");
    }

    @Test
    void shouldGiveBackWhatWasPublishedWhenMessageIsGot() throws Exception {
        channel.queueDeclare("q", false, false, false, null);
        byte[] body = new byte[1 << 20];
        new Random(1).nextBytes(body);
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .contentType("application/octet-stream")
                .deliveryMode(2)
                .headers(Map.of("n", 1, "list", List.of(1L, "two")))
                .build();

        channel.basicPublish("", "q", properties, body);
        GetResponse got = channel.basicGet("q", true);

        assertThat(got.getBody()).isEqualTo(body);
        assertThat(got.getProps().getContentType()).isEqualTo("application/octet-stream");
        assertThat(got.getProps().getDeliveryMode()).isEqualTo(2);
        assertThat(got.getProps().getHeaders()).containsEntry("n", 1);
        List<?> list = (List<?>) got.getProps().getHeaders().get("list");
        assertThat(list.get(0)).isEqualTo(1L);
        assertThat((LongString) list.get(1)).hasToString("two");
    }

    @Test
    void shouldDeliverAllInOrderWhenManyAreConfirmed() throws Exception {
        int count = 20_000;
        channel.queueDeclare("q", false, false, false, null);
        channel.confirmSelect();
        channel.basicQos(100);
        CountDownLatch received = new CountDownLatch(count);
        CompletableFuture<String> outOfOrder = new CompletableFuture<>();
        Channel consumer = connection.createChannel();
        consumer.basicQos(250);
        int[] next = {0};
        consumer.basicConsume(
                "q",
                false,
                (tag, delivery) -> {
                    String text = new String(delivery.getBody(), StandardCharsets.UTF_8);
                    if (!text.equals(Integer.toString(next[0]++))) {
                        outOfOrder.complete(text);
                    }
                    consumer.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
                    received.countDown();
                },
                tag -> {});

        for (int i = 0; i < count; i++) {
            channel.basicPublish(
                    "",
                    "q",
                    MessageProperties.MINIMAL_BASIC,
                    Integer.toString(i).getBytes(StandardCharsets.UTF_8));
        }
        boolean confirmed = channel.waitForConfirms(20_000);

        assertThat(confirmed).isTrue();
        assertThat(received.await(20, SECONDS)).isTrue();
        assertThat(outOfOrder).isNotDone();
    }

    @Test
    void shouldCloseChannelOnlyWhenQueueIsMissing() throws Exception {
        assertThatThrownBy(() -> channel.queueDeclarePassive("nope"))
                .cause()
                .isInstanceOfSatisfying(ShutdownSignalException.class, signal -> {
                    AMQP.Channel.Close close = (AMQP.Channel.Close) signal.getReason();
                    assertThat(close.getReplyCode()).isEqualTo(404);
                    assertThat(close.getReplyText()).isEqualTo("NOT_FOUND - no queue 'nope' in vhost '/'");
                    assertThat(close.getClassId()).isEqualTo(50);
                    assertThat(close.getMethodId()).isEqualTo(10);
                });

        Channel next = connection.createChannel();
        assertThat(next.queueDeclare().getQueue()).startsWith("amq.gen-");
    }

    @Test
    void shouldGoOnWhenClientRenewsItsSecret() throws Exception {
        CompletableFuture<Callable<Boolean>> renewal = new CompletableFuture<>();
        factory.setCredentialsRefreshService(new CredentialsRefreshService() {
            @Override
            public String register(CredentialsProvider credentials, Callable<Boolean> refresh) {
                renewal.complete(refresh);
                return "id";
            }

            @Override
            public void unregister(CredentialsProvider credentials, String id) {}

            @Override
            public boolean isApproachingExpiration(Duration left) {
                return false;
            }
        });
        factory.setCredentialsProvider(new DefaultCredentialsProvider("guest", "guest") {
            @Override
            public Duration getTimeBeforeExpiration() {
                return Duration.ofHours(1);
            }
        });
        try (Connection renewing = factory.newConnection()) {
            boolean renewed = renewal.get(10, SECONDS).call();

            assertThat(renewed).isTrue();
            assertThat(renewing.createChannel().queueDeclare().getQueue()).isNotEmpty();
        }
    }

    @Test
    void shouldShowOperatorWhoIsConnected() throws Exception {
        Connection named = factory.newConnection("orders");
        named.createChannel(7).basicQos(3);

        ConnectionView view = broker.administration().connections().get(1);

        assertThat(view.clientProvidedName()).isEqualTo("orders");
        assertThat(view.clientProperties().get("product")).isEqualTo("RabbitMQ");
        assertThat(view.origin().protocol()).isEqualTo("AMQP 0-9-1");
        assertThat(view.origin().peerHost()).isEqualTo("127.0.0.1");
        assertThat(view.origin().peerPort())
                .isEqualTo(((NetworkConnection) named).getLocalPort())
                .isPositive();
        assertThat(view.origin().port()).isEqualTo(server.port());
        assertThat(view.channels()).singleElement().satisfies(channel -> {
            assertThat(channel.number()).isEqualTo(7);
            assertThat(channel.prefetch()).isEqualTo(3);
        });
        named.close();
    }

    @Test
    void shouldHearReasonWhenOperatorClosesConnection() throws Exception {
        CompletableFuture<ShutdownSignalException> closed = new CompletableFuture<>();
        factory.setAutomaticRecoveryEnabled(false);
        Connection meant = factory.newConnection("orders");
        meant.addShutdownListener(closed::complete);

        broker.administration()
                .closeConnections(view -> "orders".equals(view.clientProvidedName()), "maintenance at noon");

        AMQP.Connection.Close close =
                (AMQP.Connection.Close) closed.get(10, SECONDS).getReason();
        assertThat(close.getReplyCode()).isEqualTo(320);
        assertThat(close.getReplyText()).isEqualTo("CONNECTION_FORCED - maintenance at noon");
        assertThat(close.getClassId()).isZero();
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void shouldTellClientsWhenServerCloses() throws Exception {
        CompletableFuture<ShutdownSignalException> closed = new CompletableFuture<>();
        factory.setAutomaticRecoveryEnabled(false);
        Connection plain = factory.newConnection();
        plain.addShutdownListener(closed::complete);

        server.close();

        AMQP.Connection.Close close =
                (AMQP.Connection.Close) closed.get(10, SECONDS).getReason();
        assertThat(close.getReplyCode()).isEqualTo(320);
    }
}
