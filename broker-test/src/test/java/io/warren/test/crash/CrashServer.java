package io.warren.test.crash;

import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A durable broker as a process, to be killed: {@code CrashServer DIRECTORY PORT LOG_FILE_BYTES PORT_FILE}.
 *
 * <p>Writes its port into the file when it is ready; ends cleanly when its input ends.
 */
final class CrashServer {

    private CrashServer() {}

    public static void main(String[] arguments) throws IOException {
        Path portFile = Path.of(arguments[3]);
        try (Broker broker = Broker.builder()
                        .name("crash")
                        .dataDirectory(Path.of(arguments[0]))
                        .logFileBytes(Long.parseLong(arguments[2]))
                        .start();
                AmqpServer server = AmqpServer.builder(broker)
                        .port(Integer.parseInt(arguments[1]))
                        .start()) {
            Path written = portFile.resolveSibling(portFile.getFileName() + ".new");
            Files.writeString(written, Integer.toString(server.port()));
            Files.move(written, portFile, StandardCopyOption.ATOMIC_MOVE);
            int input = System.in.read();
            while (input >= 0) {
                input = System.in.read();
            }
        }
    }
}
