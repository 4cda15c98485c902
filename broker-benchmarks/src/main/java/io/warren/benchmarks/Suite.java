package io.warren.benchmarks;

import io.warren.benchmarks.Benchmark.Contender;
import io.warren.benchmarks.Benchmark.Metric;
import io.warren.benchmarks.WarrenPipe.Callbacks;
import java.util.List;

/** The benchmarks whose every run has a JVM of its own. */
final class Suite {

    private static final String ARTEMIS = "artemis";
    private static final String MOCK = "rabbitmq-mock";
    private static final String WARREN = "warren";
    private static final String WARREN_DRAIN = "warren-drain-thread";
    private static final String HOPS = "hops-512";
    private static final int ROUTES_CACHED = 20_000;

    private static final List<Metric> RATE = List.of(new Metric("deliveries/s", 0), new Metric("depth max", 0));
    private static final List<Metric> TOPIC =
            List.of(new Metric("publishes/s", 0), new Metric("deliveries each", 2), new Metric("declare ms", 1));
    private static final List<Metric> LIFE = List.of(
            new Metric("start ms", 1),
            new Metric("first message ms", 1),
            new Metric("reset ms", 2),
            new Metric("stop ms", 2));

    private Suite() {}

    static List<Benchmark> all() {
        return List.of(
                throughput("throughput-16", 16),
                throughput("throughput-1k", 1_024),
                confirms(),
                fanout(),
                topic("topic-1k", 1_000),
                topic("topic-10k", 10_000),
                roundTrip(),
                heap(),
                durable(1),
                durable(10),
                durable(100),
                new Benchmark(
                        "restart",
                        "1,000,000 persistent messages of 100 B: publish and confirm, restart, drain from the disk",
                        List.of(new Metric("publishes/s", 0), new Metric("ready ms", 0), new Metric("deliveries/s", 0)),
                        List.of(new Contender(WARREN, Durable.restart())),
                        ""),
                ring(),
                new Benchmark(
                        "life-cold",
                        "start, first message, reset, stop: the first broker of a JVM",
                        LIFE,
                        List.of(
                                new Contender(WARREN, Life.cold(Life::warren)),
                                new Contender(ARTEMIS, Life.cold(Life::artemis)),
                                new Contender(MOCK, Life.cold(Life::mock))),
                        ARTEMIS),
                new Benchmark(
                        "life-warm",
                        "start, first message, reset, stop: one broker after another",
                        LIFE,
                        List.of(
                                new Contender(WARREN, Life.warm(Life::warren)),
                                new Contender(ARTEMIS, Life.warm(Life::artemis)),
                                new Contender(MOCK, Life.warm(Life::mock))),
                        ARTEMIS),
                metadataLog(),
                metadataLeader(),
                new Benchmark(
                        "size",
                        "broker-core's jar, and with all it needs",
                        List.of(new Metric("core KiB", 0), new Metric("with dependencies KiB", 0)),
                        List.of(new Contender(WARREN, effort -> Sizes.core())),
                        ""));
    }

    private static Benchmark throughput(String name, int bodyBytes) {
        Pipe.Setup setup = Pipe.Setup.oneQueue();
        return new Benchmark(
                name,
                "1 producer, 1 consumer, two threads, " + bodyBytes + " B copied once, auto-ack",
                RATE,
                List.of(
                        new Contender(WARREN, Throughput.of(WarrenPipe.with(Callbacks.DEFAULT), setup, bodyBytes)),
                        new Contender(
                                WARREN_DRAIN, Throughput.of(WarrenPipe.with(Callbacks.DRAIN_THREAD), setup, bodyBytes)),
                        new Contender(ARTEMIS, Throughput.of(ArtemisPipe.factory(), setup, bodyBytes)),
                        new Contender(MOCK, Throughput.of(MockPipe.factory(), setup, bodyBytes))),
                ARTEMIS);
    }

    private static Benchmark confirms() {
        Pipe.Setup setup = Pipe.Setup.oneQueue().withAcknowledgements();
        return new Benchmark(
                "confirms",
                "1 producer, 1 consumer, 1 KiB, at most 1,000 unconfirmed, each acknowledged, prefetch 500",
                RATE,
                List.of(
                        new Contender(WARREN, Throughput.of(WarrenPipe.with(Callbacks.DEFAULT), setup, 1_024)),
                        new Contender(
                                WARREN_DRAIN, Throughput.of(WarrenPipe.with(Callbacks.DRAIN_THREAD), setup, 1_024)),
                        new Contender(ARTEMIS, Throughput.of(ArtemisPipe.factory(), setup, 1_024))),
                ARTEMIS);
    }

