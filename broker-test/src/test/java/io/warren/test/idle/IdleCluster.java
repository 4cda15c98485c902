package io.warren.test.idle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.test.process.ProcessUse;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Starts three {@link IdleNode}s and prints what each costs: {@code IdleCluster SECONDS DIRECTORY}. */
final class IdleCluster {
    private static final String HOST = "127.0.0.1";
    private static final int STOP_SECONDS = 30;
    /** Until the compiler has done what a start leaves it with. */
    private static final long SETTLE_MS = 20_000;

    private static final double MIB = 1 << 20;
    private static final int KINDS_SHOWN = 8;

    private final Path work;
    private final Path secret;
    private final Map<String, Process> nodes = new LinkedHashMap<>();
    private final Map<String, BufferedReader> outputs = new TreeMap<>();
    private final List<String> seeds = new ArrayList<>();

    private IdleCluster(Path work) throws IOException {
        this.work = work;
        secret = Files.writeString(work.resolve("secret"), "what all nodes of this measurement know");
    }

    public static void main(String[] arguments) throws Exception {
        long seconds = Long.parseLong(arguments[0]);
        IdleCluster cluster = new IdleCluster(Path.of(arguments[1]));
        try {
            for (String name : List.of("a", "b", "c")) {
                cluster.start(name);
            }
            Thread.sleep(SETTLE_MS);
            Map<String, ProcessUse> before = cluster.use();
            long beganNs = System.nanoTime();
            Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
            Map<String, ProcessUse> after = cluster.use();
            cluster.report(before, after, System.nanoTime() - beganNs);
        } finally {
            cluster.end();
        }
    }

    private void start(String name) throws IOException {
        int port = freePorts();
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                IdleNode.class.getName(),
                name,
                HOST,
                Integer.toString(port),
                work.resolve(name).toString(),
                secret.toString()));
        command.addAll(seeds);
        Process process = new ProcessBuilder(command)
                .redirectError(work.resolve(name + ".log").toFile())
                .start();
        nodes.put(name, process);
        outputs.put(name, process.inputReader(UTF_8));
        await(name, "ready");
        seeds.add(HOST + ":" + port);
    }

    private static int freePorts() throws IOException {
        for (int tries = 0; tries < 100; tries++) {
            try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                int port = first.getLocalPort();
                new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress()).close();
                return port;
            } catch (IOException | IllegalArgumentException taken) {
                if (tries == 99) {
                    throw new IOException("no two free ports in a row", taken);
                }
            }
        }
        throw new IllegalStateException("unreachable");
    }

    private String await(String name, String beginning) throws IOException {
        BufferedReader output = outputs.get(name);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(beginning)) {
                return line;
            }
        }
        throw new IllegalStateException(
                "node " + name + " has ended: " + Files.readString(work.resolve(name + ".log")));
    }

    private Map<String, ProcessUse> use() throws IOException {
        Map<String, ProcessUse> uses = new TreeMap<>();
        for (Map.Entry<String, Process> node : nodes.entrySet()) {
            uses.put(node.getKey(), ProcessUse.of(node.getValue().pid()));
        }
        return uses;
    }

    private void report(Map<String, ProcessUse> before, Map<String, ProcessUse> after, long tookNs) throws IOException {
        nodes.get("a").outputWriter(UTF_8).append("\n").flush();
        String leader = await("a", "led by ").substring("led by ".length());
        System.out.printf("node         CPU %% of a core  threads  RSS MiB   over %.0f s%n", tookNs / 1e9);
        after.forEach((name, use) -> System.out.printf(
                "%-12s %15.2f %8d %8.0f%n",
                name + (name.equals(leader) ? " (leads)" : ""),
                100.0 * use.sinceNs(before.get(name)) / tookNs,
                use.threadCount(),
                use.residentBytes() / MIB));
        after.forEach((name, use) -> {
            System.out.printf("%ncostliest threads of %s, %% of a core%n", name);
            use.sinceByKind(before.get(name)).entrySet().stream()
                    .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                    .limit(KINDS_SHOWN)
                    .forEach(kind ->
                            System.out.printf("  %-16s %6.3f%n", kind.getKey(), 100.0 * kind.getValue() / tookNs));
        });
    }

    /** All at the same time, or the last ones would wait for a majority. */
    private void end() throws IOException, InterruptedException {
        for (Process node : nodes.values()) {
            node.outputWriter(UTF_8).close();
        }
        for (Process node : nodes.values()) {
            if (!node.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                node.destroyForcibly().waitFor();
            }
        }
    }
}
