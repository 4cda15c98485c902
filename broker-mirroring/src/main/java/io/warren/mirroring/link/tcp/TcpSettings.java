package io.warren.mirroring.link.tcp;

import io.warren.core.spi.Ticker;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a node's links are set up. Immutable; every node of a cluster has the same, but for the addresses.
 *
 * @param cluster name of the cluster, so that a node does not join another by mistake
 * @param secret what all its nodes know
 * @param listen where links are taken; port 0 picks a free one
 * @param advertised {@code host:port} under which the others find it; null: the address it listens on
 * @param tls null without
 * @param heartbeat time between two heartbeats
 * @param missedMax heartbeats that may stay away; then the link is down
 * @param handshakeTimeout from the connection until it is a link; then it is closed
 * @param connectTimeout until a connection stands; also for one that is dialled into the void
 * @param redialMax longest pause between two attempts to dial; the first is 20 ms, and each is twice the last
 * @param frameBytesMax largest frame or message; a larger one is an error of whoever sends it. A message of a client is at most so large
 * @param ticker the node's clock
 */
public record TcpSettings(
        String cluster,
        ClusterSecret secret,
        InetSocketAddress listen,
        @Nullable String advertised,
        @Nullable LinkTls tls,
        Duration heartbeat,
        int missedMax,
        Duration handshakeTimeout,
        Duration connectTimeout,
        Duration redialMax,
        int frameBytesMax,
        Ticker ticker) {
    private static final int FRAME_BYTES_MAX = 512 << 20;

    public TcpSettings {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(secret, "secret");
        positive("heartbeat", heartbeat);
        positive("handshakeTimeout", handshakeTimeout);
        positive("connectTimeout", connectTimeout);
        positive("redialMax", redialMax);
        if (missedMax < 1) {
            throw new IllegalArgumentException("missedMax=" + missedMax + " is not at least 1");
        }
        if (frameBytesMax < Wire.WHOLE_BYTES_MAX || frameBytesMax > FRAME_BYTES_MAX) {
            throw new IllegalArgumentException("frameBytesMax=" + frameBytesMax + " is not from " + Wire.WHOLE_BYTES_MAX
                    + " to " + FRAME_BYTES_MAX);
        }
    }

    private static void positive(String name, Duration duration) {
        if (duration.isNegative() || duration.toMillis() == 0) {
            throw new IllegalArgumentException(name + "=" + duration + " is not at least a millisecond");
        }
    }

    /** Heartbeats of 500 ms of which four may be missed, 3 s to connect and 3 s for the handshake, and room for a message of 128
     * MiB. */
    public static TcpSettings of(String cluster, ClusterSecret secret, InetSocketAddress listen, Ticker ticker) {
        return new TcpSettings(
                cluster,
                secret,
                listen,
                null,
                null,
                Duration.ofMillis(500),
                4,
                Duration.ofSeconds(3),
                Duration.ofSeconds(3),
                Duration.ofSeconds(1),
                129 << 20,
                ticker);
    }

    /** The same, to be found by others under this address. */
    public TcpSettings advertised(String address) {
        return new TcpSettings(
                cluster,
                secret,
                listen,
                address,
                tls,
                heartbeat,
                missedMax,
                handshakeTimeout,
                connectTimeout,
                redialMax,
                frameBytesMax,
                ticker);
    }

    /** The same with mutual TLS. */
    public TcpSettings tls(LinkTls newTls) {
        return new TcpSettings(
                cluster,
                secret,
                listen,
                advertised,
                newTls,
                heartbeat,
                missedMax,
                handshakeTimeout,
                connectTimeout,
                redialMax,
                frameBytesMax,
                ticker);
    }

    /** The same with another detection time: so many heartbeats of so long. */
    public TcpSettings heartbeat(Duration period, int missed) {
        return new TcpSettings(
                cluster,
                secret,
                listen,
                advertised,
                tls,
                period,
                missed,
                handshakeTimeout,
                connectTimeout,
                redialMax,
                frameBytesMax,
                ticker);
    }

    /** The same with other times to wait for a connection, and for its handshake. */
    public TcpSettings timeouts(Duration connect, Duration handshake) {
        return new TcpSettings(
                cluster,
                secret,
                listen,
                advertised,
                tls,
                heartbeat,
                missedMax,
                handshake,
                connect,
                redialMax,
                frameBytesMax,
                ticker);
    }
}
