package io.warren.mirroring.link.tcp;

import static org.awaitility.Awaitility.await;

import io.warren.core.spi.Ticker;
import io.warren.mirroring.link.Heard;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.ring.Member;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/** A node with nothing but its links, over loopback, quick to find others silent. */
final class TcpNode implements AutoCloseable {
    static final ClusterSecret SECRET = ClusterSecret.of("a secret for tests only");
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** The machine's time. */
    static final Ticker TICKER = new Ticker() {
        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }
    };

    final Heard heard = new Heard();
    final TcpLinks<String> links;

    TcpNode(String name, long incarnation) {
        this(name, incarnation, settings -> settings);
    }

    TcpNode(String name, long incarnation, UnaryOperator<TcpSettings> change) {
        links = new TcpLinks<>(new Member(name, incarnation), change.apply(settings()), new Texts());
        links.start(heard);
    }

    static TcpSettings settings() {
        return TcpSettings.of("test", SECRET, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TICKER)
                .heartbeat(Duration.ofMillis(100), 4)
                .timeouts(Duration.ofSeconds(2), Duration.ofMillis(500));
    }

    int port() {
        return Integer.parseInt(address().substring(address().lastIndexOf(':') + 1));
    }

    String address() {
        return links.address();
    }

    void keep(TcpNode other) {
        links.keep(other.links.self().node(), other.address());
    }

    Link<String> link(String node) {
        await().atMost(PATIENCE).until(() -> heard.isLinked(node));
        return heard.link(node);
    }

    void awaitLine(String line) {
        await().atMost(PATIENCE).until(() -> heard.lines().contains(line));
    }

    @Override
    public void close() {
        links.close();
    }
}