    private static Benchmark fanout() {
        Pipe.Setup setup = new Pipe.Setup(Pipe.Exchange.FANOUT, 10, false, true);
        return new Benchmark(
                "fan-out",
                "1 producer, a fanout exchange, 10 queues with a consumer each, 1 KiB, auto-ack",
                RATE,
                List.of(
                        new Contender(WARREN, Throughput.of(WarrenPipe.with(Callbacks.DEFAULT), setup, 1_024)),
                        new Contender(
                                WARREN_DRAIN, Throughput.of(WarrenPipe.with(Callbacks.DRAIN_THREAD), setup, 1_024)),
                        new Contender(ARTEMIS, Throughput.of(ArtemisPipe.factory(), setup, 1_024)),
                        new Contender(MOCK, Throughput.of(MockPipe.factory(), setup, 1_024))),
                ARTEMIS);
    }

    private static Benchmark topic(String name, int bindings) {
        Pipe.Factory cached = WarrenPipe.with(Callbacks.DEFAULT, builder -> builder.routeCache(ROUTES_CACHED));
        return new Benchmark(
                name,
                "topic exchange, " + bindings + " mixed bindings to 10 queues, 2,048 keys, 100 B, auto-ack",
                TOPIC,
                List.of(
                        new Contender(WARREN, TopicLoad.of(WarrenPipe.with(Callbacks.DEFAULT), bindings)),
                        new Contender("warren-route-cache", TopicLoad.of(cached, bindings)),
                        new Contender(WARREN_DRAIN, TopicLoad.of(WarrenPipe.with(Callbacks.DRAIN_THREAD), bindings)),
                        new Contender(MOCK, TopicLoad.of(MockPipe.factory(), bindings))),
                MOCK);
    }

    private static Benchmark roundTrip() {
        return new Benchmark(
                "round-trip",
                "publish to delivery and back to the publisher's thread, 16 B, one at a time",
                List.of(new Metric("p50 us", 1), new Metric("p99 us", 1)),
                List.of(
                        new Contender(WARREN, RoundTrip.of(WarrenPipe.with(Callbacks.DEFAULT))),
                        new Contender(WARREN_DRAIN, RoundTrip.of(WarrenPipe.with(Callbacks.DRAIN_THREAD))),
                        new Contender(ARTEMIS, RoundTrip.of(ArtemisPipe.factory())),
                        new Contender(MOCK, RoundTrip.of(MockPipe.factory()))),
                ARTEMIS);
    }

    private static Benchmark durable(int queues) {
        return new Benchmark(
                "durable-" + queues,
                "persistent messages of 1 KiB to " + queues + " durable queues in turn, at most 1,000 unconfirmed, each"
                        + " acknowledged",
                List.of(new Metric("publishes/s", 0), new Metric("bytes each", 2)),
                List.of(new Contender(WARREN, Durable.queues(queues))),
                "");
    }

    private static Benchmark metadataLog() {
        return new Benchmark(
                "metadata-log",
                "commands of the metadata log, three nodes over loopback in one JVM: many at a time, one at a time",
                List.of(
                        new Metric("commands/s", 0),
                        new Metric("p50 us, leader", 0),
                        new Metric("p50 us, follower", 0),
                        new Metric("form ms", 0)),
                List.of(new Contender(WARREN, MetadataLog::commands)),
                "");
    }

    private static Benchmark metadataLeader() {
        return new Benchmark(
                "metadata-leader",
                "from the death of the metadata log's leader to a new one, and to its first command",
                List.of(new Metric("leader ms", 0), new Metric("command ms", 0)),
                List.of(
                        new Contender("proven-death", effort -> MetadataLog.newLeader(effort, true)),
                        new Contender("timeout", effort -> MetadataLog.newLeader(effort, false))),
                "timeout");
    }

    private static Benchmark heap() {
        return new Benchmark(
                "heap",
                "heap for each waiting message of 100 B",
                List.of(new Metric("bytes", 0)),
                List.of(
                        new Contender(WARREN, Backlog.of(WarrenPipe.with(Callbacks.DEFAULT), Backlog.MESSAGES)),
                        new Contender(ARTEMIS, Backlog.of(ArtemisPipe.factory(), Backlog.MESSAGES)),
                        new Contender(MOCK, Backlog.of(MockPipe.factory(), Backlog.FEW_MESSAGES))),
                ARTEMIS);
    }

    private static Benchmark ring() {
        int many = 1_000;
        return new Benchmark(
                "ring",
                "stable broadcasts on three nodes in one JVM, so many in flight, beside bytes that only go round",
                List.of(
                        new Metric("1 KiB/s", 0),
                        new Metric("100 B/s", 0),
                        new Metric("lap p50 us", 1),
                        new Metric("bytes allocated", 0)),
                List.of(
                        new Contender("hops-64", HopLoop.of(64)),
                        new Contender("tcp-64", RingLoad.of(RingCluster::tcp, 1, 64)),
                        new Contender(HOPS, HopLoop.of(512)),
                        new Contender("tcp-512", RingLoad.of(RingCluster::tcp, 1, 512)),
                        new Contender("tcp-512-groups", RingLoad.of(RingCluster::tcp, many, 512)),
                        new Contender("memory-512", RingLoad.of(RingCluster::memory, 1, 512)),
                        new Contender("memory-512-groups", RingLoad.of(RingCluster::memory, many, 512))),
                HOPS);
    }
}
