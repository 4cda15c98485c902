package io.warren.examples.server;

import io.warren.amqp.server.AmqpServer;
import io.warren.amqp.server.AmqpServerBuilder;
import io.warren.amqp.server.CertificateLogin;
import io.warren.amqp.session.SaslMechanism;
import io.warren.core.Broker;
import io.warren.core.BrokerBuilder;
import io.warren.management.definitions.BrokerDefinitions;
import io.warren.management.definitions.ImportReport;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is known of a broker and its server before they start, put together from a file line by line. */
public final class ServerSetup {

    private static final Logger LOG = LoggerFactory.getLogger(ServerSetup.class);

    /** Where to listen, and how. */
    private record Place(InetAddress address, int port, boolean isTls) {}

    private final BrokerBuilder broker = Broker.builder();
    private final List<Consumer<AmqpServerBuilder>> serverSettings = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private final List<SaslMechanism> mechanisms = new ArrayList<>();
    private final TlsFiles tls = new TlsFiles();
    private @Nullable Path definitions;

    ServerSetup() {}

    /** The broker, still to be started, with its data in a directory or in memory. */
    public BrokerBuilder broker(@Nullable Path dataDirectory) {
        return dataDirectory == null ? broker : broker.dataDirectory(dataDirectory);
    }

    /**
     * The server of a broker, still to be started.
     *
     * @param port asked for on the command line, or null: AMQP's unless the file says where to listen
     */
    public AmqpServerBuilder server(Broker started, @Nullable Integer port) {
        AmqpServerBuilder builder = AmqpServer.builder(started);
        List<Place> all = new ArrayList<>(places);
        if (port != null || all.isEmpty()) {
            all.add(
                    0,
                    new Place(InetAddress.getLoopbackAddress(), port == null ? AmqpServerBuilder.PORT : port, false));
        }
        Place first = all.get(0);
        builder.address(first.address()).port(first.port());
        if (first.isTls()) {
            builder.tls(tls.settings());
        }
        for (Place further : all.subList(1, all.size())) {
            if (further.isTls()) {
                builder.alsoListen(further.address(), further.port(), tls.settings());
            } else {
                builder.alsoListen(further.address(), further.port());
            }
        }
        if (!mechanisms.isEmpty()) {
            builder.mechanisms(mechanisms.toArray(SaslMechanism[]::new));
        }
        serverSettings.forEach(setting -> setting.accept(builder));
        return builder;
    }

    /** Imports what the command line, or else the file, asks for; what has no effect is told, and the rest counts. */
    public void importDefinitions(Broker started, @Nullable Path asked) {
        Path file = asked == null ? definitions : asked;
        if (file != null) {
            ImportReport report = BrokerDefinitions.importFrom(file, started);
            report.ignored().forEach(ignored -> LOG.info("{}: ignored {}", file, ignored));
            report.refused().forEach(refused -> LOG.warn("{}: refused {}", file, refused));
        }
    }

    // ---- what lines of the file say

    void definitions(String file) {
        definitions = Path.of(file);
    }

    BrokerBuilder broker() {
        return broker;
    }

    TlsFiles tls() {
        return tls;
    }

    void server(Consumer<AmqpServerBuilder> setting) {
        serverSettings.add(setting);
    }

    void listen(String place) {
        places.add(place(place, false));
    }

    void listenTls(String place) {
        places.add(place(place, true));
    }

    /** {@code PORT} on the loopback address, or {@code HOST:PORT}. */
    private static Place place(String place, boolean isTls) {
        int colon = place.lastIndexOf(':');
        int port = ServerConfig.number(place.substring(colon + 1));
        try {
            InetAddress address =
                    colon < 0 ? InetAddress.getLoopbackAddress() : InetAddress.getByName(place.substring(0, colon));
            return new Place(address, port, isTls);
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("no such host", unknown);
        }
    }

    void mechanism(String name) {
        for (SaslMechanism mechanism : SaslMechanism.values()) {
            if (mechanism.mechanismName().equals(name)) {
                mechanisms.add(mechanism);
                return;
            }
        }
        throw new IllegalArgumentException("there are "
                + Arrays.stream(SaslMechanism.values())
                        .map(SaslMechanism::mechanismName)
                        .toList());
    }

    void certificateLogin(String part) {
        CertificateLogin login = CertificateLogin.valueOf(part.toUpperCase(Locale.ROOT));
        server(it -> it.certificateLogin(login));
    }

    void noLoopbackUsers(String none) {
        if (!none.equals("none")) {
            throw new IllegalArgumentException("only 'none' is possible");
        }
        guestFromAnywhere(true);
    }

    void guestFromAnywhere(boolean mayComeFromAnywhere) {
        if (mayComeFromAnywhere) {
            server(it -> it.loopbackUsers());
        }
    }

    void handshakeTimeout(String milliseconds) {
        Duration timeout = Duration.ofMillis(ServerConfig.number(milliseconds));
        server(it -> it.handshakeTimeout(timeout));
    }

    void quorumAsClassic(boolean accepted) {
        server(it -> it.broker().administration().quorumAsClassic(accepted));
    }

    void consumerTimeout(String milliseconds) {
        broker.consumerTimeout(Duration.ofMillis(ServerConfig.number(milliseconds)));
    }
}
