package io.warren.mirroring.raft;

import io.warren.core.spi.Ticker;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataState;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.metadata.format.CommandBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's end of a metadata log that Apache Ratis keeps: for clusters of processes.
 *
 * <p>Any thread may call. Listeners and answers come on one thread of the store's, in order; a listener that is told of a command hears
 * it before whoever submitted it here is answered, and finds it in the replica.
 *
 * <p>The log and its snapshots are in the node's directory. Who votes is Ratis' business as well, and {@link Membership} sees to it that
 * this node does.
 */
public final class RatisMetadataStore implements MetadataStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RatisMetadataStore.class);
    private static final MetadataListener NOBODY = new MetadataListener() {};

    /** Takes what this node reports to the others: it travels with the heartbeats of whoever makes the links. */
    @FunctionalInterface
    public interface Reports {
        /** Tell the other nodes, and on their side {@link RatisMetadataStore#onReported}. */
        void report(long logId, long applied);
    }

    /** Hears who leads. */
    @FunctionalInterface
    public interface ControllerListener {
        /**
         * This node leads the metadata log; null while none is known to. One that is elected is not told of itself before it takes
         * commands.
         */
        void onController(@Nullable String node);
    }

    private final RaftSettings settings;
    private final Reports reports;
    private final StoreThreads threads;
    private final Replicas replicas;
    private final RaftEngine engine;
    private final Sending sending;
    private final Membership membership;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Of the telling thread. */
    private final List<MetadataListener> listeners = new ArrayList<>();

    private final List<ControllerListener> controllerListeners = new ArrayList<>();

    private RatisMetadataStore(RaftSettings settings, byte[] secret, Ticker ticker, Reports reports)
            throws IOException {
        this.settings = settings;
        this.reports = reports;
        threads = new StoreThreads(settings.node());
        replicas = new Replicas(new Told());
        try {
            ClusterTls tls = new ClusterTls(settings.node(), ClusterKey.of(secret), ticker);
            engine = new RaftEngine(settings, tls, replicas::machine, threads.calls());
            sending = new Sending(settings, ticker, threads, engine, replicas);
            membership = new Membership(settings, threads, engine, replicas);
        } catch (IOException | RuntimeException failed) {
            threads.close();
            throw failed;
        }
    }

    // -------------------------------------------------------------------------------------------------- beginnings

    /**
     * The first node of a new cluster: founds its log, of which it is the only voter.
     *
     * @param secret the cluster's, at least 16 bytes, best drawn at random; never sent
     * @param logId number of the log, drawn at random
     */
    public static RatisMetadataStore form(
            RaftSettings settings, byte[] secret, Ticker ticker, Reports reports, long logId) throws IOException {
        requireNew(settings);
        if (logId == 0) {
            throw new IllegalArgumentException("logId=0 is no log");
        }
        return started(settings, secret, ticker, reports, membership -> membership.form(logId));
    }

    /**
     * A new node of a cluster.
     *
     * @param seeds where some of its nodes have their metadata logs, as host:port
     */
    public static RatisMetadataStore join(
            RaftSettings settings, byte[] secret, Ticker ticker, Reports reports, Collection<String> seeds)
            throws IOException {
        requireNew(settings);
        if (seeds.isEmpty()) {
            throw new IllegalArgumentException("seeds=[]: a node joins others by the address of one of them");
        }
        return started(settings, secret, ticker, reports, membership -> membership.join(seeds));
    }

    /** A node that was in a cluster before goes on with what is in its directory. */
    public static RatisMetadataStore restart(RaftSettings settings, byte[] secret, Ticker ticker, Reports reports)
            throws IOException {
        FollowedLog followed = FollowedLog.read(settings.directory());
        if (followed == null) {
            throw new IOException("directory=" + settings.directory() + " knows no metadata log: " + settings.node()
                    + " has to form a cluster or to join one");
        }
        return started(settings, secret, ticker, reports, membership -> membership.restart(followed));
    }

    /** A node that does not run: its copy can be looked into, and a log be founded from it. Others are asked for nothing. */
    public static RatisMetadataStore offline(RaftSettings settings, byte[] secret, Ticker ticker) throws IOException {
        FollowedLog followed = FollowedLog.read(settings.directory());
        if (followed == null) {
            throw new IOException("directory=" + settings.directory() + " knows no metadata log");
        }
        return started(settings, secret, ticker, (logId, applied) -> {}, membership -> membership.offline(followed));
    }

    /** Whether a directory knows a log, so that its node has to be restarted. */
    public static boolean knowsLog(RaftSettings settings) throws IOException {
        return FollowedLog.read(settings.directory()) != null;
    }

    private static void requireNew(RaftSettings settings) throws IOException {
        if (knowsLog(settings)) {
            throw new IOException("directory=" + settings.directory() + " has a metadata log already: "
                    + settings.node() + " has to be restarted, or reset before it forms or joins a cluster");
        }
    }

    private interface Beginning {
        void of(Membership membership) throws IOException;
    }

    private static RatisMetadataStore started(
            RaftSettings settings, byte[] secret, Ticker ticker, Reports reports, Beginning beginning)
            throws IOException {
        Files.createDirectories(settings.directory());
        FollowedLog followed = FollowedLog.read(settings.directory());
        RaftEngine.removeLogsBut(settings, followed == null ? null : Long.valueOf(followed.logId()));
        RatisMetadataStore store = new RatisMetadataStore(settings, secret, ticker, reports);
        try {
            beginning.of(store.membership);
            return store;
        } catch (IOException | RuntimeException failed) {
            store.close();
            throw failed;
        }
    }

    // ---------------------------------------------------------------------------------------------------- the port

    /** A command of more than 8 MiB is refused; one of which nothing was heard within the settings' patience is unknown. */
    @Override
    public void submit(Command command, Consumer<Result> answer) {
        byte[] bytes = CommandBytes.of(command);
        if (bytes.length > RaftProps.COMMAND_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a command of bytes=" + bytes.length + ", allowed are " + RaftProps.COMMAND_BYTES_MAX);
        }
        sending.submit(bytes, answer);
    }

    /** Before a node that joins or was wiped has heard of the log's state, its replica is empty. */
    @Override
    public <R> R read(Function<Metadata, R> reader) {
        return replicas.read(reader);
    }

    /** Told nothing before there is a state to begin with. */
    @Override
    public void subscribe(MetadataListener listener) {
        replicas.whileStill(shown -> {
            Metadata state = shown.isBegun() ? shown.read(metadata -> metadata.copy(NOBODY)) : null;
            threads.tell(() -> {
                if (state != null) {
                    listener.onFollowing(state);
                }
                listeners.add(listener);
            });
        });
    }

    @Override
    public void reportApplied(long applied) {
        long logId = replicas.shown().logId();
        reports.report(logId, applied);
        onReported(logId, settings.node(), applied);
    }

    /** A node has told how far its readers see; what it says of another log than this node follows is void. */
    public void onReported(long logId, String node, long applied) {
        if (replicas.shown().logId() == logId) {
            tell(listener -> listener.onReported(node, applied));
        }
    }

    // --------------------------------------------------------------------------------------------------- the leader

    /** Who leads the metadata log, as far as this node knows now, or null. Ratis tells who comes to lead and not that nobody does any more. */
    public @Nullable String controller() {
        try {
            return engine.leader(replicas.shown().logId());
        } catch (IOException | RuntimeException betweenLogs) {
            LOG.debug("{}: metadata log: no leader is known", settings.node(), betweenLogs);
            return null;
        }
    }

    /** Whether this node leads, and what is submitted here is carried out at once. */
    public boolean takesCommands() {
        try {
            return engine.leads(replicas.shown().logId());
        } catch (IOException | RuntimeException betweenLogs) {
            LOG.debug("{}: metadata log: nobody leads it here", settings.node(), betweenLogs);
            return false;
        }
    }

    /** Hears who leads, at first who does now. */
    public void subscribeController(ControllerListener listener) {
        threads.tell(() -> {
            controllerListeners.add(listener);
            listener.onController(replicas.leader());
        });
    }

    /** Where this node's copy of the log ends; travels with the heartbeats. */
    public LogPosition position() throws IOException {
        return engine.end(replicas.shown().logId());
    }

    /**
     * The leader's process is proven dead: stand for election now, instead of waiting for the timeout. Asked of the one survivor whose
     * position is the highest: who loses cannot stand again before the timeout, nor can those it asked.
     *
     * @return false if that was refused: the node named does not lead, or this one may not; the timeout then decides
     */
    public boolean electAfterDeathOf(String leader) {
        try {
            return engine.elect(replicas.shown().logId(), leader);
        } catch (IOException | RuntimeException refused) {
            LOG.info(
                    "{}: metadata log: no election after the death of {}: {}",
                    settings.node(),
                    leader,
                    refused.toString());
            return false;
        }
    }

    /** Lets another voter lead; fails if this does not happen within the time. */
    public CompletableFuture<Void> transferTo(String node, Duration timeout) {
        return membership.transfer(node, timeout);
    }

    /**
     * Sees to it that this node's server is connected with those of other voters, as far as it does not lead: followers have nothing to say to
     * each other, and an election that has to begin with connections and their keys takes several times as long. Does not wait.
     *
     * @param nodes those that can be reached
     */
    public void connectTo(Set<String> nodes) {
        threads.vote(() -> {
            try {
                engine.connect(replicas.shown().logId(), nodes);
            } catch (IOException | RuntimeException betweenLogs) {
                LOG.debug("{}: metadata log: nobody to be connected with", settings.node(), betweenLogs);
            }
        });
    }

    // ---------------------------------------------------------------------------------------------------- the voters

    /** Completes when this node votes and has the log's state; fails if it may not. */
    public CompletableFuture<Void> voting() {
        return membership.voting();
    }

    /** Where the voters reach this node, as far as it knows, as host:port; null if it does not vote. */
    public @Nullable String votesAt() throws IOException {
        return engine.voters(replicas.shown().logId()).get(settings.node());
    }

    /** Names of those who vote, as far as this node knows. */
    public Set<String> voters() throws IOException {
        return engine.voters(replicas.shown().logId()).keySet();
    }

    /** A node that is down for good does not vote any more; completes when a leader has it so, fails when none does in the time. */
    public CompletableFuture<Void> dropVote(String node, Duration timeout) {
        return membership.dropVote(node, timeout);
    }

    /** Name of this node. */
    public String node() {
        return settings.node();
    }

    /** Where others reach this node's metadata log, as host:port. */
    public String address() {
        return engine.address();
    }

    /**
     * Founds a new log, of which this node is the only voter, from all this node's copy of the present one holds.
     *
     * @param newLogId number of the log, drawn at random
     */
    public CompletableFuture<LogId> found(long newLogId) {
        return found(newLogId, List.of());
    }

    /**
     * As {@link #found(long)}, and these nodes are not in it any more.
     *
     * @param without names of nodes that are gone for good
     */
    public CompletableFuture<LogId> found(long newLogId, Collection<String> without) {
        return membership.found(newLogId, List.copyOf(without));
    }

    /** The state a founded log would begin with; shows what would be lost, changes nothing. */
    public @Nullable MetadataState foundable() throws IOException {
        MetadataMachine shown = replicas.shown();
        return shown.with(engine.beyondReplica(shown.logId()));
    }

    /**
     * Another log has won: this node forgets its copy of the present one and joins that one as new.
     *
     * @param seeds where nodes of that log are reached
     */
    public CompletableFuture<Void> goOverTo(long logId, Collection<String> seeds) {
        sending.onLogLeft();
        return membership.goOver(logId, seeds);
    }

    /**
     * Gives up this node's vote, and in the same change those of nodes that are down, and closes. The last voter keeps its vote, and so
     * does one that finds no leader or no majority in the time.
     *
     * @return whether the vote was given up, or is the last
     */
    public boolean stop(Set<String> down, Duration timeout) {
        boolean settled = membership.giveUpVote(down, timeout);
        close();
        return settled;
    }

    /** Closes and keeps the vote, as a process does that ends. What was not answered is unknown. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        membership.close();
        sending.onLogLeft();
        try {
            engine.close();
        } catch (IOException failed) {
            LOG.warn("{}: the metadata log did not close in order", settings.node(), failed);
        }
        threads.close();
    }

    // ------------------------------------------------------------------------------------------------------- telling

    private void tell(Consumer<MetadataListener> what) {
        threads.tell(() -> listeners.forEach(what));
    }

    /** What the shown replica causes. */
    private final class Told implements Replicas.Output {
        @Override
        public void onChange(Consumer<MetadataListener> what) {
            tell(what);
        }

        @Override
        public void onApplied(long index) {
            sending.onApplied(index);
        }

        @Override
        public void onLeader(@Nullable String node) {
            sending.onLeader(node);
            threads.tell(() -> controllerListeners.forEach(listener -> listener.onController(node)));
        }

        @Override
        public void onVoters(Map<String, String> addresses) {
            membership.onVoters(addresses);
        }

        @Override
        public void onStopped() {
            membership.onStopped();
        }

        /** What was submitted to the log that is left may or may not be in it. */
        @Override
        public void onSwitched() {
            sending.onLogLeft();
        }
    }
}
