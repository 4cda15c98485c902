package io.warren.test.idle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.mirroring.cluster.ClusterNode;
import io.warren.mirroring.cluster.ClusterSettings;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A node that nobody uses: {@code IdleNode NODE HOST PORT DIRECTORY SECRET-FILE [SEED]...}. Prints {@code ready} when it serves, and stops
 * when its standard input ends.
 */
final class IdleNode {
    private IdleNode() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Files.createDirectories(Path.of(arguments[3]));
        ClusterSettings settings = ClusterSettings.of(
                        arguments[0],
                        arguments[1],
                        Integer.parseInt(arguments[2]),
                        directory,
                        Files.readString(Path.of(arguments[4])).strip())
                .join(List.of(arguments).subList(5, arguments.length))
                .adapt(node -> node.broker(broker -> broker.dataDirectory(directory.resolve("queues"))));
        try (ClusterNode node = ClusterNode.start(settings);
                Reader input = new InputStreamReader(System.in, UTF_8)) {
            System.out.println("ready");
            for (int sign = input.read(); sign >= 0; sign = input.read()) {
                if (sign == '\n') {
                    System.out.println("led by " + node.status().controller());
                }
            }
        }
    }
}
