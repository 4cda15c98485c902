package io.warren.amqp.limits;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Clients that misbehave, against a server in another process, while a usual client goes on working: {@code
 * broker-amqp/limits} runs it. Prints the usual client's rate before, meanwhile and after, and what each costs the server.
 */
final class Limits {

    private static final int SECONDS = 5;
    private static final int NEVER_READING = 50;
    private static final int SLOW = 100;
    private static final int IDLE_CONNECTIONS = 1_000;
    private static final int CHANNELS = 10;
    private static final int BACKLOG = 200_000;
    private static final Pattern HEAP_USED = Pattern.compile("total \\d+K, used (\\d+)K");

    private final int port;
    private final long pid;
    private final int handshakeSeconds;

    private Limits(int port, long pid, int handshakeSeconds) {
        this.port = port;
        this.pid = pid;
        this.handshakeSeconds = handshakeSeconds;
    }

    /** Arguments: port and process id of the server, its handshake timeout in seconds, connections that only open TCP. */
    public static void main(String[] arguments) throws Exception {
        Limits limits = new Limits(
                Integer.parseInt(arguments[0]), Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
        try (UsualClient usual = new UsualClient(limits.port)) {
            usual.rate(SECONDS);
            System.out.printf("alone: %,d messages a second%n", usual.rate(SECONDS));
            limits.neverReading(usual);
            limits.byteASecond(usual);
            limits.onlyTcp(usual, Integer.parseInt(arguments[3]));
            System.out.printf("alone again: %,d messages a second%n", usual.rate(SECONDS));
        }
        limits.idle();
    }

    private void neverReading(UsualClient usual) throws Exception {
        long before = heapBytes();
        try (Connection connection = factory().newConnection("backlog")) {
            Channel channel = connection.createChannel();
            channel.queueDeclare("unread", false, false, true, null);
            channel.confirmSelect();
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < NEVER_READING; i++) {
                RawClient client = new RawClient(port).open(1);
                client.consume("unread");
                clients.add(client);
            }
            for (int i = 0; i < BACKLOG; i++) {
                channel.basicPublish("", "unread", null, new byte[256]);
            }
            channel.waitForConfirmsOrDie();
            System.out.printf(
                    "%d clients that never read: %,d messages a second beside; heap %+,d KiB%n",
                    NEVER_READING, usual.rate(SECONDS), (heapBytes() - before) / 1_024);
            clients.forEach(RawClient::close);
        }
    }

    private void byteASecond(UsualClient usual) throws Exception {
        byte[] bytes = RawClient.handshake();
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < SLOW; i++) {
            clients.add(new RawClient(port));
        }
        Thread sender = new Thread(() -> sendSlowly(clients, bytes), "slow");
        long startNs = System.nanoTime();
        sender.start();
        long rate = usual.rate(SECONDS);
        List<Double> ends = ends(clients, startNs);
        System.out.printf(
                "%d clients that send a byte a second: %,d messages a second beside; closed after %.1f to %.1f s%n",
                SLOW, rate, ends.get(0), ends.get(ends.size() - 1));
        sender.join();
    }

    private static void sendSlowly(List<RawClient> clients, byte[] bytes) {
        try {
            for (byte next : bytes) {
                for (RawClient client : clients) {
                    client.send(new byte[] {next});
                }
                Thread.sleep(1_000);
            }
        } catch (UncheckedIOException closed) {
            // The server has had enough, as it should.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void onlyTcp(UsualClient usual, int count) throws Exception {
        long before = heapBytes();
        List<RawClient> clients = new ArrayList<>();
        long startNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            clients.add(new RawClient(port));
        }
        double openSeconds = (System.nanoTime() - startNs) / 1e9;
        long heap = heapBytes() - before;
        long rate = usual.rate(3);
        List<Double> ends = ends(clients, startNs);
        System.out.printf(
                "%,d connections that only open TCP, opened in %.1f s: %,d messages a second beside; heap %+,d KiB;"
                        + " all closed, %.1f to %.1f s after the first was opened%n",
                count, openSeconds, rate, heap / 1_024, ends.get(0), ends.get(ends.size() - 1));
    }

    /** When each was closed by the server, in seconds since the start, sorted. */
    private List<Double> ends(List<RawClient> clients, long startNs) throws IOException {
        List<Double> ends = new ArrayList<>();
        for (RawClient client : clients) {
            client.socket().setSoTimeout((handshakeSeconds + 20) * 1_000);
            try {
                while (client.socket().getInputStream().read() >= 0) {
                    // connection.start, and whatever else comes before the end.
                }
            } catch (SocketTimeoutException open) {
                throw new IllegalStateException("a client is still connected after the handshake timeout", open);
            } catch (IOException reset) {
                // Also an end: bytes of ours were not read.
            }
            ends.add((System.nanoTime() - startNs) / 1e9);
            client.close();
        }
        ends.sort(null);
        return ends;
    }

    private void idle() throws Exception {
        long heapBefore = heapBytes();
        long rssBefore = rssBytes();
        List<RawClient> connections = new ArrayList<>();
        for (int i = 0; i < IDLE_CONNECTIONS; i++) {
            connections.add(new RawClient(port).open(0));
        }
        long heapConnections = heapBytes() - heapBefore;
        long rssConnections = rssBytes() - rssBefore;
        connections.forEach(RawClient::close);
        connections.clear();
        for (int i = 0; i < IDLE_CONNECTIONS; i++) {
            connections.add(new RawClient(port).open(CHANNELS));
        }
        long heapChannels = heapBytes() - heapBefore - heapConnections;
        System.out.printf(
                "%,d idle connections: %,d bytes of heap each, %,d KiB resident in all; their %d channels: %,d bytes of heap each%n",
                IDLE_CONNECTIONS,
                heapConnections / IDLE_CONNECTIONS,
                rssConnections / 1_024,
                CHANNELS,
                heapChannels / (IDLE_CONNECTIONS * CHANNELS));
        connections.forEach(RawClient::close);
    }

    private ConnectionFactory factory() {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(port);
        return factory;
    }

    /** Heap in use after a collection. */
    private long heapBytes() throws Exception {
        jcmd("GC.run");
        long bytes = HEAP_USED
                .matcher(jcmd("GC.heap_info"))
                .results()
                .mapToLong(generation -> Long.parseLong(generation.group(1)) * 1_024)
                .sum();
        if (bytes == 0) {
            throw new IllegalStateException("no heap size in the answer of jcmd");
        }
        return bytes;
    }

    private String jcmd(String command) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader reader = process.inputReader()) {
            String answer = String.join("\n", reader.lines().toList());
            process.waitFor();
            return answer;
        }
    }

    private long rssBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1_024;
            }
        }
        throw new IllegalStateException("no VmRSS for process " + pid);
    }
}
