package io.warren.test.crash;

import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A durable broker as a process, to be killed: {@code CrashServer DIRECTORY PORT LOG_FILE_BYTES PORT_FILE}.
 *
 * <p>Writes its port into the file when it is ready; ends cleanly when its input ends. Queues whose names begin with
 * {@code switched} become lazy and ordinary again, by policy, several times a second.
 */
final class CrashServer {

    private static final Logger LOG = LoggerFactory.getLogger(CrashServer.class);
    private static final long SWITCH_MS = 150;

    private CrashServer() {}

    public static void main(String[] arguments) throws IOException {
        Path portFile = Path.of(arguments[3]);
        ScheduledExecutorService switching = Executors.newSingleThreadScheduledExecutor();
        try (Broker broker = Broker.builder()
                        .name("crash")
                        .dataDirectory(Path.of(arguments[0]))
                        .logFileBytes(Long.parseLong(arguments[2]))
                        .start();
                AmqpServer server = AmqpServer.builder(broker)
                        .port(Integer.parseInt(arguments[1]))
                        .start()) {
            var unused = switching.scheduleWithFixedDelay(
                    new LazySwitch(broker), SWITCH_MS, SWITCH_MS, TimeUnit.MILLISECONDS);
            tell(portFile, server.port());
            waitForEndOfInput();
            switching.shutdown();
        }
    }

    private static void tell(Path portFile, int port) throws IOException {
        Path written = portFile.resolveSibling(portFile.getFileName() + ".new");
        Files.writeString(written, Integer.toString(port));
        Files.move(written, portFile, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void waitForEndOfInput() throws IOException {
        int input = System.in.read();
        while (input >= 0) {
            input = System.in.read();
        }
    }

    private static final class LazySwitch implements Runnable {

        private final Broker broker;
        private boolean lazy;

        LazySwitch(Broker broker) {
            this.broker = broker;
        }

        @Override
        public void run() {
            lazy = !lazy;
            try {
                broker.administration()
                        .setPolicy(
                                "/",
                                new Policy(
                                        "switch",
                                        "^switched",
                                        Policy.AppliesTo.QUEUES,
                                        1,
                                        FieldTable.of("queue-mode", lazy ? "lazy" : "default")));
            } catch (RuntimeException refused) {
                LOG.error("the queues could not be switched", refused);
            }
        }
    }
}
