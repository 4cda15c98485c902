package io.warren.core;

import io.warren.core.internal.BrokerSettings;
import io.warren.core.spi.ManualClock;
import io.warren.core.spi.MessageStore;
import io.warren.core.spi.MetadataStore;
import io.warren.core.spi.QueueHomes;
import io.warren.core.spi.QueueReplication;
import io.warren.core.store.StoreSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Sets up a {@link Broker}. */
public final class BrokerBuilder {

    /** Part of the maximum heap that messages may take before publishers are blocked, as RabbitMQ's 0.4 of memory. */
    private static final double MEMORY_SHARE = 0.4;

    private String name = "warren";
    private @Nullable ManualClock clock;
    private @Nullable Long seed;
    private long memoryLimitBytes = (long) (Runtime.getRuntime().maxMemory() * MEMORY_SHARE);
    private boolean strictArguments;
    private int routeCacheLimit;
    private @Nullable Duration consumerTimeout;
    private @Nullable MessageStore messageStore;
    private @Nullable MetadataStore metadataStore;
    private @Nullable QueueReplication replication;
    private @Nullable QueueHomes homes;
    private @Nullable Path dataDirectory;
    private long logFileBytes = 64 * 1024 * 1024;
    private long diskFreeLimitBytes = 50 * 1024 * 1024;

    BrokerBuilder() {}

    /** Names the broker, for log lines and threads. */
    public BrokerBuilder name(String brokerName) {
        name = brokerName;
        return this;
    }

    /** Time passes only when the clock is advanced: expiry, leases and delays wait for that. */
    public BrokerBuilder clock(ManualClock manualClock) {
        clock = manualClock;
        return this;
    }

    /**
     * Runs the whole broker on the thread that uses it, in an order the seed decides: the same seed and program give the
     * same run. Use it from one thread; verbs that wait do the work, and {@link Broker#runDue} does for the rest.
     */
    public BrokerBuilder seed(long interleavingSeed) {
        seed = interleavingSeed;
        return this;
    }

    /**
     * Sets the bytes of waiting messages at which publishers are blocked; 40 % of the maximum heap without.
     *
     * @throws IllegalArgumentException below 1
     */
    public BrokerBuilder memoryLimit(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes=" + bytes + " is not 1 or more");
        }
        memoryLimitBytes = bytes;
        return this;
    }

    /** Refuses x- arguments that have no effect here (406), in place of one warning. */
    public BrokerBuilder strictArguments() {
        strictArguments = true;
        return this;
    }

    /**
     * Remembers, for each topic exchange, where the last routing keys led; off without. Worth it where few keys meet
     * thousands of wildcard patterns: a repeated key then costs a hash lookup in place of a walk through the patterns. An
     * exchange whose keys do not repeat stops remembering by itself, and a changed binding starts anew.
     *
     * @param routes most keys and destinations of keys, counted together, that are kept for one exchange
     * @throws IllegalArgumentException below 1
     */
    public BrokerBuilder routeCache(int routes) {
        if (routes < 1) {
            throw new IllegalArgumentException("routes=" + routes + " is not 1 or more");
        }
        routeCacheLimit = routes;
        return this;
    }

    /**
     * Closes the channel (406) of a client that keeps a delivery for so long without acknowledging it; found within a
     * quarter of the time more, and within a minute more. Off without.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public BrokerBuilder consumerTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout=" + timeout + " is not positive");
        }
        consumerTimeout = timeout;
        return this;
    }

    /** Keeps messages elsewhere than in memory. */
    public BrokerBuilder messageStore(MessageStore store) {
        messageStore = store;
        return this;
    }

    /** Keeps the topology elsewhere than in memory. */
    public BrokerBuilder metadataStore(MetadataStore store) {
        metadataStore = store;
        return this;
    }

    /** Mirrors queues. */
    public BrokerBuilder replication(QueueReplication queueReplication) {
        replication = queueReplication;
        return this;
    }

    /** Makes the broker a node of a cluster, whose topology {@link #metadataStore} is. */
    public BrokerBuilder homes(QueueHomes cluster) {
        homes = cluster;
        return this;
    }

    /**
     * Keeps topology and messages in a directory, made if it is not there: durable exchanges and queues, policies and
     * users survive a restart, and so do confirmed persistent messages in durable queues. Lazy queues keep their bodies
     * there. One broker at a time may use it.
     */
    public BrokerBuilder dataDirectory(Path directory) {
        dataDirectory = directory;
        return this;
    }

    /** Sets how long a log file in the data directory gets, in bytes; 64 MiB without. What stays waiting is moved when
     * four of them are full. */
    public BrokerBuilder logFileBytes(long bytes) {
        logFileBytes = bytes;
        return this;
    }

    /** Sets the free bytes on the data directory's disk below which publishers are blocked; 50 MiB without. */
    public BrokerBuilder diskFreeLimit(long bytes) {
        diskFreeLimitBytes = bytes;
        return this;
    }

    /**
     * Starts the broker; when this returns, clients can connect.
     *
     * @throws java.io.UncheckedIOException if the data directory is in use, damaged or of another version
     */
    public Broker start() {
        if (seed != null && dataDirectory != null) {
            throw new IllegalStateException("seed=" + seed + " runs everything on one thread, which must not wait for"
                    + " a disk: a broker with a seed has no data directory");
        }
        return new Broker(new BrokerSettings(
                name,
                clock,
                seed,
                memoryLimitBytes,
                strictArguments,
                routeCacheLimit,
                consumerTimeout,
                messageStore,
                metadataStore,
                replication,
                homes,
                dataDirectory,
                StoreSettings.defaults(name).with(logFileBytes, diskFreeLimitBytes)));
    }
}
