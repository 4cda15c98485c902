package io.warren.amqp.fuzz;

import io.netty.util.internal.PlatformDependent;
import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Spoiled bytes over real sockets: after them, connections, file descriptors and direct memory are back where they began.
 * {@code broker-amqp/fuzz --sockets N} runs it.
 */
final class SocketFuzz {

    private static final int ANSWER_TIMEOUT_MS = 20_000;

    private SocketFuzz() {}

    /** Arguments: number of inputs, seed. */
    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        Map<String, Integer> ends = new TreeMap<>();
        try (Broker broker = Broker.start();
                AmqpServer server = AmqpServer.builder(broker).port(0).start()) {
            // The first ones have the event loops make what they keep.
            run(server.port(), 10_000, ~seed, new TreeMap<>());
            settle(server);
            Usage before = Usage.now(server);
            run(server.port(), count, seed, ends);
            settle(server);
            Usage after = Usage.now(server);
            for (int i = 0; i < 100 && !after.isNoMoreThan(before); i++) {
                settle(server);
                after = Usage.now(server);
            }
            ends.forEach((end, inputs) -> System.out.printf("%-24s %,10d%n", end, inputs));
            System.out.printf(
                    "%,d inputs of seed %d over sockets; before: %s; after: %s%n", count, seed, before, after);
            System.exit(after.isNoMoreThan(before) ? 0 : 1);
        }
    }

    private static void run(int port, int count, long seed, Map<String, Integer> ends) throws IOException {
        List<Recording> recordings = Recording.all();
        for (int number = 0; number < count; number++) {
            SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
            Recording recording = recordings.get(random.nextInt(recordings.size()));
            byte[] spoiled = new Mutation(random).spoil(recording.frames());
            ends.merge(answer(port, Recording.join(recording.handshake()), spoiled), 1, Integer::sum);
        }
    }

    /** Sends everything and ends its side, as a client that has crashed; the server must end the other. */
    private static String answer(int port, byte[] handshake, byte[] spoiled) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(ANSWER_TIMEOUT_MS);
            socket.getOutputStream().write(handshake);
            socket.getOutputStream().write(spoiled);
            socket.shutdownOutput();
            byte[] answer = socket.getInputStream().readAllBytes();
            return new Answer(answer, true).endState();
        } catch (SocketTimeoutException hangs) {
            throw new IllegalStateException("the server did not end a connection", hangs);
        } catch (IOException reset) {
            return "reset";
        }
    }

    /** Connections end a moment after their clients have. */
    private static void settle(AmqpServer server) throws InterruptedException {
        for (int i = 0; i < 200 && server.connectionCount() > 0; i++) {
            Thread.sleep(50);
        }
        System.gc();
    }

    /** What connections could leave behind. */
    private record Usage(int connections, long fileDescriptors, long directBytes) {

        static Usage now(AmqpServer server) {
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                return new Usage(server.connectionCount(), open.count(), PlatformDependent.usedDirectMemory());
            } catch (IOException noLinux) {
                throw new UncheckedIOException(noLinux);
            }
        }

        boolean isNoMoreThan(Usage before) {
            return connections == 0 && fileDescriptors <= before.fileDescriptors && directBytes <= before.directBytes;
        }
    }
}
