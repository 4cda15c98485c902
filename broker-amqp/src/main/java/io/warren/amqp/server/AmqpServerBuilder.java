package io.warren.amqp.server;

import io.warren.amqp.session.Identity;
import io.warren.amqp.session.SaslMechanism;
import io.warren.amqp.session.SessionSettings;
import io.warren.core.Broker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sets up an {@link AmqpServer}; as it comes, it listens on the loopback address, port 5672.
 *
 * <p>{@link #address}, {@link #port} and {@link #tls} are about its first listener.
 */
public final class AmqpServerBuilder {

    /** AMQP's port. */
    public static final int PORT = 5_672;

    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);

    private final Broker broker;
    private InetAddress address = InetAddress.getLoopbackAddress();
    private int port = PORT;
    private int threads = Math.max(1, Runtime.getRuntime().availableProcessors());
    private Duration handshakeTimeout = HANDSHAKE_TIMEOUT;
    private @Nullable TlsSettings tls;
    private final List<Supplier<Listener>> furtherListeners = new ArrayList<>();
    private CertificateLogin certificateLogin = CertificateLogin.DISTINGUISHED_NAME;
    private Identity identity;
    private List<SaslMechanism> mechanisms = SessionSettings.DEFAULT.mechanisms();
    private int frameBytesMax = SessionSettings.DEFAULT.frameBytesMax();
    private int channelCountMax = SessionSettings.DEFAULT.channelCountMax();
    private int heartbeatSeconds = SessionSettings.DEFAULT.heartbeatSeconds();
    private long messageBytesMax = SessionSettings.DEFAULT.messageBytesMax();
    private Set<String> loopbackUsers = SessionSettings.DEFAULT.loopbackUsers();

    AmqpServerBuilder(Broker broker) {
        this.broker = broker;
        String node = "rabbit@" + broker.name();
        this.identity = new Identity(
                Identity.DEFAULT.product(), Identity.DEFAULT.version(), node, node, Identity.DEFAULT.warrenVersion());
    }

    /** Listens on another address than the loopback one. */
    public AmqpServerBuilder address(InetAddress listenAddress) {
        address = listenAddress;
        return this;
    }

    /** Sets the port; 0 picks a free one. */
    public AmqpServerBuilder port(int listenPort) {
        port = listenPort;
        return this;
    }

    /** Sets how many event loops serve connections; as many as processors without. */
    public AmqpServerBuilder threads(int count) {
        threads = count;
        return this;
    }

    /** Speaks TLS. */
    public AmqpServerBuilder tls(TlsSettings settings) {
        tls = settings;
        return this;
    }

    /** Listens there as well; port 0 picks a free one. */
    public AmqpServerBuilder alsoListen(InetAddress listenAddress, int listenPort) {
        furtherListeners.add(() -> listener(listenAddress, listenPort, null));
        return this;
    }

    /** Listens there as well, speaking TLS. */
    public AmqpServerBuilder alsoListen(InetAddress listenAddress, int listenPort, TlsSettings settings) {
        furtherListeners.add(() -> listener(listenAddress, listenPort, settings));
        return this;
    }

    private static Listener listener(InetAddress address, int port, @Nullable TlsSettings tls) {
        return new Listener(new InetSocketAddress(address, port), tls == null ? null : tls.context());
    }

    /** Takes another part of a client's certificate for its user than the whole subject, with EXTERNAL. */
    public AmqpServerBuilder certificateLogin(CertificateLogin part) {
        certificateLogin = part;
        return this;
    }

    /** Closes connections that are not open after so long; 10 s without. */
    public AmqpServerBuilder handshakeTimeout(Duration timeout) {
        handshakeTimeout = timeout;
        return this;
    }

    /** Says another product and version than RabbitMQ 3.10.8. */
    public AmqpServerBuilder identity(String product, String version) {
        identity = identity.as(product, version);
        return this;
    }

    /** Offers these ways to log in; PLAIN and AMQPLAIN without. */
    public AmqpServerBuilder mechanisms(SaslMechanism... offered) {
        mechanisms = List.of(offered);
        return this;
    }

    /** Sets the largest frame; 131,072 bytes without. */
    public AmqpServerBuilder frameBytesMax(int bytes) {
        frameBytesMax = bytes;
        return this;
    }

    /** Sets how many channels a connection may have; 2,047 without. */
    public AmqpServerBuilder channelCountMax(int count) {
        channelCountMax = count;
        return this;
    }

    /** Proposes heartbeats of an interval, 0 for none; 60 s without. */
    public AmqpServerBuilder heartbeatSeconds(int seconds) {
        heartbeatSeconds = seconds;
        return this;
    }

    /** Sets the largest body; 128 MiB without. */
    public AmqpServerBuilder messageBytesMax(int bytes) {
        messageBytesMax = bytes;
        return this;
    }

    /** Lets these users log in from this machine only; guest without. */
    public AmqpServerBuilder loopbackUsers(String... users) {
        loopbackUsers = Set.of(users);
        return this;
    }

    /**
     * Starts the server; when this returns, clients can connect.
     *
     * @throws java.io.UncheckedIOException if an address cannot be listened on
     * @throws IllegalArgumentException if a file of certificates cannot be used
     * @throws IllegalStateException if the broker has a seed
     */
    public AmqpServer start() {
        List<Listener> listeners = new ArrayList<>(List.of(listener(address, port, tls)));
        furtherListeners.forEach(further -> listeners.add(further.get()));
        return new AmqpServer(serverSettings(), broker.name(), listeners, threads);
    }

    private ServerSettings serverSettings() {
        if (broker.isSingleThreaded()) {
            throw new IllegalStateException(
                    "broker '" + broker.name() + "' runs on the one thread that uses it, because"
                            + " it has a seed: clients, which bring threads of their own, need one without");
        }
        SessionSettings session = new SessionSettings(
                identity, mechanisms, frameBytesMax, channelCountMax, heartbeatSeconds, messageBytesMax, loopbackUsers);
        return new ServerSettings(broker.sessions(), session, handshakeTimeout, certificateLogin);
    }

    /** The broker that clients will find. */
    public Broker broker() {
        return broker;
    }

    /**
     * For transports of another kind: connections with these settings that come to no address.
     *
     * @throws IllegalStateException if the broker has a seed
     */
    public AmqpConnections connections() {
        return new AmqpConnections(serverSettings());
    }
}
