package io.warren.core.internal;

import io.warren.core.spi.ManualClock;
import io.warren.core.spi.MessageStore;
import io.warren.core.spi.MetadataStore;
import io.warren.core.spi.QueueHomes;
import io.warren.core.spi.QueueReplication;
import io.warren.core.store.StoreSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a broker is built from; null stands for the default.
 *
 * @param name for its threads and log lines
 * @param clock time by hand, or null for the machine's
 * @param seed one thread and an interleaving decided by this seed, or null for many threads
 * @param memoryLimitBytes bytes of messages at which publishers are blocked
 * @param strictArguments whether an x- argument without effect is refused
 * @param routeCacheLimit routes that are remembered for each topic exchange, or 0 for none
 * @param consumerTimeout how long a delivery may wait for its acknowledgement, or null for ever
 * @param homes the cluster the broker is a node of, or null
 * @param dataDirectory where messages and topology are kept, or null for memory only
 * @param store sizes of what is kept there
 */
public record BrokerSettings(
        String name,
        @Nullable ManualClock clock,
        @Nullable Long seed,
        long memoryLimitBytes,
        boolean strictArguments,
        int routeCacheLimit,
        @Nullable Duration consumerTimeout,
        @Nullable MessageStore messageStore,
        @Nullable MetadataStore metadataStore,
        @Nullable QueueReplication replication,
        @Nullable QueueHomes homes,
        @Nullable Path dataDirectory,
        StoreSettings store) {}
