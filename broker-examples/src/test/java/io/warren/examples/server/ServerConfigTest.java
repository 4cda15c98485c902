package io.warren.examples.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
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

        try (Broker broker = Broker.start();
                AmqpServer server = ServerConfig.read(file)
                        .apply(broker, AmqpServer.builder(broker).port(0))
                        .start()) {
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
                .hasMessageStartingWith(file + ":2: 'mqtt.vhost' has no effect here; there are: channel_max, ");
    }

    @Test
    void shouldRefuseWithItsLineWhenValueCannotBe() throws Exception {
        ServerConfig config = ServerConfig.read(file("heartbeat = often"));

        try (Broker broker = Broker.start()) {
            assertThatThrownBy(() -> config.apply(broker, AmqpServer.builder(broker)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("warren.conf:1: heartbeat cannot be 'often'");
        }
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
    void shouldReadBytesInRabbitMqUnits() {
        assertThat(ServerConfig.bytes("5")).isEqualTo(5);
        assertThat(ServerConfig.bytes("2k")).isEqualTo(2_048);
        assertThat(ServerConfig.bytes("2kB")).isEqualTo(2_000);
        assertThat(ServerConfig.bytes("3MiB")).isEqualTo(3L << 20);
        assertThat(ServerConfig.bytes("1GB")).isEqualTo(1_000_000_000);
    }
}
