package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import io.warren.examples.server.ControlSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Three shells make a cluster: servers as processes, as who starts them by their command finds them. */
@Timeout(120)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the cluster command goes through a socket in the file system")
class ClusterServersTest {
    private static final Duration WAIT = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final Map<String, Process> processes = new TreeMap<>();
    private final Map<String, String> uris = new TreeMap<>();
    private final List<String> joined = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        processes.values().forEach(Process::destroyForcibly);
    }

    private void startThree() throws Exception {
        Files.writeString(folder.resolve("secret"), "what all nodes of this test know\n");
        for (String name : List.of("a", "b", "c")) {
            start(name, freePorts());
        }
    }

    private void start(String name, int clusterPort) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Three JVMs start, on two cores: the quick compiler is enough.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.warren.examples.Server",
                "--port",
                "0",
                "--node",
                name,
                "--no-rehearsal",
                "--cluster-port",
                String.valueOf(clusterPort),
                "--cluster-secret-file",
                folder.resolve("secret").toString(),
                "--data-dir",
                folder.resolve(name).toString()));
        for (String address : joined) {
            command.addAll(List.of("--join", address));
        }
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve(name + ".log").toFile())
                .start();
        processes.put(name, process);
        String uri = process.inputReader().readLine();
        assertThat(uri).as(() -> log(name)).isNotNull();
        uris.put(name, uri);
        joined.add("127.0.0.1:" + clusterPort);
    }

    private String log(String name) {
        try {
            return Files.readString(folder.resolve(name + ".log"));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private static int freePorts() {
        Exception last = null;
        for (int tries = 0; tries < 100; tries++) {
            try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    ServerSocket second =
                            new ServerSocket(first.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress())) {
                return second.getLocalPort() - 1;
            } catch (IOException | IllegalArgumentException taken) {
                last = taken;
            }
        }
        throw new IllegalStateException("no two free ports in a row", last);
    }

    private Channel channel(String node) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uris.get(node));
        factory.setAutomaticRecoveryEnabled(false);
        Connection connection = factory.newConnection();
        Channel channel = connection.createChannel();
        channel.confirmSelect();
        return channel;
    }

    private String ask(String node, String command) throws IOException {
        return ControlSocket.ask(folder.resolve(node), command);
    }

    @Test
    void shouldFormLoseANodeTakeItBackForgetAndLeave() throws Exception {
        startThree();
        assertThat(ask("a", "status").lines())
                .startsWith("node a, serving")
                .contains("voters a b c")
                .filteredOn(line -> line.contains(" running "))
                .hasSize(3);
        assertRefused("a", "forget c", "runs: it must be stopped first");
        assertRefused("a", "explode", "'explode' is not one of: status");
        Channel atC = channel("c");
        atC.queueDeclare("orders", true, false, false, null);
        Channel atB = channel("b");

        processes.get("a").destroyForcibly().waitFor();
        for (int i = 0; i < 10; i++) {
            atB.basicPublish("", "orders", MessageProperties.PERSISTENT_BASIC, ("book " + i).getBytes(UTF_8));
        }
        assertThat(atB.waitForConfirms(20_000)).isTrue();
        awaitStatus("b", "a down incarnation 1");
        assertThat(atC.queueDeclarePassive("orders").getMessageCount()).isEqualTo(10);
        atB.queueDeclare("after-a", true, false, false, null);

        start("a", Integer.parseInt(joined.get(0).replaceAll(".*:", "")));
        awaitStatus("b", "a running incarnation 2");
        Channel atA = channel("a");
        assertThat(atA.basicGet("orders", true).getBody()).asString().isEqualTo("book 0");
        assertThat(atA.queueDeclarePassive("after-a").getMessageCount()).isZero();

        processes.get("c").toHandle().destroy();
        assertThat(processes.get("c").waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertRefused("a", "forget c", "its durable queues are lost: [//orders]");
        assertThat(ask("a", "forget c --losing-queues")).isEqualTo("node 'c' is forgotten");
        atB.queueDelete("after-a");
        assertThat(ask("b", "leave")).startsWith("this node has left");
        await().atMost(WAIT).untilAsserted(() -> assertThat(ask("a", "status").lines())
                .contains("voters a")
                .noneMatch(line -> line.startsWith("b ")));
    }

    private void assertRefused(String node, String command, String why) {
        assertThatThrownBy(() -> ask(node, command))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
    }

    private void awaitStatus(String node, String line) {
        await().atMost(WAIT).untilAsserted(() -> assertThat(ask(node, "status")).contains(line));
    }

    @Test
    void shouldSayWhatANodeNeeds() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.warren.examples.Server",
                        "--node",
                        "a")
                .start();
        processes.put("a", process);

        assertThat(process.errorReader().readLine()).startsWith("server: --node a needs --cluster-port");
        assertThat(process.waitFor()).isEqualTo(2);
    }
}
