package io.warren.examples.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.mirroring.metadata.PartitionHandling;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a command line means. */
class ServerOptionsTest {

    @Test
    void shouldLeavePortOpenWhenNothingIsAskedFor() {
        assertThat(ServerOptions.of()).isEqualTo(new ServerOptions(null, null, null, null, NodeOptions.NONE));
    }

    @Test
    void shouldTakeWhatIsAskedFor() {
        assertThat(ServerOptions.of(
                        "--config", "a.conf", "--port", "0", "--definitions", "d.json", "--data-dir", "data"))
                .isEqualTo(
                        new ServerOptions(0, Path.of("a.conf"), Path.of("d.json"), Path.of("data"), NodeOptions.NONE));
    }

    @Test
    void shouldTakeANode() {
        ServerOptions options = ServerOptions.of(
                "--node",
                "a",
                "--cluster-port",
                "6001",
                "--cluster-host",
                "10.0.0.1",
                "--join",
                "10.0.0.2:6001",
                "--join",
                "10.0.0.3:6001",
                "--cluster-secret-file",
                "secret",
                "--data-dir",
                "data");

        assertThat(options.node())
                .isEqualTo(new NodeOptions(
                        "a",
                        "10.0.0.1",
                        6001,
                        List.of("10.0.0.2:6001", "10.0.0.3:6001"),
                        Path.of("secret"),
                        PartitionHandling.QUORUM,
                        false,
                        true));
    }

    @Test
    void shouldRehearseUnlessToldNotTo() {
        String[] node = {
            "--node", "a", "--cluster-port", "6001", "--cluster-secret-file", "secret", "--data-dir", "data"
        };

        assertThat(ServerOptions.of(node).node().isRehearsed()).isTrue();
        assertThat(ServerOptions.of(and(node, "--no-rehearsal")).node().isRehearsed())
                .isFalse();
        assertThatThrownBy(() -> ServerOptions.of("--no-rehearsal"))
                .hasMessageContaining("for a node of a cluster, which has a --node NAME");
    }

    @Test
    void shouldTakePartitionHandlingButNotForAWitness() {
        String[] node = {
            "--node",
            "a",
            "--cluster-port",
            "6001",
            "--cluster-secret-file",
            "secret",
            "--data-dir",
            "data",
            "--join",
            "10.0.0.2:6001",
            "--partition-handling"
        };

        assertThat(ServerOptions.of(and(node, "ignore")).node().partitionHandling())
                .isEqualTo(PartitionHandling.IGNORE);
        assertThatThrownBy(() -> ServerOptions.of(and(node, "autoheal")))
                .hasMessage("--partition-handling is quorum or ignore, was 'autoheal'");
        assertThatThrownBy(() -> ServerOptions.of(and(node, "ignore", "--witness")))
                .hasMessageContaining("it goes with --partition-handling quorum");
    }

    private static String[] and(String[] some, String... more) {
        return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void shouldRefuseHalfOfANode() {
        assertThatThrownBy(() -> ServerOptions.of("--node", "a", "--cluster-port", "6001", "--data-dir", "data"))
                .hasMessageContaining("--node a needs")
                .hasMessageContaining("--cluster-secret-file");
        assertThatThrownBy(() -> ServerOptions.of("--join", "10.0.0.2:6001"))
                .hasMessageContaining("for a node of a cluster, which has a --node NAME");
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

    @Test
    void shouldRefuseWhatIsNoOption() {
        assertThatThrownBy(() -> ServerOptions.of("--prot", "5672")).hasMessage("'--prot' is not an option");
    }
}
