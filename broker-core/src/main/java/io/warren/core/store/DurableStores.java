package io.warren.core.store;

import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.Restart;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.spi.MessageStore;
import io.warren.core.spi.MetadataStore;
import io.warren.core.spi.Ticker;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Both stores of a broker in one directory, which no other process has while they are open. */
public final class DurableStores implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.store");

    private final Closeable lock;
    private final boolean isNew;
    private final long cutBytes;
    private final DurableMetadataStore metadata;
    private final DurableMessageStore messages;

    private DurableStores(
            Closeable lock, boolean isNew, long cutBytes, DurableMetadataStore metadata, DurableMessageStore messages) {
        this.lock = lock;
        this.isNew = isNew;
        this.cutBytes = cutBytes;
        this.metadata = metadata;
        this.messages = messages;
    }

    /** Opens a directory and reads what is there, with the topology that it has. */
    public static DurableStores open(
            StoreFiles files,
            StoreSettings settings,
            Ticker ticker,
            Executor notifier,
            StoreListener listener,
            Consumer<Throwable> onFailure)
            throws IOException {
        return open(files, settings, ticker, notifier, listener, onFailure, null);
    }

    /**
     * Opens a directory and reads what is there.
     *
     * @param notifier where queues are told of what is safe
     * @param onFailure told of what a subscriber of the topology threw
     * @param kept ids of the queues whose messages are to be there, where another store than this has the topology; or null
     * @throws DamagedStoreException if what had been forced is not what was written
     * @throws IOException if another process has the directory, or it was written in another version
     */
    public static DurableStores open(
            StoreFiles files,
            StoreSettings settings,
            Ticker ticker,
            Executor notifier,
            StoreListener listener,
            Consumer<Throwable> onFailure,
            @Nullable Set<Long> kept)
            throws IOException {
        return open(files, settings, ticker, notifier, listener, onFailure, kept, StoreThread::new);
    }

    /** @param threads makes the stores' threads, by name */
    static DurableStores open(
            StoreFiles files,
            StoreSettings settings,
            Ticker ticker,
            Executor notifier,
            StoreListener listener,
            Consumer<Throwable> onFailure,
            @Nullable Set<Long> kept,
            Function<String, StoreThread> threads)
            throws IOException {
        StoreThread thread = threads.apply(settings.name() + "-topology");
        try {
            return thread.call(
                    () -> openNow(files, settings, ticker, notifier, listener, onFailure, kept, threads, thread));
        } catch (IOException | RuntimeException refused) {
            thread.end(1);
            throw refused;
        }
    }

    private static DurableStores openNow(
            StoreFiles files,
            StoreSettings settings,
            Ticker ticker,
            Executor notifier,
            StoreListener listener,
            Consumer<Throwable> onFailure,
            @Nullable Set<Long> kept,
            Function<String, StoreThread> threads,
            StoreThread thread)
            throws IOException {
        Closeable lock = files.lock(FileNames.LOCK);
        try {
            long startNs = ticker.nowNs();
            TopologyLog log = TopologyLog.open(files);
            Set<Long> queues = kept == null ? durableQueues(log.recovered(), null) : kept;
            DurableMessageStore messages =
                    DurableMessageStore.open(files, settings, ticker, notifier, queues, listener, threads);
            DurableMetadataStore metadata = new DurableMetadataStore(log, thread, onFailure);
            long cutBytes = messages.recovery().cutBytes() + log.cutBytes();
            if (!log.isNew() || messages.recovery().messageCount() > 0) {
                LOG.info(
                        "recovered {} messages in {} durable queues from {} in {} ms; {} bytes were cut",
                        messages.recovery().messageCount(),
                        queues.size(),
                        files.location(""),
                        (ticker.nowNs() - startNs) / 1_000_000,
                        cutBytes);
            }
            return new DurableStores(lock, log.isNew(), cutBytes, metadata, messages);
        } catch (IOException | RuntimeException refused) {
            lock.close();
            throw refused;
        }
    }

    /**
     * Ids of the queues whose messages outlive a restart.
     *
     * @param home only those that live at this node; null for all
     */
    public static Set<Long> durableQueues(Definitions definitions, @Nullable String home) {
        Set<Long> ids = new HashSet<>();
        for (VirtualHost vhost : definitions.vhosts().values()) {
            for (Queue queue : vhost.queues().values()) {
                boolean isHere = home == null || home.equals(queue.definition().home());
                if (isHere && Restart.isKept(queue)) {
                    ids.add(queue.id());
                }
            }
        }
        return ids;
    }

    /** Bytes that an earlier run did not write to their end, and that were cut. */
    long cutBytes() {
        return cutBytes;
    }

    /** Whether the directory was empty. */
    public boolean isNew() {
        return isNew;
    }

    public MetadataStore metadata() {
        return metadata;
    }

    public MessageStore messages() {
        return messages;
    }

    /** Every queue of the topology has been opened: begins to write. */
    public void start() {
        messages.start();
    }

    /** Bytes written to log files since the start. */
    public long writtenBytes() {
        return messages.writtenBytes();
    }

    /** Forces of the message log since the start. */
    public long forceCount() {
        return messages.forceCount();
    }

    /** A clean stop: all that was handed in is on the disk afterwards. */
    @Override
    public void close() {
        metadata.close();
        messages.close();
        try {
            lock.close();
        } catch (IOException failed) {
            LOG.warn("the lock of the store was not released", failed);
        }
    }
}
