package io.warren.amqp.server;

import io.netty.channel.ChannelHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.warren.core.error.AmqpError;
import io.warren.core.error.ErrorScope;
import io.warren.core.error.ReplyCode;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The AMQP connections of one broker that came one way: over TCP, or through memory.
 *
 * <p>Whoever has bytes for the broker makes a Netty channel, with {@link #newHandler} as the last of its pipeline.
 * Thread-safe.
 */
public final class AmqpConnections {

    private static final Logger LOG = LoggerFactory.getLogger(AmqpConnections.class);

    /**
     * What may wait to be sent before a client that asks and does not read is no longer listened to: far above what one
     * that writes first and reads then has waiting, far below what would hurt.
     */
    public static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 20, 8 << 20);

    /** How long clients have to answer when the broker ends. */
    static final long CLOSE_TIMEOUT_MS = 2_000;

    private final ServerSettings settings;
    private final Set<ConnectionHandler> connections = ConcurrentHashMap.newKeySet();

    AmqpConnections(ServerSettings settings) {
        this.settings = settings;
    }

    /** What speaks AMQP on one channel. */
    public ChannelHandler newHandler() {
        return new ConnectionHandler(settings, connections);
    }

    /** How many there are, those that have not logged in included. */
    public int count() {
        return connections.size();
    }

    /** Tells the clients that it is over (320), and ends what is left after two seconds. */
    void close() {
        AmqpError reason = new AmqpError(
                ReplyCode.CONNECTION_FORCED,
                ErrorScope.CONNECTION,
                "CONNECTION_FORCED - broker forced connection closure with reason 'shutdown'");
        connections.forEach(connection -> connection.shutdown(reason));
        awaitEnd();
        connections.forEach(ConnectionHandler::abort);
    }

    /** One deadline for all: a client that does not answer has had its time. */
    private void awaitEnd() {
        for (ConnectionHandler connection : connections) {
            if (!connection.awaitEnd(CLOSE_TIMEOUT_MS)) {
                LOG.debug("clients did not answer within {} ms", CLOSE_TIMEOUT_MS);
                return;
            }
        }
    }
}
