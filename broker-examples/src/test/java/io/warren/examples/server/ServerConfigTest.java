package io.warren.examples.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import io.warren.core.QueueOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings in the words of a rabbitmq.conf. */
class ServerConfigTest {

    @TempDir
    private Path folder;

    private Path file(String... lines) throws IOException {
        return Files.writeString(folder.resolve("warren.conf"), String.join("\n", lines));
    }

    @Test
    void shouldApplyWhatIsWrittenWhenServerStarts() throws Exception {
        Path file = file("# limits", "heartbeat = 7", "", "frame_max=8192 # small", "  channel_max = 12");
        ConnectionFactory factory = new ConnectionFactory();

        ServerSetup setup = ServerConfig.read(file);
        try (Broker broker = setup.broker().start();
                AmqpServer server = setup.server(broker, 0).start()) {
            factory.setUri(server.amqpUri());
            try (Connection connection = factory.newConnection()) {
                assertThat(connection.getHeartbeat()).isEqualTo(7);
                assertThat(connection.getFrameMax()).isEqualTo(8_192);
                assertThat(connection.getChannelMax()).isEqualTo(12);
            }
        }
    }

    @Test
    void shouldRefuseWithItsLineWhenNameHasNoEffect() throws Exception {
        Path file = file("heartbeat = 7", "mqtt.vhost = /");

        assertThatThrownBy(() -> ServerConfig.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file + ":2: 'mqtt.vhost' has no effect here; there are: auth_mechanisms.*, ");
    }

    @Test
    void shouldRefuseWithItsLineWhenValueCannotBe() throws Exception {
        Path file = file("consumer_timeout = 1000", "heartbeat = often");

        assertThatThrownBy(() -> ServerConfig.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ":2: heartbeat cannot be 'often': not a whole number");
    }

    @Test
    void shouldRefuseWhenLineIsNoSetting() throws Exception {
        Path file = file("[{rabbit, []}].");

        assertThatThrownBy(() -> ServerConfig.read(file)).hasMessage(file + ":1: not 'name = value': [{rabbit, []}].");
    }

    @Test
    void shouldRefuseWhenFileIsMissing() {
        assertThatThrownBy(() -> ServerConfig.read(folder.resolve("none.conf")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot read");
    }

    @Test
    void shouldListenWhereSettingsSayWhenNoPortIsAskedFor() throws Exception {
        ServerSetup setup = ServerConfig.read(file("listeners.tcp.1 = 0", "listeners.tcp.local = 127.0.0.1:0"));

        try (Broker broker = setup.broker().start();
                AmqpServer server = setup.server(broker, null).start()) {
            assertThat(server.uris()).hasSize(2).allMatch(uri -> uri.startsWith("amqp://127.0.0.1:"));
        }
    }

    @Test
    void shouldListenAtPortAskedForFirst() throws Exception {
        ServerSetup setup = ServerConfig.read(file("listeners.tcp.1 = 0"));

        try (Broker broker = setup.broker().start();
                AmqpServer server = setup.server(broker, 0).start()) {
            assertThat(server.uris()).hasSize(2);
        }
    }

    @Test
    void shouldSayWhatIsMissingWhenTlsHasNoCertificate() throws Exception {
        ServerSetup setup = ServerConfig.read(file("listeners.ssl.1 = 0", "ssl_options.verify = verify_peer"));

        try (Broker broker = setup.broker().start()) {
            assertThatThrownBy(() -> setup.server(broker, null))
                    .hasMessageContaining("listeners.ssl needs ssl_options.certfile and ssl_options.keyfile");
        }
    }

    @Test
    void shouldOfferMechanismsInTheirOrder() throws Exception {
        ServerSetup setup =
                ServerConfig.read(file("auth_mechanisms.1 = AMQPLAIN", "auth_mechanisms.2 = RABBIT-CR-DEMO"));
        ConnectionFactory factory = new ConnectionFactory();

        try (Broker broker = setup.broker().start();
                AmqpServer server = setup.server(broker, 0).start()) {
            factory.setPort(server.port());
            assertThatThrownBy(factory::newConnection).hasMessageContaining("server offered [AMQPLAIN RABBIT-CR-DEMO]");
        }
    }

    @Test
    void shouldTakeQuorumQueuesForClassicOnesWhenAskedTo() throws Exception {
        ServerSetup setup = ServerConfig.read(file("quorum_as_classic = true"));

        try (Broker broker = setup.broker().start();
                AmqpServer server = setup.server(broker, 0).start()) {
            broker.connect()
                    .openChannel()
                    .queueDeclare(QueueOptions.durable("q").argument("x-queue-type", "quorum"));

            assertThat(server.connectionCount()).isZero();
            assertThat(broker.vhost("/").queue("q").exists()).isTrue();
        }
    }

    @Test
    void shouldReadBytesInRabbitMqUnits() {
        assertThat(ServerConfig.bytes("5")).isEqualTo(5);
        assertThat(ServerConfig.bytes("2k")).isEqualTo(2_048);
        assertThat(ServerConfig.bytes("2kB")).isEqualTo(2_000);
        assertThat(ServerConfig.bytes("3MiB")).isEqualTo(3L << 20);
        assertThat(ServerConfig.bytes("1GB")).isEqualTo(1_000_000_000);
    }
}
