package io.warren.examples.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.QueueOptions;
import io.warren.mirroring.cluster.ClusterNode;
import io.warren.mirroring.cluster.ClusterSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code cluster a forget --offline b} */
@Timeout(120)
class OfflineForgetTest {
    @TempDir
    private Path folder;

    private ClusterSettings settings(String name, int port) {
        return ClusterSettings.of(name, "127.0.0.1", port, folder.resolve(name), "what all nodes of this test know");
    }

    private static int freePorts() throws IOException {
        IOException last = new IOException("no two free ports in a row");
        for (int tries = 0; tries < 100; tries++) {
            try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    ServerSocket second =
                            new ServerSocket(first.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress())) {
                return second.getLocalPort() - 1;
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw last;
    }

    @Test
    void shouldSayWhatIsLostAndGoOnWhenThatMayBe() throws IOException {
        ClusterSettings a = settings("a", freePorts());
        ClusterSettings b = settings("b", freePorts()).join(List.of("127.0.0.1:" + a.port()));
        ClusterNode first = ClusterNode.start(a);
        ClusterNode second = ClusterNode.start(b);
        second.broker().connect().openChannel().queueDeclare(QueueOptions.durable("orders"));
        Path directory = folder.resolve("a");
        assertThatThrownBy(() -> OfflineForget.run(directory, List.of("forget", "--offline", "b")))
                .hasMessageContaining("its node runs");
        first.close();
        second.close();

        assertThatThrownBy(() -> OfflineForget.run(directory, List.of("forget", "--offline", "x")))
                .hasMessageContaining("nodes=[x]: those that node 'a' can forget are [b]");
        assertThatThrownBy(() -> OfflineForget.run(folder, List.of("forget", "--offline", "b")))
                .hasMessageContaining("is no node's");
        assertThatThrownBy(() -> OfflineForget.run(directory, List.of("forget", "--offline", "b")))
                .hasMessageContaining("needs --losing-queues")
                .hasMessageContaining("queue //orders: all of it, for it lived at b");
        assertThat(OfflineForget.run(directory, List.of("forget", "b", "--losing-queues", "--offline")))
                .startsWith("node 'a' has forgotten [b] and can be started alone")
                .contains("queue //orders");

        try (ClusterNode alone = ClusterNode.start(a)) {
            assertThat(alone.status().nodes()).containsOnlyKeys("a");
            assertThat(alone.status().voters()).containsExactly("a");
        }
    }
}
