package io.warren.core;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ErrorScope;
import io.warren.core.error.ReplyCode;
import io.warren.core.internal.BrokerSettings;
import io.warren.core.internal.BrokerWiring;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.PasswordHash;
import io.warren.core.metadata.Permission;
import io.warren.core.spi.ManualClock;
import io.warren.core.spi.Sessions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker in this JVM. Start as many as you like: they share nothing.
 *
 * <p>It begins with virtual host {@code /} and user {@code guest} (password {@code guest}, administrator). Its threads
 * are daemon: a JVM ends without it being closed.
 */
public final class Broker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    /** The user that exists from the start. */
    public static final String GUEST = "guest";

    /**
     * The hash of guest's password, which everybody knows: hashing it at each start would make a cold start look for the
     * JDK's digests.
     */
    private static final PasswordHash GUEST_PASSWORD =
            new PasswordHash("Z3Vlc8bB/ktmyEEjbSTWFw6b25k2lges9DNCmKSrk7HQMUOo");

    /** Longest that {@link #close} waits for connections to end. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final String name;
    private final BrokerWiring wiring;
    private final Waiting waiting;
    private final Administration administration;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    Broker(BrokerSettings settings) {
        this.name = settings.name();
        this.wiring = new BrokerWiring(settings);
        this.waiting = new Waiting(wiring::isDraining, wiring::runDue, wiring.isSingleThreaded());
        this.administration = new Administration(wiring, waiting);
        createGuest();
        LOG.info("broker '{}' started", name);
    }

    private void createGuest() {
        // A user that was deleted stays deleted.
        if (wiring.isNew() && wiring.definitions().user(GUEST) == null) {
            administration.submit(new Command.PutUser(GUEST, GUEST_PASSWORD, Set.of("administrator")));
            administration.submit(new Command.SetPermission(GUEST, Definitions.DEFAULT_VHOST, Permission.ALL));
        }
    }

    /** Starts a broker as it comes. */
    public static Broker start() {
        return builder().start();
    }

    /** A broker to be set up before it starts. */
    public static BrokerBuilder builder() {
        return new BrokerBuilder();
    }

    /** The broker's name, in its log lines and threads. */
    public String name() {
        return name;
    }

    // ---- connecting

    /** Connects as {@value #GUEST} to virtual host {@code /}. */
    public Connection connect() {
        return connect(Definitions.DEFAULT_VHOST);
    }

    /** Connects as {@value #GUEST} to a virtual host. */
    public Connection connect(String vhost) {
        return opened("connection", GUEST, vhost);
    }

    /**
     * Connects.
     *
     * @throws io.warren.core.error.AmqpException 403 for a wrong password; 530 for a virtual host that does not exist
     *     or is not the user's
     */
    public Connection connect(String vhost, Credentials credentials) {
        AmqpError refusal = wiring.authenticate(credentials.user(), credentials.password());
        if (refusal != null) {
            throw refusal.toException();
        }
        return opened("connection", credentials.user(), vhost);
    }

    private Connection opened(String connectionName, String user, String vhost) {
        if (closed.get()) {
            throw new IllegalStateException("broker '" + name + "' is closed");
        }
        Connection connection = new Connection(this, wiring, waiting, connectionName, user, vhost);
        connections.add(connection);
        return connection;
    }

    void forget(Connection connection) {
        connections.remove(connection);
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return closed.get();
    }

    /** The door for transports other than this API. */
    public Sessions sessions() {
        return wiring;
    }

    // ---- looking and administering

    /** Virtual hosts, users, permissions, policies, alarms. */
    public Administration administration() {
        return administration;
    }

    /** A view of a virtual host; it need not exist until it is asked something. */
    public VhostView vhost(String vhost) {
        return new VhostView(vhost, wiring, waiting);
    }

    /**
     * Drops all queues, messages, bindings, policies and all exchanges but the predeclared ones. Virtual hosts, users
     * and connections stay.
     */
    public void reset() {
        administration.submit(new Command.Reset());
    }

    /** As {@link #reset()}, after closing every connection (320). */
    public void resetAndDisconnect() {
        wiring.closeConnections(shutDown("reset"));
        reset();
    }

    /**
     * Runs all that is due, in a broker with a seed; in others threads do, and this does nothing. With a {@link
     * ManualClock} {@code advance} does it too.
     */
    public void runDue() {
        wiring.runDue();
    }

    /** Whether everything runs on the thread that uses it: {@link BrokerBuilder#seed}. */
    public boolean isSingleThreaded() {
        return wiring.isSingleThreaded();
    }

    // ---- the end

    /**
     * Closes what is still open, says in the log where that was opened, and ends the broker's threads. Idempotent;
     * waits at most five seconds.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        for (Connection connection : connections) {
            LOG.warn(
                    "connection '{}' is still open, closing it; it was opened at {}",
                    connection.name(),
                    connection.openedAt());
        }
        closeConnections();
        wiring.closeConnections(shutDown("shutdown"));
        wiring.runDue();
        wiring.close();
        LOG.info("broker '{}' stopped", name);
    }

    private void closeConnections() {
        CompletableFuture<?>[] closing =
                connections.stream().map(Connection::closeAsync).toArray(CompletableFuture<?>[]::new);
        wiring.runDue();
        try {
            CompletableFuture.allOf(closing).get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            LOG.warn("broker '{}': connections did not end within {} s", name, CLOSE_TIMEOUT.toSeconds(), late);
        } catch (ExecutionException failed) {
            LOG.warn("broker '{}': a connection could not be closed", name, failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static AmqpError shutDown(String why) {
        return new AmqpError(
                ReplyCode.CONNECTION_FORCED,
                ErrorScope.CONNECTION,
                "CONNECTION_FORCED - broker forced connection closure with reason '" + why + "'");
    }
}
