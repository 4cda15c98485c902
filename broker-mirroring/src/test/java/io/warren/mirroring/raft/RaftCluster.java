package io.warren.mirroring.raft;

import static org.awaitility.Awaitility.await;

import io.warren.core.spi.Ticker;
import io.warren.mirroring.FreePorts;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.metadata.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Nodes of a cluster in this JVM, each with its metadata log on the loopback. */
final class RaftCluster implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(20);
    static final byte[] SECRET = "a secret of this test's cluster".getBytes(StandardCharsets.US_ASCII);

    private final Path directory;
    private final Map<String, RatisMetadataStore> running = new ConcurrentHashMap<>();
    private final Map<String, RaftSettings> settings = new TreeMap<>();
    private int snapshotEvery = 4096;

    RaftCluster(Path directory) {
        this.directory = directory;
    }

    RaftCluster withSnapshotEvery(int entries) {
        snapshotEvery = entries;
        return this;
    }

    /** A cluster of these nodes, all of them voting. */
    RaftCluster with(String... names) {
        form(names[0], 1);
        for (int i = 1; i < names.length; i++) {
            join(names[i]);
        }
        return this;
    }

    RatisMetadataStore form(String name, long logId) {
        return started(name, of -> RatisMetadataStore.form(of, SECRET, clock(), reports(name), logId));
    }

    RatisMetadataStore join(String name) {
        return started(name, of -> RatisMetadataStore.join(of, SECRET, clock(), reports(name), addresses()));
    }

    RatisMetadataStore restart(String name) {
        return started(name, restarting(name));
    }

    Start restarting(String name) {
        return of -> RatisMetadataStore.restart(of, SECRET, clock(), reports(name));
    }

    /** Starts again at once, without waiting for the vote. */
    void restartAll(List<String> names) {
        for (String name : names) {
            start(name, restarting(name));
        }
    }

    interface Start {
        RatisMetadataStore of(RaftSettings settings) throws IOException;
    }

    private RatisMetadataStore started(String name, Start start) {
        RatisMetadataStore store = start(name, start);
        store.voting().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        return store;
    }

    RatisMetadataStore start(String name, Start start) {
        try {
            RatisMetadataStore store = start.of(settings(name));
            running.put(name, store);
            return store;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    RaftSettings settings(String name) {
        return settings.computeIfAbsent(
                name, added -> RaftSettings.of(added, directory.resolve(added), "127.0.0.1", FreePorts.one())
                        .withElectionTimeout(Duration.ofMillis(200))
                        .withPatience(Duration.ofSeconds(1))
                        .withSnapshotEvery(snapshotEvery));
    }

    /** What the heartbeats of the links would carry. */
    RatisMetadataStore.Reports reports(String from) {
        return (logId, applied) -> running.forEach((name, store) -> {
            if (!name.equals(from)) {
                store.onReported(logId, from, applied);
            }
        });
    }

    static Ticker clock() {
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

    RatisMetadataStore node(String name) {
        return running.get(name);
    }

    List<String> names() {
        return running.keySet().stream().sorted().toList();
    }

    LogPosition position(String name) {
        try {
            return node(name).position();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    List<String> addresses() {
        return running.values().stream().map(RatisMetadataStore::address).toList();
    }

    /** Ends as a process does that is killed, as far as others can tell: it keeps its vote. */
    void kill(String name) {
        running.remove(name).close();
    }

    CompletableFuture<Void> killLater(String name) {
        return CompletableFuture.runAsync(running.remove(name)::close);
    }

    boolean stop(String name, String... down) {
        return running.remove(name).stop(java.util.Set.of(down), LIMIT);
    }

    /** The leader that all running nodes agree on. */
    String leader() {
        List<String> found = new ArrayList<>();
        await().atMost(LIMIT).until(() -> {
            found.clear();
            running.values().forEach(store -> found.add(String.valueOf(store.controller())));
            return found.stream().distinct().count() == 1 && running.containsKey(found.get(0));
        });
        return found.get(0);
    }

    Result submit(String at, Command command) {
        CompletableFuture<Result> answer = new CompletableFuture<>();
        node(at).submit(command, answer::complete);
        return answer.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** Submits until somebody says what became of it. */
    Result submitUntilKnown(String at, Command command) {
        List<Result> last = new ArrayList<>();
        await().atMost(LIMIT).until(() -> {
            last.add(submit(at, command));
            return last.get(last.size() - 1) != Result.UNKNOWN;
        });
        return last.get(last.size() - 1);
    }

    boolean knows(String at, String node) {
        return node(at).read(metadata -> metadata.node(node) != null);
    }

    static Command group(int number) {
        return new Command.CreateGroup("group " + number, true, 1, List.of("P"));
    }

    static Command up(String node) {
        return new Command.Nodes(Map.of(node, Change.up(1, node)));
    }

    @Override
    public void close() {
        CompletableFuture.allOf(running.values().stream()
                        .map(store -> CompletableFuture.runAsync(store::close))
                        .toArray(CompletableFuture[]::new))
                .join();
        running.clear();
    }
}
