package io.warren.benchmarks;

import io.warren.core.spi.Ticker;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.raft.LogPosition;
import io.warren.mirroring.raft.RaftSettings;
import io.warren.mirroring.raft.RatisMetadataStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** The metadata log of three nodes, which are in this JVM and talk over the loopback, with all that is on by default. */
final class MetadataLog implements AutoCloseable {
    private static final byte[] SECRET = "a secret for a benchmark".getBytes(StandardCharsets.US_ASCII);
    private static final int NODES = 3;
    private static final int OUTSTANDING = 4_096;
    private static final int DEATHS = 5;
    private static final long WITHIN_S = 30;
    private static final long LOOK_NS = 200_000;

    private final Path directory;
    private final List<RatisMetadataStore> nodes = new ArrayList<>();
    private final List<Thread> closing = new ArrayList<>();

    private MetadataLog() throws Exception {
        directory = Files.createTempDirectory("warren-metadata");
        for (int i = 0; i < NODES; i++) {
            RaftSettings settings = RaftSettings.of("node" + i, directory.resolve("node" + i), "127.0.0.1", freePort());
            RatisMetadataStore.Reports nobody = (logId, applied) -> {};
            RatisMetadataStore node = i == 0
                    ? RatisMetadataStore.form(settings, SECRET, clock(), nobody, 1)
                    : RatisMetadataStore.join(
                            settings,
                            SECRET,
                            clock(),
                            nobody,
                            List.of(nodes.get(0).address()));
            nodes.add(node);
            node.voting().get(WITHIN_S, TimeUnit.SECONDS);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Ticker clock() {
        return new Ticker() {
            @Override
            public long nowNs() {
                return System.nanoTime();
            }

            @Override
            public Instant now() {
                return Instant.now();
            }
        };
    }

    /** Commands a second at 4,096 outstanding; median time of one at the leader and at a follower; milliseconds until three vote. */
    static double[] commands(Effort effort) throws Exception {
        long startNs = System.nanoTime();
        try (MetadataLog log = new MetadataLog()) {
            double formMs = (System.nanoTime() - startNs) / 1e6;
            RatisMetadataStore leader = log.leader();
            RatisMetadataStore follower = log.nodes.stream()
                    .filter(node -> node != leader)
                    .findFirst()
                    .orElseThrow();
            many(leader, effort.warmUpMs());
            double rate = many(leader, effort.measuredMs());
            oneByOne(follower, effort.warmUpMs());
            Histogram atLeader = oneByOne(leader, effort.measuredMs());
            Histogram atFollower = oneByOne(follower, effort.measuredMs());
            return new double[] {
                rate, atLeader.getValueAtPercentile(50) / 1e3, atFollower.getValueAtPercentile(50) / 1e3, formMs,
            };
        }
    }

    /** Milliseconds from the leader's end until a survivor leads, and until its first command is applied. */
    static double[] newLeader(Effort effort, boolean proven) throws Exception {
        Histogram leads = new Histogram(3);
        Histogram serves = new Histogram(3);
        for (int i = 0; i < effort.count(DEATHS); i++) {
            try (MetadataLog log = new MetadataLog()) {
                log.oneByOneMs(effort.warmUpMs() / 3);
                long diedNs = log.endLeader(proven);
                log.leader();
                leads.recordValue(System.nanoTime() - diedNs);
                while (submit(log.nodes.get(0), register(0)) == Result.UNKNOWN) {
                    Thread.onSpinWait();
                }
                serves.recordValue(System.nanoTime() - diedNs);
            }
        }
        return new double[] {leads.getValueAtPercentile(50) / 1e6, serves.getValueAtPercentile(50) / 1e6};
    }

    private void oneByOneMs(long forMs) throws Exception {
        oneByOne(leader(), forMs);
    }

    /** The leader ends; its close takes a second, in which it leads no more. Returns when that began. */
    private long endLeader(boolean proven) throws Exception {
        RatisMetadataStore leader = leader();
        String name = leader.controller();
        nodes.remove(leader);
        Thread thread = new Thread(leader::close);
        closing.add(thread);
        long diedNs = System.nanoTime();
        thread.start();
        if (proven) {
            RatisMetadataStore longest = nodes.stream()
                    .max(Comparator.comparing(MetadataLog::position))
                    .orElseThrow();
            longest.electAfterDeathOf(String.valueOf(name));
        }
        awaitOther(String.valueOf(name));
        return diedNs;
    }

    private static LogPosition position(RatisMetadataStore node) {
        try {
            return node.position();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void awaitOther(String dead) throws Exception {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WITHIN_S);
        while (nodes.stream().anyMatch(node -> node.controller() == null || dead.equals(node.controller()))) {
            if (System.nanoTime() > endNs) {
                throw new TimeoutException("nobody leads after the death of " + dead);
            }
            TimeUnit.NANOSECONDS.sleep(LOOK_NS);
        }
    }

    /** The node that leads, when all agree. */
    private RatisMetadataStore leader() throws Exception {
        awaitOther("");
        String name = nodes.get(0).controller();
        return nodes.stream()
                .filter(node -> node.node().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static double many(RatisMetadataStore node, long forMs) throws Exception {
        Semaphore room = new Semaphore(OUTSTANDING);
        AtomicLong applied = new AtomicLong();
        Consumer<Result> answer = result -> {
            if (result == Result.APPLIED) {
                applied.incrementAndGet();
            }
            room.release();
        };
        long startNs = System.nanoTime();
        long endNs = startNs + TimeUnit.MILLISECONDS.toNanos(forMs);
        for (int i = 0; System.nanoTime() < endNs; i++) {
            room.acquire();
            node.submit(register(i), answer);
        }
        room.acquire(OUTSTANDING);
        return applied.get() * 1e9 / (System.nanoTime() - startNs);
    }

    private static Histogram oneByOne(RatisMetadataStore node, long forMs) throws Exception {
        Histogram times = new Histogram(3);
        long startNs = System.nanoTime();
        long endNs = startNs + TimeUnit.MILLISECONDS.toNanos(forMs);
        while (startNs < endNs) {
            submit(node, register(0));
            long nowNs = System.nanoTime();
            times.recordValue(nowNs - startNs);
            startNs = nowNs;
        }
        return times;
    }

    private static Result submit(RatisMetadataStore node, Command command) throws Exception {
        CompletableFuture<Result> answer = new CompletableFuture<>();
        node.submit(command, answer::complete);
        return answer.get(WITHIN_S, TimeUnit.SECONDS);
    }

    /** A node registers; the same few over and over, so that the state does not grow. */
    private static Command register(int number) {
        String name = "registered-" + number % 16;
        return new Command.Nodes(Map.of(name, Change.up(1, "127.0.0.1:5672")));
    }

    @Override
    public void close() throws IOException {
        for (RatisMetadataStore node : nodes) {
            Thread thread = new Thread(node::close);
            closing.add(thread);
            thread.start();
        }
        for (Thread thread : closing) {
            join(thread);
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
