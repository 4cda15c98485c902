package io.warren.examples.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a command line means. */
class ServerOptionsTest {

    @Test
    void shouldLeavePortOpenWhenNothingIsAskedFor() {
        assertThat(ServerOptions.of()).isEqualTo(new ServerOptions(null, null, null, null));
    }

    @Test
    void shouldTakeWhatIsAskedFor() {
        assertThat(ServerOptions.of(
                        "--config", "a.conf", "--port", "0", "--definitions", "d.json", "--data-dir", "data"))
                .isEqualTo(new ServerOptions(0, Path.of("a.conf"), Path.of("d.json"), Path.of("data")));
    }

    @Test
    void shouldRefuseWhatIsNoPort() {
        assertThatThrownBy(() -> ServerOptions.of("--port", "amqp")).hasMessage("--port must be a number, was 'amqp'");
        assertThatThrownBy(() -> ServerOptions.of("--port", "65536"))
                .hasMessage("--port must be from 0 to 65535, was 65536");
    }

    @Test
    void shouldRefuseOptionWithoutValue() {
        assertThatThrownBy(() -> ServerOptions.of("--port", "0", "--config")).hasMessage("--config needs a value");
    }
}
