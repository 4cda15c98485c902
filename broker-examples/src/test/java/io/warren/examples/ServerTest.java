package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The server as a process, as who starts it by its command finds it. */
@Timeout(60)
class ServerTest {

    @TempDir
    private Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process server(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.warren.examples.Server"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).start();
        processes.add(process);
        return process;
    }

    private static Connection connect(String uri) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection();
    }

    @Test
    void shouldServeClientsWhenItHasPrintedItsUri() throws Exception {
        Process process = server("--port", "0");

        String uri = process.inputReader().readLine();

        try (Connection connection = connect(uri);
                Channel channel = connection.createChannel()) {
            channel.queueDeclare("orders", false, false, false, null);
            channel.basicPublish("", "orders", null, "one book".getBytes(UTF_8));
            assertThat(channel.basicGet("orders", true).getBody()).asString().isEqualTo("one book");
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no signal that asks a process to end")
    void shouldTellClientsAndEndWhenTerminated() throws Exception {
        Process process = server("--port", "0");
        BufferedReader output = process.inputReader();
        CompletableFuture<ShutdownSignalException> closed = new CompletableFuture<>();
        connect(output.readLine()).addShutdownListener(closed::complete);

        // Process.destroy would close the streams as well.
        process.toHandle().destroy();

        assertThat(closed.get(20, TimeUnit.SECONDS)).hasMessageContaining("reply-code=320");
        assertThat(process.waitFor()).as("128 and the signal's number").isEqualTo(128 + 15);
        assertThat(output.readLine()).as("anything printed beside the URI").isNull();
    }

    @Test
    void shouldHaveDefinitionsWhenItHasPrintedItsUri() throws Exception {
        Path definitions = Files.writeString(
                folder.resolve("definitions.json"),
                """
                {"vhosts": [{"name": "/"}],
                 "queues": [{"name": "orders", "vhost": "/", "durable": true},
                            {"name": "lost", "vhost": "nowhere", "durable": true}]}
                """);
        Process process = server("--port", "0", "--definitions", definitions.toString());

        String uri = process.inputReader().readLine();

        try (Connection connection = connect(uri)) {
            assertThat(connection.createChannel().queueDeclarePassive("orders").getMessageCount())
                    .isZero();
        }
        assertThat(process.errorReader().readLine())
                .endsWith("definitions.json: refused queues[1]: NOT_ALLOWED - vhost nowhere not found");
    }

    @Test
    void shouldHaveWhatWasConfirmedWhenItWasKilledAndStartedAgain() throws Exception {
        String data = folder.resolve("data").toString();
        Process killed = server("--port", "0", "--data-dir", data);
        try (Connection connection = connect(killed.inputReader().readLine());
                Channel channel = connection.createChannel()) {
            channel.queueDeclare("orders", true, false, false, null);
            channel.confirmSelect();
            channel.basicPublish("", "orders", MessageProperties.PERSISTENT_BASIC, "one book".getBytes(UTF_8));
            channel.waitForConfirmsOrDie();
            killed.destroyForcibly().waitFor();
        } catch (ShutdownSignalException killedMeanwhile) {
            assertThat(killed.isAlive()).isFalse();
        }

        Process again = server("--port", "0", "--data-dir", data);

        try (Connection connection = connect(again.inputReader().readLine());
                Channel channel = connection.createChannel()) {
            assertThat(channel.basicGet("orders", true).getBody()).asString().isEqualTo("one book");
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no signal that asks a process to end")
    void shouldKeepQueuesAndMessagesWhenItIsStartedAgain() throws Exception {
        String[] arguments = {
            "--port", "0", "--data-dir", folder.resolve("data").toString()
        };
        Process first = server(arguments);
        try (Connection connection = connect(first.inputReader().readLine())) {
            Channel channel = connection.createChannel();
            channel.queueDeclare("orders", true, false, false, null);
            channel.confirmSelect();
            channel.basicPublish("", "orders", MessageProperties.PERSISTENT_BASIC, "one book".getBytes(UTF_8));
            channel.waitForConfirmsOrDie(20_000);
        }
        first.destroy();
        first.waitFor();

        Process second = server(arguments);

        try (Connection connection = connect(second.inputReader().readLine())) {
            assertThat(connection.createChannel().basicGet("orders", true).getBody())
                    .asString()
                    .isEqualTo("one book");
        }
    }

    @Test
    void shouldSayWhatIsWrongWhenDataDirectoryIsInUse() throws Exception {
        String[] arguments = {
            "--port", "0", "--data-dir", folder.resolve("data").toString()
        };
        server(arguments).inputReader().readLine();

        Process second = server(arguments);

        assertThat(second.waitFor()).isEqualTo(1);
        assertThat(second.errorReader().readLine()).startsWith("server: ").contains("data");
    }

    @Test
    void shouldSayWhatIsWrongWhenDefinitionsCannotBeRead() throws Exception {
        Process process = server("--port", "0", "--definitions", "missing.json");

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(process.errorReader().readLine()).isEqualTo("server: cannot read missing.json");
    }

    @Test
    void shouldSayWhatIsWrongWhenOptionIsUnknown() throws Exception {
        Process process = server("--prot", "5672");

        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(process.errorReader().lines())
                .containsExactly(
                        "server: '--prot' is not an option",
                        "usage: server [--port N] [--config FILE] [--data-dir DIRECTORY] [--definitions FILE]",
                        "       [--node NAME --cluster-port N --cluster-secret-file FILE [--cluster-host HOST]"
                                + " [--join HOST:PORT]...",
                        "        [--partition-handling quorum|ignore] [--witness | --no-rehearsal]]");
    }

    @Test
    void shouldSayWhatIsWrongWhenPortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process process = server("--port", Integer.toString(taken.getLocalPort()));

            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(process.errorReader().readLine())
                    .startsWith("server: cannot listen on ")
                    .contains(":" + taken.getLocalPort());
        }
    }
}
