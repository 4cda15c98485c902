package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Message;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueArguments;
import io.warren.core.metadata.User;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.queue.LocalBackingQueue;
import io.warren.core.queue.QueueState;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.BackingQueueListener;
import io.warren.core.spi.ClientOrigin;
import io.warren.core.spi.ConnectionReceiver;
import io.warren.core.spi.ConnectionSession;
import io.warren.core.spi.LedQueue;
import io.warren.core.spi.LocalQueues;
import io.warren.core.spi.ManualClock;
import io.warren.core.spi.MemoryBudget;
import io.warren.core.spi.MessageStore;
import io.warren.core.spi.MetadataStore;
import io.warren.core.spi.MovingHome;
import io.warren.core.spi.QueueHomes;
import io.warren.core.spi.QueueReplication;
import io.warren.core.spi.Reign;
import io.warren.core.spi.ReleasedQueue;
import io.warren.core.spi.Scheduler;
import io.warren.core.spi.Sessions;
import io.warren.core.spi.Ticker;
import io.warren.core.store.DiskFiles;
import io.warren.core.store.DurableStores;
import io.warren.core.store.StoreListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds a broker's parts together: whoever needs another part finds it here. Thread-safe. */
public final class BrokerWiring implements Sessions, LocalQueues, StoreListener, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.broker");
    private static final Logger CHANNELS = LoggerFactory.getLogger("io.warren.core.channel");

    /** A callback may wait for what another thread must do. */
    private static final int THREADS_MIN = 4;

    /** Arguments of other things than queues that mean something, by kind. */
    private static final Map<String, Set<String>> OTHER_ARGUMENTS = Map.of(
            "exchange", Set.of("alternate-exchange", "x-cache-size", "x-cache-ttl"),
            "consumer", Set.of("x-priority", "x-cancel-on-ha-failover"));

    private final BrokerSettings settings;
    private final ExecutorService pool;
    private final MailboxRunner runner;
    private final Ticker ticker;
    private final Scheduler scheduler;
    private final MetadataStore metadata;
    private final MessageStore store;
    private final QueueReplication replication;
    private final @Nullable QueueHomes homes;
    private final Randomness randomness;
    private final Topology topology;
    private final DeadLetters deadLetters;
    private final DirectReplies directReplies;
    private final LedQueues led = new LedQueues();
    private final Conversions conversions = new Conversions();
    private final MemoryAccount memory;
    private final Set<ConnectionProcess> connections = ConcurrentHashMap.newKeySet();
    private final Set<String> warnedArguments = ConcurrentHashMap.newKeySet();
    private final AtomicLong connectionCount = new AtomicLong();
    private final @Nullable SystemClock systemClock;
    private volatile boolean ended;
    private volatile @Nullable AmqpError suspended;
    private volatile boolean quorumAsClassic;
    private final Alarms alarms = new Alarms(this::blocked, this::publishable, this::tellAlarms);
    private final @Nullable DurableStores stores;

    /** Starts the parts of a broker: a virtual host {@code /} without users. */
    public BrokerWiring(BrokerSettings settings) {
        this.settings = settings;
        this.pool = BrokerThreads.pool(settings.name(), THREADS_MIN);
        ManualClock manual = settings.clock();
        SystemClock system = manual == null ? new SystemClock(settings.name()) : null;
        this.systemClock = system;
        this.ticker = system != null ? system : Objects.requireNonNull(manual);
        this.scheduler = system != null ? system : Objects.requireNonNull(manual);
        Long seed = settings.seed();
        this.randomness = new Randomness(seed);
        this.runner = seed == null ? new InlineRunner(pool) : new SeededRunner(new SplittableRandom(~seed));
        if (manual != null) {
            manual.afterEachTask(runner::runDue);
        }
        DurableStores durable = openStores(settings);
        this.stores = durable;
        MetadataStore given = settings.metadataStore();
        if (given != null) {
            this.metadata = given;
        } else if (durable != null) {
            this.metadata = durable.metadata();
        } else {
            this.metadata = new LocalMetadataStore(runner, failure -> report("the metadata", failure));
        }
        MessageStore givenStore = settings.messageStore();
        MessageStore own = durable != null ? durable.messages() : new MemoryMessageStore();
        this.store = givenStore != null ? givenStore : own;
        QueueReplication givenReplication = settings.replication();
        this.replication = givenReplication != null ? givenReplication : (vhost, queue, local, listener) -> local;
        this.homes = settings.homes();
        this.directReplies = new DirectReplies(homes);
        this.topology = new Topology(this, settings.routeCacheLimit());
        this.deadLetters = new DeadLetters(this);
        this.memory = new MemoryAccount(settings.memoryLimitBytes(), this::memoryAlarm);
        if (homes != null) {
            homes.begin(this);
        }
        metadata.subscribe(topology::applied);
        begin(durable);
    }

    /** Queues that are there run before anybody can use them, and before the store goes on. */
    private void begin(@Nullable DurableStores durable) {
        try {
            topology.begin(metadata.current());
        } catch (UncheckedIOException damaged) {
            if (durable != null) {
                durable.close();
            }
            closeThreads();
            throw cannotStart(settings, damaged);
        }
        if (durable != null) {
            durable.start();
        }
    }

    private static UncheckedIOException cannotStart(BrokerSettings of, Exception why) {
        return new UncheckedIOException(
                "broker '" + of.name() + "' cannot start in " + of.dataDirectory() + ": " + why.getMessage(),
                new IOException(why));
    }

    private @Nullable DurableStores openStores(BrokerSettings of) {
        Path directory = of.dataDirectory();
        if (directory == null) {
            return null;
        }
        try {
            return DurableStores.open(
                    new DiskFiles(directory),
                    of.store(),
                    ticker,
                    pool,
                    this,
                    failure -> report("the topology", failure),
                    keptElsewhere(of));
        } catch (IOException refused) {
            closeThreads();
            throw cannotStart(of, refused);
        }
    }

    /** The queues that live here by a topology which another store has; null where this directory has it. */
    private static @Nullable Set<Long> keptElsewhere(BrokerSettings of) {
        MetadataStore given = of.metadataStore();
        QueueHomes homes = of.homes();
        return given == null ? null : DurableStores.durableQueues(given.current(), homes == null ? null : homes.here());
    }

    private void closeThreads() {
        if (systemClock != null) {
            systemClock.close();
        }
        pool.shutdown();
    }

    /** Whether nobody has used this broker's topology before. */
    public boolean isNew() {
        return stores == null || stores.isNew() || definitions().users().isEmpty();
    }

    MailboxRunner runner() {
        return runner;
    }

    @Override
    public Ticker ticker() {
        return ticker;
    }

    long nowNs() {
        return ticker.nowNs();
    }

    Scheduler scheduler() {
        return scheduler;
    }

    MetadataStore metadata() {
        return metadata;
    }

    Topology topology() {
        return topology;
    }

    DeadLetters deadLetters() {
        return deadLetters;
    }

    DirectReplies directReplies() {
        return directReplies;
    }

    @Nullable Duration consumerTimeout() {
        return settings.consumerTimeout();
    }

    /** The mirrored queues that this node leads. */
    LedQueues led() {
        return led;
    }

    /** Queues that are mirrored from now on. */
    Conversions conversions() {
        return conversions;
    }

    @Override
    public MemoryBudget memory() {
        return new QueueMemory(memory);
    }

    /** Those that are open, in no order. */
    public List<ConnectionProcess> connections() {
        return List.copyOf(connections);
    }

    /** Something of ours broke: said loudly, with where, and never swallowed. */
    public void report(String where, Throwable failure) {
        LOG.error("{} failed", where, failure);
    }

    // ---- queues

    /** A queue as channels here address it. */
    QueueAddress address(String vhost, Queue queue) {
        QueueHomes cluster = homes;
        if (cluster == null) {
            return new QueueProcess(this, vhost, queue);
        }
        MovingHome moving = cluster.mirrored(vhost, queue);
        String elsewhere = cluster.elsewhere(queue.definition().home());
        if (moving != null) {
            return elsewhere == null && store.keeps(queue)
                    ? recovered(vhost, queue, moving)
                    : RemoteQueue.mirrored(moving, cluster, vhost, queue);
        }
        return elsewhere == null
                ? new QueueProcess(this, vhost, queue)
                : RemoteQueue.at(elsewhere, cluster, vhost, queue);
    }

    /** A queue that came to be mirrored while this broker was down, with what it held on the disk. */
    private QueueAddress recovered(String vhost, Queue queue, MovingHome moving) {
        QueueProcess process = new QueueProcess(this, vhost, queue);
        QueueAddress successor = succeeded(process, moving);
        conversions.begin(process);
        return successor;
    }

    /** Where a queue that ran here goes on that is mirrored from now on. */
    QueueAddress succeeded(QueueProcess process, MovingHome moving) {
        RemoteQueue successor = RemoteQueue.succeeding(
                process, moving, Objects.requireNonNull(homes), current(process.vhost(), process.definition()));
        process.succeededBy(successor);
        conversions.add(process);
        return successor;
    }

    /** Where a queue lives if it is mirrored; null if not, or where there is no cluster. */
    @Nullable MovingHome movingHome(String vhost, Queue queue) {
        return homes == null ? null : homes.mirrored(vhost, queue);
    }

    @Override
    public boolean runsByItself(String vhost, String name, long id) {
        return conversions.has(id) || (topology.queue(vhost, name) instanceof QueueProcess queue && queue.id() == id);
    }

    @Override
    public void release(long queueId, Consumer<ReleasedQueue> to) {
        conversions.release(queueId, to);
    }

    @Override
    public LedQueue lead(String vhost, Queue queue, Executor mailbox, BackingQueue backing, Reign reign) {
        if (!(mailbox instanceof Mailbox.Posting posting)) {
            throw new IllegalArgumentException("mailbox=" + mailbox + " is none that serial() has made");
        }
        QueueProcess process = new QueueProcess(this, vhost, current(vhost, queue), posting.mailbox(), backing, reign);
        led.begun(process);
        // What changed before it stood in the list, the topology could not tell it.
        process.settings(current(vhost, queue).settings());
        return process;
    }

    /** The queue as the topology has it; as it was given if it is not there yet, or not any more. */
    private Queue current(String vhost, Queue queue) {
        VirtualHost there = definitions().vhost(vhost);
        Queue known = there == null ? null : there.queue(queue.name());
        return known != null && known.id() == queue.id() ? known : queue;
    }

    @Override
    public @Nullable AttachedQueue attach(String vhost, String name, long id, int attachment, AttachedChannel channel) {
        return topology.queue(vhost, name) instanceof QueueProcess queue && queue.id() == id
                ? new HomeChannel(queue, attachment, channel)
                : null;
    }

    @Override
    public void reply(String vhost, Message message) {
        directReplies.deliver(vhost, message);
    }

    @Override
    public Executor serial(Consumer<Throwable> onFailure) {
        return new Mailbox.Posting(new Mailbox(runner, onFailure));
    }

    @Override
    public void suspend(AmqpError reason) {
        suspended = reason;
        closeConnections(reason);
    }

    @Override
    public void resume() {
        suspended = null;
    }

    BackingQueue backingQueue(String vhost, Queue queue, BackingQueueListener listener, Consumer<Runnable> mailbox) {
        QueueLogPosts posts = new QueueLogPosts(listener, mailbox);
        LocalBackingQueue local = new LocalBackingQueue(
                queue.settings().priorityMax(), store.openLog(vhost, queue, posts), new QueueMemory(memory), listener);
        posts.deliverTo(local);
        return replication.wrap(vhost, queue, local, listener);
    }

    /**
     * A queue found itself unused: it goes, unless somebody deleted it before.
     *
     * @param ended run when it has gone, or could not
     */
    void deleteQueue(QueueProcess queue, Runnable ended) {
        var unused = metadata.submit(new Command.DeleteQueue(queue.vhost(), queue.name(), queue.id()))
                .whenComplete((outcome, failure) -> {
                    if (failure != null) {
                        report("deletion of queue '" + queue.name() + "'", failure);
                    }
                    ended.run();
                });
    }

    /** Closes the connections that are meant, with 320 and the reason. */
    void closeConnections(Predicate<ConnectionProcess> meant, String why) {
        AmqpError reason = AmqpError.connection(ReplyCode.CONNECTION_FORCED, why);
        connections().stream().filter(meant).forEach(connection -> connection.closedByBroker(reason));
    }

    // ---- connections

    @Override
    public @Nullable AmqpError authenticate(String userName, String password) {
        User user = definitions().user(userName);
        if (user != null && user.password() != null && user.password().matches(password)) {
            return null;
        }
        return AmqpError.connection(
                ReplyCode.ACCESS_REFUSED,
                "Login was refused using authentication mechanism PLAIN. For details see the broker logfile.");
    }

    @Override
    public boolean exists(String user) {
        return definitions().user(user) != null;
    }

    @Override
    public ConnectionSession open(
            String name, String user, String vhost, ClientOrigin origin, ConnectionReceiver receiver) {
        if (ended) {
            throw AmqpError.connection(ReplyCode.CONNECTION_FORCED, "broker '" + settings.name() + "' is closed")
                    .toException();
        }
        AmqpError paused = suspended;
        if (paused != null) {
            throw paused.toException();
        }
        Definitions now = definitions();
        if (now.vhost(vhost) == null) {
            throw Definitions.noVhost(vhost).toException();
        }
        User definition = now.user(user);
        if (definition == null || !definition.mayAccess(vhost)) {
            throw AmqpError.connection(
                            ReplyCode.NOT_ALLOWED, "access to vhost '" + vhost + "' refused for user '" + user + "'")
                    .toException();
        }
        ConnectionProcess connection = new ConnectionProcess(this, unique(name), user, vhost, origin, receiver);
        connections.add(connection);
        if (alarms.isBlocked()) {
            receiver.onBlocked(alarms.reason());
        }
        return connection;
    }

    /** In a cluster unique there: exclusive queues name their owners in the metadata, which all nodes share. */
    private String unique(String name) {
        String numbered = name + "#" + connectionCount.incrementAndGet();
        return homes == null ? numbered : numbered + "@" + homes.here();
    }

    void connectionEnded(ConnectionProcess connection) {
        connections.remove(connection);
    }

    void channelRefused(ConnectionProcess connection, AmqpError error) {
        CHANNELS.warn("connection '{}' in vhost '{}': {}", connection.name(), connection.vhost(), error.text());
    }

    // ---- alarms

    private void memoryAlarm(boolean on) {
        LOG.warn(
                on
                        ? "memory alarm: messages take {} bytes of {} allowed; publishers are blocked"
                        : "memory alarm is over: messages take {} bytes of {} allowed",
                memory.bytes(),
                settings.memoryLimitBytes());
        alarms.set(Alarms.Alarm.MEMORY, on);
    }

    @Override
    public void onDiskLow(boolean low, long freeBytes) {
        LOG.warn(
                low ? "disk alarm: {} bytes are free; publishers are blocked" : "disk alarm is over: {} bytes are free",
                freeBytes);
        alarms.set(Alarms.Alarm.DISK, low);
    }

    @Override
    public void onBehind(boolean behind) {
        alarms.behind(behind);
    }

    @Override
    public void onStopped(String reason, Throwable failure) {
        alarms.set(Alarms.Alarm.STORE, true);
    }

    private void tellAlarms(List<String> names) {
        QueueHomes cluster = homes;
        if (cluster != null) {
            cluster.alarms(names);
        }
    }

    @Override
    public void alarmsAt(String node, List<String> names) {
        alarms.elsewhere(node, names);
    }

    private void blocked(boolean on) {
        for (ConnectionProcess connection : connections) {
            if (on) {
                connection.receiver().onBlocked(alarms.reason());
            } else {
                connection.receiver().onUnblocked();
            }
        }
    }

    private void publishable() {
        for (ConnectionProcess connection : connections) {
            connection.channels().forEach(channel -> channel.receiver().onPublishable());
        }
    }

    boolean holdsPublishers() {
        return alarms.holdPublishers();
    }

    /** What blocks publishers now: what the broker is low on. */
    public List<String> alarms() {
        return alarms.names();
    }

    // ---- for the in-VM API

    /** Callbacks of one channel, on the user's executor or the broker's own. */
    public Callbacks callbacks(@Nullable Executor executor, Consumer<Throwable> onFailure, Runnable onRejected) {
        if (executor == null && runner instanceof SeededRunner seeded) {
            return new Callbacks(new Mailbox(seeded, onFailure), seeded::runUserCode);
        }
        MailboxRunner callbackRunner = new CallbackRunner(executor == null ? pool : executor, onRejected);
        return new Callbacks(new Mailbox(callbackRunner, onFailure), Runnable::run);
    }

    /** Whether the calling thread is inside the broker, where it must not wait for the broker. */
    public boolean isDraining() {
        return runner.isDraining();
    }

    /** Runs all that can run, where one thread does everything. */
    public void runDue() {
        runner.runDue();
    }

    public boolean isSingleThreaded() {
        return runner instanceof SeededRunner;
    }

    /** Hands a command in. */
    public CompletionStage<Outcome> submit(Command command) {
        return metadata.submit(command);
    }

    /** The topology as it is now. */
    public Definitions definitions() {
        return metadata.current();
    }

    /** What a queue that lives here holds, asked in its mailbox; empty if there is none. */
    public <T> CompletableFuture<Optional<T>> view(String vhost, String queue, Function<QueueState, T> viewer) {
        CompletableFuture<Optional<T>> seen = new CompletableFuture<>();
        QueueAddress address = topology.queue(vhost, queue);
        QueueProcess process =
                address instanceof QueueProcess here ? here : address == null ? null : led.queue(address.id());
        if (address == null) {
            seen.complete(Optional.empty());
        } else if (process == null) {
            MovingHome moving = moving(address);
            String home = moving == null ? address.definition().definition().home() : moving.node();
            seen.completeExceptionally(new IllegalStateException("queue '" + queue + "' in vhost '" + vhost
                    + "' lives at node '" + home + "': only the broker of that node can look into it"));
        } else {
            process.view(state -> seen.complete(Optional.of(viewer.apply(state))));
        }
        return seen;
    }

    private static @Nullable MovingHome moving(@Nullable QueueAddress address) {
        return address instanceof RemoteQueue remote ? remote.moving() : null;
    }

    /** Where a mirrored queue lives; null if there is no such queue, or it is not mirrored. */
    public @Nullable MovingHome mirrored(String vhost, String queue) {
        return moving(topology.queue(vhost, queue));
    }

    /** Bytes of messages the broker counts, and so its memory alarm. */
    public long memoryBytes() {
        return memory.bytes();
    }

    public void memoryLimit(long bytes) {
        memory.limit(bytes);
    }

    /** Sets the memory alarm by hand, or lets the bytes decide again. */
    public void forceMemoryAlarm(boolean on) {
        memory.force(on);
    }

    /** Closes every connection with a reason. */
    public void closeConnections(AmqpError reason) {
        connections().forEach(connection -> connection.closedByBroker(reason));
    }

    /** Ends threads and stores. */
    @Override
    public void close() {
        ended = true;
        DurableStores durable = stores;
        if (durable == null || metadata != durable.metadata()) {
            metadata.close();
        }
        if (durable == null || store != durable.messages()) {
            store.close();
        }
        if (durable != null) {
            durable.close();
        }
        closeThreads();
    }

    // ---- small services

    /** A name nobody else has. */
    String generateName(String prefix) {
        return randomness.name(prefix);
    }

    /** A random number for a password's salt. */
    public int nextSalt() {
        return randomness.salt();
    }

    /** The arguments of a queue, a quorum queue become classic where that is {@linkplain #quorumAsClassic asked for}. */
    public FieldTable withoutQuorum(String queue, FieldTable arguments) {
        if (!quorumAsClassic || !"quorum".equals(arguments.get("x-queue-type"))) {
            return arguments;
        }
        LOG.warn("queue '{}' is declared as a quorum queue and becomes a classic one", queue);
        return arguments.with("x-queue-type", "classic");
    }

    /** Whether declaring a quorum queue makes a classic one; else it is refused. */
    public void quorumAsClassic(boolean accepted) {
        quorumAsClassic = accepted;
    }

    /** An x- argument that does nothing here: refused where that is asked for, else warned of once. */
    @Nullable AmqpError unknownArgument(String kind, String name, FieldTable arguments) {
        for (String argument : arguments.asMap().keySet()) {
            boolean known = (kind.equals("queue") && QueueArguments.isKnown(argument))
                    || OTHER_ARGUMENTS.getOrDefault(kind, Set.of()).contains(argument);
            if (argument.startsWith("x-") && !known) {
                if (settings.strictArguments()) {
                    return AmqpError.channel(
                            ReplyCode.PRECONDITION_FAILED,
                            "argument '" + argument + "' of " + kind + " '" + name + "' has no effect here");
                }
                if (warnedArguments.add(kind + argument)) {
                    LOG.warn("argument '{}' of {} '{}' has no effect here", argument, kind, name);
                }
            }
        }
        return null;
    }
}
